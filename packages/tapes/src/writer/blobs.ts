import type { Buffer } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TapeError, tapeErrorOf, writeErrorOf } from '../errors.js';
import { MAX_BLOB_BYTES } from '../limits.js';
import { BLOBS, makeFolder, syncFolder } from './folders.js';

/** A document beside a tape, as facts name it: `blobs/<sha-256>`, its bytes and its digest (hex). */
export interface BlobRef {
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const keyForm = /^blobs\/([0-9a-f]{64})$/;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Stores a document beside a tape, named by its content: the same one twice is one file. When it resolves, the document is on the disk, so that a fact which names it never
 * points to nothing. Rejects with `TapeError` (`tooLarge`, `diskFull`, `notWritable`, `writeFailed`); then nothing is left of it.
 */
export async function writeBlob(folder: string, content: Uint8Array | string): Promise<BlobRef> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const digest = sha256(bytes);
  const path = join(folder, BLOBS, digest);
  if (bytes.length > MAX_BLOB_BYTES) throw new TapeError('tooLarge', { path, why: `the document has ${bytes.length} bytes, and a blob may have ${MAX_BLOB_BYTES}` });
  try {
    const made = makeFolder(join(folder, BLOBS));
    const isThere = existsSync(path) && lstatSync(path).size === bytes.length;
    if (!isThere) await writeWhole(path, bytes);
    for (const changed of [join(folder, BLOBS), ...made]) syncFolder(changed);
  } catch (error) {
    throw writeErrorOf(error, path);
  }
  return { key: `${BLOBS}/${digest}`, sizeBytes: bytes.length, sha256: digest };
}

/** What a fact says of its document; what it does not say is not checked, but for the key, which is the digest itself. */
export interface NamedBlob {
  readonly key: string;
  readonly sizeBytes?: number | undefined;
  readonly sha256?: string | undefined;
}

function demandSame(path: string, what: string, [is, said]: readonly [string | number, string | number | undefined]): void {
  if (said !== undefined && is !== said) throw new TapeError('blobMismatch', { path, why: `${what} is ${is} and should be ${said}` });
}

/**
 * The document that a fact names, checked by size and digest. A key that is none of a blob's opens no file. Rejects with `TapeError` (`badName`, `notFound`, `notAFile`, `unreadable`,
 * `blobMismatch`, `tooLarge`).
 */
export async function readBlob(folder: string, { key, sizeBytes, sha256: digest }: NamedBlob): Promise<Buffer> {
  const named = keyForm.exec(key)?.[1];
  if (named === undefined) throw new TapeError('badName', { path: folder, why: `${JSON.stringify(key)} names no document beside a tape` });
  const path = join(folder, BLOBS, named);
  try {
    const stats = lstatSync(path);
    if (!stats.isFile()) throw new TapeError('notAFile', { path });
    if (stats.size > MAX_BLOB_BYTES) throw new TapeError('tooLarge', { path, why: `it has ${stats.size} bytes, and a blob may have ${MAX_BLOB_BYTES}` });
    demandSame(path, 'its size', [stats.size, sizeBytes]);
    const bytes = await readFile(path);
    const is = sha256(bytes);
    demandSame(path, 'its SHA-256', [is, named]);
    demandSame(path, 'its SHA-256', [is, digest]);
    return bytes;
  } catch (error) {
    throw tapeErrorOf(error, path);
  }
}
