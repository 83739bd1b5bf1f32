/** Every way in which reading a tape can fail. A line that is damaged is no error: it is delivered with its flaw. */
type ReadErrorCode = 'notFound' | 'unreadable' | 'notAFile' | 'corruptCompression' | 'changedWhileReading' | 'blobMismatch' | 'notGrowing';
/** Every way in which opening a tape for writing, or writing it, can fail; and (the last three) what a recorder refuses before it writes anything. */
type WriteErrorCode =
  | 'locked' | 'closed' | 'diskFull' | 'notWritable' | 'writeFailed' | 'replacedWhileWriting' | 'notATape' | 'newerVersion' | 'tooLarge' | 'badName'
  | 'badFact' | 'outOfOrder' | 'tooManyHeld';
/** Why what is recorded does not reach a server; the tape is none the worse for it. `path`: the tape. */
type PublishErrorCode = 'notReached' | 'notTaken';
/** The closed list of this package. */
export type TapeErrorCode = ReadErrorCode | WriteErrorCode | PublishErrorCode;

/** Where and why, for a `TapeError`. `offset`: bytes of the plain content up to which everything was delivered. `why`: what exactly, in words. */
export interface TapeErrorDetail {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly why?: string | undefined;
  readonly cause?: unknown;
}

const sentences: Record<TapeErrorCode, (path: string, where: string, why: string) => string> = {
  notFound: (path) => `${path} does not exist: check the path, or look where the agent moved the session.`,
  unreadable: (path, where) => `${path} cannot be read${where}: check its permissions and the disk.`,
  notAFile: (path) => `${path} is no regular file: name a session file inside it.`,
  corruptCompression: (path, where) => `${path} is damaged inside its compression${where}: what came before is good, restore the rest from a backup.`,
  changedWhileReading: (path, where) => `${path} became shorter or was replaced while it was read${where}: read it again.`,
  notGrowing: (path) => `${path} is compressed, and compressed files never grow: read it instead of following it.`,
  blobMismatch: (path, _, why) => `${path} is not what the tape says of it (${why}): restore it from a backup.`,
  locked: (path, _, why) => `${path} is being written by another program (${why}): close it there first. If that program is gone, remove its lock file.`,
  closed: (path) => `${path} is closed for this writer: open the tape again to go on with it.`,
  diskFull: (path) => `${path} cannot grow, the disk (or the quota) is full: nothing of what failed is left in it; make room, then open the tape again.`,
  notWritable: (path) => `${path} must not be written here: check the permissions of the file and its folder, and whether the disk is mounted read-only.`,
  writeFailed: (path, _, why) => `${path} could not be written (${why}): check the disk, then open the tape again.`,
  replacedWhileWriting: (path, _, why) => `${path} is no longer the file that this writer writes (${why}): leave tapes alone while a program writes them, and open the tape again.`,
  notATape: (path, _, why) => `${path} is no native tape (${why}), so nothing is appended to it: choose another folder or thread id.`,
  newerVersion: (path, _, why) => `${path} cannot be gone on with: ${why}.`,
  tooLarge: (path, _, why) => `${path}: ${why}; put large documents beside the tape as blobs.`,
  badName: (path, _, why) => `${path}: ${why}.`,
  badFact: (path, _, why) => `${path}: this is no fact that a reader could read (${why}), so it was not written.`,
  outOfOrder: (path, _, why) => `${path}: ${why}, so nothing was written.`,
  notReached: (path, _, why) => `${path} is recorded, and cannot be followed at the server for now (${why}): it is tried again.`,
  notTaken: (path, _, why) => `${path} is recorded, and cannot be followed at the server (${why}): nothing more of it is sent.`,
  tooManyHeld: (path, _, why) => `${path}: ${why}; wait for the barrier before going on.`,
};

const reasonOf = (cause: unknown): string => (cause === undefined ? 'for no reason that is known' : systemReason(cause));

/** The one error this package throws or reports. `message` is a sentence that names the file and what to do. */
export class TapeError extends Error {
  override readonly name = 'TapeError';
  readonly code: TapeErrorCode;
  readonly path: string;
  readonly offset: number | undefined;

  constructor(code: TapeErrorCode, detail: TapeErrorDetail) {
    const where = detail.offset === undefined ? '' : ` at byte ${detail.offset}`;
    super(sentences[code](detail.path, where, detail.why ?? reasonOf(detail.cause)), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.path = detail.path;
    this.offset = detail.offset;
  }
}

const codes: Readonly<Record<string, TapeErrorCode>> = { ENOENT: 'notFound', ENOTDIR: 'notFound', EISDIR: 'notAFile', ENXIO: 'notAFile' };

/** The system's own code of an error (`ENOENT`), or its text where it has none. Never throws. */
export function systemReason(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}

const writeCodes: Readonly<Record<string, TapeErrorCode>> = {
  ENOSPC: 'diskFull', EDQUOT: 'diskFull', EACCES: 'notWritable', EPERM: 'notWritable', EROFS: 'notWritable', EISDIR: 'notATape', ELOOP: 'notATape', ENOTDIR: 'notWritable',
};

/** The same for a system call that was to write. Never throws. */
export function writeErrorOf(error: unknown, path: string): TapeError {
  if (error instanceof TapeError) return error;
  return new TapeError(writeCodes[systemReason(error)] ?? 'writeFailed', { path, cause: error });
}

/** Turns whatever a system call threw into a `TapeError`; one that is already stays as it is. Never throws. */
export function tapeErrorOf(error: unknown, path: string, offset?: number): TapeError {
  if (error instanceof TapeError) return error;
  return new TapeError(codes[systemReason(error)] ?? 'unreadable', { path, offset, cause: error });
}
