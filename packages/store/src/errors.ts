/** Every way in which a thread source refuses. Damaged lines are no error: they are in the ledger. */
export type StoreErrorCode = 'threadNotFound' | 'ambiguousId' | 'noId' | 'fileNotFound' | 'notInHomes' | 'noThreads' | 'homeNotFound' | 'damagedSource' | 'positionBehindEnd'
  | 'storeTooNew' | 'storeDamaged' | 'storeBusy' | 'storeFull' | 'storeUnusable' | 'leaseLost' | 'rewritten' | 'emptyQuery' | 'queryTooLong';

/** Typed detail of a refusal. `id`: what was asked for; `candidates`: ids that begin with it (at most ten); `position`: asked for, `last`: of the thread's last fact. */
export interface StoreErrorDetail {
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly candidates?: readonly string[] | undefined;
  readonly position?: number | undefined;
  readonly last?: number | undefined;
  readonly cause?: unknown;
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const sentences: Record<StoreErrorCode, (detail: StoreErrorDetail) => string> = {
  threadNotFound: ({ id }) => `no thread has the id ${id ?? ''}: \`tapefold list --all --archived\` shows all of them.`,
  ambiguousId: ({ id, candidates }) => `${id ?? ''} begins more than one id, give more of it: ${(candidates ?? []).join(', ')}.`,
  noId: () => 'an empty id names no thread: give one, the beginning of one, or `last`.',
  fileNotFound: ({ path }) => `${path ?? ''} does not exist: check the path, or give the id of a thread.`,
  notInHomes: ({ path }) => `${path ?? ''} lies in none of the homes that are looked at: name its home with --home, or look at it with \`tapefold doctor FILE\`.`,
  noThreads: () => 'there are no threads: name a home with --home codex=DIR, --home claude=DIR, --home kimi=DIR or --home native=DIR.',
  homeNotFound: ({ path }) => `the home ${path ?? ''} does not exist: check --home, CODEX_HOME, CLAUDE_CONFIG_DIR, KIMI_CODE_HOME, KIMI_SHARE_DIR and TAPEFOLD_HOME.`,
  damagedSource: ({ path, cause }) => `${path ?? 'a session file'} is not read: ${reasonOf(cause)}.`,
  positionBehindEnd: ({ position, last }) => `fact ${position ?? ''} is behind the last fact of the thread, which is ${last ?? ''}.`,
  storeTooNew: ({ path }) => `the index ${path ?? ''} was made by a newer Tapefold: use that one, or point TAPEFOLD_HOME to another folder.`,
  storeDamaged: ({ path, cause }) => `the index ${path ?? ''} is damaged (${reasonOf(cause)}): \`tapefold rebuild\` makes it anew; no session is lost.`,
  storeBusy: ({ path }) => `the index ${path ?? ''} is in use by another process for too long: try again.`,
  storeFull: ({ path }) => `the disk with the index ${path ?? ''} is full: make room and index again; what stands in it stays.`,
  storeUnusable: ({ path, cause }) => `the index ${path ?? ''} cannot be used (${reasonOf(cause)}): check the folder, or point TAPEFOLD_HOME to another.`,
  leaseLost: () => 'another process took over the indexing: nothing is lost, it goes on there.',
  rewritten: ({ id }) => `the session files of ${id ?? 'this thread'} were rewritten meanwhile: start again at the first page.`,
  emptyQuery: () => 'nothing to look for: give words, or a phrase in quotes.',
  queryTooLong: () => 'the query is too long: 32 words and phrases and 16,384 characters are the most.',
};

/** The one error of this package. `message` is a sentence that names what is wrong and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly detail: StoreErrorDetail;

  constructor(code: StoreErrorCode, detail: StoreErrorDetail = {}) {
    super(sentences[code](detail), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.detail = detail;
  }
}
