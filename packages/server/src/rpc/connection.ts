import { type DeprecationNotice, type InitializeParams, type InitializeResponse, type JsonChunk, type RpcCall, RpcError, type RpcRequestId, methods, readCall, rpcRequestSchema } from '@tapefold/threads';
import { type JsonChunks, wholeValue } from './answer.js';
import { ClientNotices } from './live/client-notices.js';
import { type ReadingCall, answerCall } from './answer-call.js';
import { rpcErrorOf } from './rpc-error-of.js';
import type { ThreadReader } from './thread-reader.js';

/** What a connection needs from its host. */
export interface ConnectionHost {
  readonly reader: ThreadReader;
  /** What `initialize` answers about this server, beside the client's own name. */
  readonly describe: (client: InitializeParams['clientInfo']) => InitializeResponse;
  readonly nowMs: () => number;
  /** Sends one message, whole; resolves when it is taken. */
  readonly send: (message: JsonChunks) => Promise<void>;
  /** Called once, when `initialize` is answered. */
  readonly onInitialized?: (() => void) | undefined;
  /** Says something to whoever runs the server. */
  readonly log: (text: string) => void;
}

/** A message that was read: nothing to do, or a call whose answer is awaited. */
export type Accepted = undefined | (() => Promise<void>);

type Handshake = 'new' | { readonly isExperimental: boolean; readonly optedOut: ReadonlySet<string>; readonly notices: ClientNotices };

/** The text of a message that the original would not take: it says so on standard error and gives no answer. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const hasMethod = (message: unknown): message is { method: string; id?: unknown } =>
  typeof message === 'object' && message !== null && 'method' in message && typeof message.method === 'string';

/**
 * One client:
 *
 *     new ──initialize──▶ ready ──any call──▶ ready
 *      └─any other call──▶ "Not initialized"   └─initialize──▶ "Already initialized"
 *
 * Methods and parameters are looked at first, so an unknown method is told even before `initialize`.
 */
export class Connection {
  readonly #host: ConnectionHost;
  #handshake: Handshake = 'new';
  #disconnect: (() => void) | undefined;
  #isClosed = false;

  constructor(host: ConnectionHost) {
    this.#host = host;
  }

  /**
   * Takes one message. The handshake is kept in the order of messages; what is answered needs the returned function to run, at any time and in any
   * order. Bad JSON, lists, and what is no request get no answer, only a line in the log.
   */
  accept(text: string): Accepted {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#host.log(`not JSON: ${shortened(text)}`);
      return undefined;
    }
    const request = rpcRequestSchema.safeParse(message);
    if (request.success) return this.#call(request.data.id, request.data.method, request.data.params);
    if (!hasMethod(message) || message.id !== undefined) this.#host.log(`not a request: ${shortened(text)}`);
    return undefined;
  }

  /** The client is gone: nothing is told any more. */
  close(): void {
    this.#isClosed = true;
    this.#disconnect?.();
  }

  #call(id: RpcRequestId, method: string, params: unknown): Accepted {
    try {
      const call = readCall(method, params);
      if (call.method === 'initialize') return this.#initialize(id, call.params);
      this.#check(call);
      return () => this.#answer(id, call);
    } catch (error) {
      return () => this.#refuse(id, rpcErrorOf(error));
    }
  }

  #initialize(id: RpcRequestId, { clientInfo, capabilities }: InitializeParams): Accepted {
    if (this.#handshake !== 'new') throw new RpcError('alreadyInitialized');
    const optedOut = new Set(capabilities?.optOutNotificationMethods ?? []);
    const notices = new ClientNotices({ send: (text) => this.#host.send([text]), nowMs: this.#host.nowMs, optedOut });
    this.#handshake = { isExperimental: capabilities?.experimentalApi === true, optedOut, notices };
    const answer = this.#host.describe(clientInfo);
    return async () => {
      await this.#host.send(result(id, wholeValue(answer)));
      if (!this.#isClosed) this.#disconnect = this.#host.reader.live?.connect(notices);
      this.#host.onInitialized?.();
    };
  }

  #check({ method }: RpcCall): void {
    if (this.#handshake === 'new') throw new RpcError('notInitialized');
    if (methods[method].isExperimental && !this.#handshake.isExperimental) throw new RpcError('experimental', { about: method });
  }

  async #answer(id: RpcRequestId, call: ReadingCall): Promise<void> {
    try {
      await this.#host.send(result(id, await answerCall(this.#host.reader, call, { notify: (...notice) => this.#notify(...notice), follow: (threadId) => this.#follow(threadId) })));
    } catch (error) {
      await this.#refuse(id, rpcErrorOf(error));
    }
  }

  #follow(threadId: string): void {
    if (this.#handshake !== 'new') this.#handshake.notices.follow(threadId);
  }

  #notify(method: DeprecationNotice['method'], params: DeprecationNotice['params']): void {
    if (this.#handshake === 'new' || this.#handshake.optedOut.has(method)) return;
    void this.#host.send(wholeValue({ method, params, emittedAtMs: this.#host.nowMs() } satisfies DeprecationNotice));
  }

  async #refuse(id: RpcRequestId, error: RpcError): Promise<void> {
    if (error.kind === 'internal') this.#host.log(`${error.message}: please report it`);
    await this.#host.send(wholeValue({ error: error.toObject(), id }));
  }
}

/** An answer around its result. */
async function* result(id: RpcRequestId, chunks: JsonChunks): AsyncGenerator<JsonChunk> {
  yield `{"id":${JSON.stringify(id)},"result":`;
  yield* chunks;
  yield '}';
}
