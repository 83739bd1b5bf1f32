import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { readBlob, writeBlob } from './blobs.js';

const root = temporaryFolder();
const failure = async (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'read', (error: unknown) => (error as { code?: unknown }).code);

describe('[R-TAPE-8] documents beside a tape', () => {
  it('are named by their content, once, for their owner alone, and read back checked', async () => {
    const folder = join(root, 'a');
    const text = 'é'.repeat(40_000);
    const [first, again] = await Promise.all([writeBlob(folder, text), writeBlob(folder, Buffer.from(text))]);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(first).toEqual({ key: `blobs/${sha256}`, sizeBytes: 80_000, sha256 });
    expect(again).toEqual(first);
    expect(readdirSync(join(folder, 'blobs'))).toEqual([sha256]);
    expect([statSync(join(folder, 'blobs')).mode & 0o777, statSync(join(folder, first.key)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect((await readBlob(folder, first)).toString()).toBe(text);
    expect((await readBlob(folder, { key: first.key })).length).toBe(80_000);
  });

  it('that changed are not passed off as what the tape names', async () => {
    const folder = join(root, 'b');
    const blob = await writeBlob(folder, 'plan');
    expect(await failure(readBlob(folder, { ...blob, sizeBytes: 5 }))).toBe('blobMismatch');
    expect(await failure(readBlob(folder, { ...blob, sha256: '0'.repeat(64) }))).toBe('blobMismatch');
    writeFileSync(join(folder, blob.key), 'plam');
    expect(await failure(readBlob(folder, blob))).toBe('blobMismatch');
    appendFileSync(join(folder, blob.key), 'x');
    expect(await failure(readBlob(folder, blob))).toBe('blobMismatch');
    // Stored again, it is whole again.
    await writeBlob(folder, 'plan');
    expect((await readBlob(folder, blob)).toString()).toBe('plan');
    rmSync(join(folder, blob.key));
    expect(await failure(readBlob(folder, blob))).toBe('notFound');
  });

  it('keys that name no blob open no file', async () => {
    const folder = join(root, 'c');
    mkdirSync(folder);
    writeFileSync(join(folder, 'secret'), 'x');
    for (const key of ['secret', '../c/secret', 'blobs/../secret', `blobs/${'0'.repeat(63)}/`, `blobs/${'A'.repeat(64)}`, '', 'blobs/']) expect(await failure(readBlob(folder, { key }))).toBe('badName');
    const { key } = await writeBlob(folder, 'y');
    rmSync(join(folder, key));
    symlinkSync(join(folder, 'secret'), join(folder, key));
    expect(await failure(readBlob(folder, { key }))).toBe('notAFile');
  });
});
