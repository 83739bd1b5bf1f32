/** Every way in which reading a tape can fail. A line that is damaged is no error: it is delivered with its flaw. */
export type TapeErrorCode = 'notFound' | 'unreadable' | 'notAFile' | 'corruptCompression' | 'changedWhileReading';

/** Where and why, for a `TapeError`. `offset`: bytes of the plain content up to which everything was delivered. */
export interface TapeErrorDetail {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly cause?: unknown;
}

const sentences: Record<TapeErrorCode, (path: string, where: string) => string> = {
  notFound: (path) => `${path} does not exist: check the path, or look where the agent moved the session.`,
  unreadable: (path, where) => `${path} cannot be read${where}: check its permissions and the disk.`,
  notAFile: (path) => `${path} is no regular file: name a session file inside it.`,
  corruptCompression: (path, where) => `${path} is damaged inside its compression${where}: what came before is good, restore the rest from a backup.`,
  changedWhileReading: (path, where) => `${path} became shorter or was replaced while it was read${where}: read it again.`,
};

/** The one error this package throws or reports. `message` is a sentence that names the file and what to do. */
export class TapeError extends Error {
  override readonly name = 'TapeError';
  readonly code: TapeErrorCode;
  readonly path: string;
  readonly offset: number | undefined;

  constructor(code: TapeErrorCode, detail: TapeErrorDetail) {
    const where = detail.offset === undefined ? '' : ` at byte ${detail.offset}`;
    super(sentences[code](detail.path, where), detail.cause === undefined ? undefined : { cause: detail.cause });
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

/** Turns whatever a system call threw into a `TapeError`; one that is already stays as it is. Never throws. */
export function tapeErrorOf(error: unknown, path: string, offset?: number): TapeError {
  if (error instanceof TapeError) return error;
  return new TapeError(codes[systemReason(error)] ?? 'unreadable', { path, offset, cause: error });
}
