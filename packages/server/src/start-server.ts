import type { ThreadSource } from '@tapefold/store';
import { ServerError } from './errors.js';
import { Failures } from './guard/failures.js';
import { Guard } from './guard/guard.js';
import { tokenCheck } from './guard/token.js';
import { type ListenerLimits, listenerLimits } from './limits.js';
import type { Listener } from './listen/listener.js';
import { type TcpAddress, type UnixAddress, isLoopback, listenUrl } from './listen/listen-url.js';
import { type ServerIdentity, describeServer } from './rpc/identity.js';
import { ThreadReader } from './rpc/thread-reader.js';
import { serveRpc } from './rpc/ws/serve-rpc.js';

/** What a server is made of. */
export interface ServerOptions {
  readonly source: ThreadSource;
  readonly identity: ServerIdentity;
  readonly addresses: readonly (TcpAddress | UnixAddress)[];
  /** What TCP clients show; undefined: nothing, which only loopback addresses allow. */
  readonly token: string | undefined;
  /** Host names under which the server is reached besides `localhost` and IP addresses: behind a proxy, say. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly limits?: Partial<ListenerLimits> | undefined;
  readonly nowMs: () => number;
  /** Says something to whoever runs the server: one line. */
  readonly log: (text: string) => void;
}

/** A server that runs. */
export interface RunningServer {
  readonly listeners: readonly Listener[];
  /** Ends all listeners; see `Listener.stop`. */
  readonly stop: () => Promise<void>;
}

function checkToken(address: TcpAddress | UnixAddress, token: string | undefined): void {
  if (token === undefined && address.kind !== 'unix' && !isLoopback(address.host)) throw new ServerError('tokenNeeded', { about: listenUrl(address) });
}

/** Starts to listen at every address. Rejects with a `ServerError` where one of them cannot be used; none stays open then. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { source, identity, addresses, token, allowedHosts = [], nowMs, log } = options;
  for (const address of addresses) checkToken(address, token);
  const limits = { ...listenerLimits, ...options.limits };
  const check = token === undefined ? undefined : tokenCheck(token);
  const failures = new Failures(nowMs);
  const host = { reader: new ThreadReader(source), describe: describeServer(identity), nowMs, log };
  const listeners: Listener[] = [];
  const stop = async (): Promise<void> => void await Promise.all(listeners.map((listener) => listener.stop()));
  try {
    for (const address of addresses) {
      const guard = new Guard({ address, token: check, allowedHosts: allowedHosts.map((name) => name.toLowerCase()), failures });
      listeners.push(await serveRpc({ address, guard, limits, host }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { listeners, stop };
}
