/** JSON-RPC codes as Codex's app-server uses them (`codex-history.md` §7.3): an unknown method is an invalid request, too. */
export const RPC_CODE = { invalidRequest: -32600, unsupported: -32601, invalidParams: -32602, internal: -32603 } as const;
/** The codes that an answer can carry; nothing else of JSON-RPC's is used. */
export type RpcCode = (typeof RPC_CODE)[keyof typeof RPC_CODE];

/** Detail that a text of the table names: an id, a method, a cursor as it came, or what is wrong in words. */
export interface RpcFaultDetail {
  readonly about?: string | undefined;
}

interface Fault { readonly code: RpcCode; readonly text: (about: string) => string }

const invalidRequest = (text: (about: string) => string): Fault => ({ code: RPC_CODE.invalidRequest, text });
const invalidParams = (text: (about: string) => string): Fault => ({ code: RPC_CODE.invalidParams, text });

/** Every error that a read can answer with. Texts are the recorded ones, but for the last five, which are ours. */
const faults = {
  notInitialized: invalidRequest(() => 'Not initialized'),
  alreadyInitialized: invalidRequest(() => 'Already initialized'),
  invalidRequest: invalidRequest((problem) => `Invalid request: ${problem}`),
  experimental: invalidRequest((what) => `${what} requires experimentalApi capability`),
  malformedThreadId: invalidRequest((problem) => `invalid thread id: ${problem}`),
  threadNotLoaded: invalidRequest((id) => `thread not loaded: ${id}`),
  invalidCursor: invalidRequest((cursor) => `invalid cursor: ${cursor}`),
  anchorTurnGone: invalidRequest(() => 'invalid cursor: anchor turn is no longer present'),
  itemIdCount: invalidRequest(() => 'itemIds must contain 1 to 100 IDs'),
  emptySearchTerm: invalidRequest((method) => `${method} requires a non-empty searchTerm`),
  sectionSort: invalidRequest(() => 'section-position sorting requires a section filter'),
  anchorNeedsTurn: invalidParams(() => 'turnId is required when cursor is an item anchor'),
  anchorItemUnknown: invalidParams(() => 'cursor.itemId does not identify an item in the requested history scope'),
  originators: invalidParams(() => 'originator filtering is not supported by the local app-server'),
  malformedIncludedId: invalidParams((problem) => `invalid included thread id: ${problem}`),
  malformedExcludedId: invalidParams((problem) => `invalid excluded thread id: ${problem}`),
  tooManyIds: invalidParams((field) => `${field} must contain at most 100 IDs`),
  readOnly: { code: RPC_CODE.unsupported, text: (method) => `${method} is refused: Tapefold is read-only, it neither writes to a thread nor runs anything` },
  notServed: { code: RPC_CODE.unsupported, text: (method) => `${method} is not supported yet: Tapefold serves the reading of histories only` },
  unreadable: { code: RPC_CODE.internal, text: (problem) => `failed to read thread: ${problem}` },
  internal: { code: RPC_CODE.internal, text: (problem) => `internal error: ${problem}` },
} as const satisfies Record<string, Fault>;

/** Name of an entry of the error table. */
export type RpcFaultKind = keyof typeof faults;

/** All entries, for documents and tests. */
export const rpcFaultKinds = Object.keys(faults) as readonly RpcFaultKind[];

/** What goes over the wire as `error`. */
export interface RpcErrorObject {
  readonly code: RpcCode;
  readonly message: string;
}

/** The one error of the protocol; `kind` names its entry in the closed table. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly kind: RpcFaultKind;
  readonly code: RpcCode;

  constructor(kind: RpcFaultKind, detail: RpcFaultDetail = {}) {
    super(faults[kind].text(detail.about ?? ''));
    this.kind = kind;
    this.code = faults[kind].code;
  }

  /** As it is written into an answer. */
  toObject(): RpcErrorObject {
    return { code: this.code, message: this.message };
  }
}
