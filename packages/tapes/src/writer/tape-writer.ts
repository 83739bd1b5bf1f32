import { type FactDraft, type LineSpan, type TapeId, encodeNativeHeader } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { close as closeFile, closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { TapeError, writeErrorOf } from '../errors.js';
import { MAX_LINE_BYTES } from '../limits.js';
import { TAPE_FILE, makeFolder, syncFolder } from './folders.js';
import { GroupCommit } from './group-commit.js';
import { LineBuffer } from './line-buffer.js';
import { type TapeEndState, mendTape } from './mend-tape.js';
import { type TapeLock, lockTape } from './tape-lock.js';

const dataSync = promisify(fdatasync);
const closed = promisify(closeFile);

/** Where an appended fact stands: its ordinal, and the bytes of its line without the newline. */
export interface AppendedLine {
  readonly ordinal: number;
  readonly line: LineSpan;
}

/** What a new tape is told about itself; an old one has it in its header. */
export interface WriterOptions {
  readonly tape: TapeId;
  /** ISO-8601. */
  readonly createdAt?: string | undefined;
  /** A fact with a longer line is refused, since readers skip it. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
}

interface OpenedFile extends TapeEndState {
  readonly fd: number;
  readonly path: string;
  readonly tape: TapeId;
  readonly maxLineBytes: number;
  readonly lock: TapeLock;
  /** Folders with new entries: they have to be on the disk before the first barrier is through. */
  readonly newIn: readonly string[];
}

/**
 * Appends facts to one native tape, one a line. `append` hands the line to the operating system before it returns, so a killed process loses nothing that
 * was appended; `barrier` waits for the disk, so a power cut loses nothing from before it. Nothing is queued in memory: the call itself is the back-pressure.
 * After an error the writer takes nothing more (each call says the same error), and what failed left nothing in the file.
 */
export class TapeWriter {
  readonly path: string;
  readonly tape: TapeId;
  readonly #file: OpenedFile;
  readonly #commits = new GroupCommit(() => this.#sync());
  readonly #lines: LineBuffer;
  #endOffset: number;
  #nextOrdinal: number;
  #syncedOffset = -1;
  #failure: TapeError | undefined;
  #newIn: readonly string[];
  #closing: Promise<void> | undefined;

  constructor(file: OpenedFile) {
    this.#file = file;
    this.path = file.path;
    this.tape = file.tape;
    this.#lines = new LineBuffer(file);
    this.#endOffset = file.endOffset;
    this.#nextOrdinal = file.nextOrdinal;
    this.#newIn = file.newIn;
  }

  /** Ordinal of the next fact; so many there are. */
  get nextOrdinal(): number { return this.#nextOrdinal; }
  /** Bytes of the tape. */
  get endOffset(): number { return this.#endOffset; }
  /** How often the disk was waited for. */
  get syncs(): number { return this.#commits.syncs; }

  /**
   * Appends one fact. When it returns the line is in the operating system. The draft is written as it is: whoever takes drafts from elsewhere validates
   * them (`factSchema`). Throws `TapeError` (`closed`, `tooLarge`, `diskFull`, `notWritable`, `writeFailed`).
   */
  append(draft: FactDraft): AppendedLine {
    this.#demandOpen();
    const length = this.#lines.put(draft, this.#nextOrdinal, 0);
    const line = { offset: this.#endOffset, length: length - 1 };
    this.#write(length);
    return { ordinal: this.#nextOrdinal++, line };
  }

  /** Appends several facts in one write: none of them is there without those before it, and it costs little more than one. */
  appendAll(drafts: readonly FactDraft[]): AppendedLine[] {
    this.#demandOpen();
    let [used, ordinal] = [0, this.#nextOrdinal];
    const lines = drafts.map((draft): AppendedLine => {
      const length = this.#lines.put(draft, ordinal, used);
      const line = { offset: this.#endOffset + used, length: length - 1 };
      used += length;
      return { ordinal: ordinal++, line };
    });
    if (used > 0) this.#write(used);
    this.#nextOrdinal = ordinal;
    return lines;
  }

  /** Resolves when everything appended so far is on the disk; callers that wait at the same time share one sync. Rejects with `TapeError`. */
  async barrier(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#syncedOffset === this.#endOffset) return;
    await this.#commits.commit();
  }

  /** Waits for the disk, lets the tape go for other writers and closes it. Also a writer that failed is closed so; then nothing is waited for. Never rejects for what was told before. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  async #shut(): Promise<void> {
    try {
      if (!this.#failure) await this.barrier();
    } finally {
      this.#failure ??= new TapeError('closed', { path: this.path });
      await closed(this.#file.fd).finally(() => this.#file.lock.release());
    }
  }

  #demandOpen(): void {
    if (this.#failure) throw this.#failure;
    if (this.#closing) throw new TapeError('closed', { path: this.path });
  }

  #write(length: number): void {
    try {
      for (let done = 0; done < length;) done += writeSync(this.#file.fd, this.#lines.bytes, done, length - done);
    } catch (error) {
      this.#failure = writeErrorOf(error, this.path);
      this.#takeBack();
      throw this.#failure;
    }
    this.#endOffset += length;
    this.#lines.shrink();
  }

  /** Half a line may be in the file. Where even cutting it fails, no reader takes it for a fact, and the next writer cuts it. */
  #takeBack(): void {
    try { ftruncateSync(this.#file.fd, this.#endOffset); } catch { /* the next writer mends it */ }
  }

  async #sync(): Promise<void> {
    // After a sync that failed the next one may succeed and mean nothing: the system has given up the pages.
    if (this.#failure) throw this.#failure;
    const until = this.#endOffset;
    try {
      await dataSync(this.#file.fd);
      for (const folder of this.#newIn) syncFolder(folder);
      this.#newIn = [];
      this.#demandOwnFile(until);
    } catch (error) {
      this.#failure ??= writeErrorOf(error, this.path);
      throw this.#failure;
    }
    this.#syncedOffset = until;
  }

  /** A tape that somebody removed, replaced or wrote to would go on into nothing, or into something else. */
  #demandOwnFile(until: number): void {
    const { size, nlink } = fstatSync(this.#file.fd);
    if (nlink === 0) throw new TapeError('replacedWhileWriting', { path: this.path, why: 'it was removed or replaced' });
    if (size < until) throw new TapeError('replacedWhileWriting', { path: this.path, why: 'it became shorter' });
  }
}

function openFile(path: string): { readonly fd: number; readonly isNew: boolean; readonly sizeBytes: number } {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o600);
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, isNew: stats.size === 0, sizeBytes: stats.size };
  closeSync(fd);
  throw new TapeError('notATape', { path, why: 'it is no regular file' });
}

/** A header is on the tape before the writer is given out: a tape without one is none. */
function begin(fd: number, { tape, createdAt }: WriterOptions): TapeEndState {
  const line = `${encodeNativeHeader(createdAt === undefined ? { tape } : { tape, createdAt })}\n`;
  try {
    writeSync(fd, line);
  } catch (error) {
    ftruncateSync(fd, 0);
    throw error;
  }
  return { header: undefined, endOffset: Buffer.byteLength(line), nextOrdinal: 0 };
}

function openLocked(path: string, options: WriterOptions): Omit<OpenedFile, 'lock' | 'newIn'> & { readonly isNew: boolean } {
  const { fd, isNew, sizeBytes } = openFile(path);
  try {
    const state = mendTape({ fd, path, sizeBytes });
    const ready = state.header ? state : begin(fd, options);
    return { ...ready, fd, path, isNew, tape: state.header?.tape ?? options.tape, maxLineBytes: options.maxLineBytes ?? MAX_LINE_BYTES };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Opens the tape of a folder for writing, or begins one: takes the lock, mends what a dead writer left, makes folders (0700) and file (0600). Throws `TapeError`: `locked`,
 * `notWritable`, `diskFull`, `notATape`, `newerVersion`, `writeFailed`, and those of reading.
 */
export async function openTapeWriter(folder: string, options: WriterOptions): Promise<TapeWriter> {
  const path = join(folder, TAPE_FILE);
  const made = makeFolder(folder);
  const lock = await lockTape(folder, path);
  try {
    const { isNew, ...file } = openLocked(path, options);
    return new TapeWriter({ ...file, lock, newIn: isNew ? [folder, ...made, dirname(folder)] : made });
  } catch (error) {
    lock.release();
    throw writeErrorOf(error, path);
  }
}
