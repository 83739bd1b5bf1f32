import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { TapeError, tapeErrorOf } from './errors.js';

/** Bytes in order. `readInto` fills a front part of `target` and says how many bytes; 0 is the end. Throws `TapeError`. */
export interface ByteSource {
  readonly path: string;
  readInto(target: Uint8Array): number;
  /** Why the bytes ended too early, once they have (a damaged compression); undefined for a clean end. */
  readonly damage: TapeError | undefined;
  close(): void;
}

/** Told of every read from the disk, in bytes as they lie there (compressed ones for `.zst`). */
export type OnRead = (bytes: number) => void;

/** Bytes at any place of a file whose size was taken when it was opened. */
export interface OpenFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Reads up to `target.length` bytes from `position`; fewer only at the end. Throws `TapeError`. */
  readAt(target: Uint8Array, position: number): number;
  close(): void;
}

/** Opens a regular file for reading. Throws `TapeError` (`notFound`, `notAFile`, `unreadable`). */
export function openFile(path: string, onRead?: OnRead): OpenFile {
  try {
    // Looked at before it is opened: opening a pipe waits for its writer, for ever.
    if (!statSync(path).isFile()) throw new TapeError('notAFile', { path });
    const fd = openSync(path, 'r');
    return { path, sizeBytes: fstatSync(fd).size, readAt: (target, position) => readAt({ fd, path, onRead }, target, position), close: () => closeSync(fd) };
  } catch (error) {
    throw tapeErrorOf(error, path);
  }
}

interface Handle { readonly fd: number; readonly path: string; readonly onRead: OnRead | undefined }

function readAt(handle: Handle, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.length) {
    const bytes = readOnce(handle, target.subarray(done), position + done);
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}

function readOnce({ fd, path, onRead }: Handle, target: Uint8Array, position: number): number {
  try {
    const bytes = readSync(fd, target, 0, target.length, position);
    onRead?.(bytes);
    return bytes;
  } catch (error) {
    throw tapeErrorOf(error, path, position);
  }
}

/** A plain file from `from` on. An append during the read is read too; a file that became shorter, or ends before `from`, is `changedWhileReading`. */
export function plainSource(file: OpenFile, from = 0): ByteSource {
  if (from > file.sizeBytes) throw new TapeError('changedWhileReading', { path: file.path, offset: file.sizeBytes });
  let position = from;
  return {
    path: file.path,
    damage: undefined,
    close: () => file.close(),
    readInto(target) {
      const bytes = file.readAt(target, position);
      if (bytes === 0 && position < file.sizeBytes) throw new TapeError('changedWhileReading', { path: file.path, offset: position });
      position += bytes;
      return bytes;
    },
  };
}
