import type { ThreadSource } from '@tapefold/store';
import { homedir } from 'node:os';
import { ServerError } from './errors.js';
import { Failures } from './guard/failures.js';
import { Guard } from './guard/guard.js';
import { type TokenCheck, tokenCheck } from './guard/token.js';
import { type ListenerLimits, listenerLimits } from './limits.js';
import type { Listener } from './listen/listener.js';
import { type TcpAddress, type UnixAddress, isLoopback, listenUrl } from './listen/listen-url.js';
import { coldSource } from './live/cold-source.js';
import type { FactBus } from './live/hub/fact-bus.js';
import type { LiveSource } from './live/live-source.js';
import { createRoutes } from './rest/create-routes.js';
import { newUlid } from './rest/request-id.js';
import { type ServerIdentity, describeServer } from './rpc/identity.js';
import type { LiveThreads } from './rpc/live/live-threads.js';
import { ThreadReader } from './rpc/thread-reader.js';
import type { Transcripts } from './transcripts.js';

/** What a server is made of. */
export interface ServerOptions {
  readonly source: ThreadSource;
  readonly transcripts: Transcripts;
  /** Where running sessions come from; absent: none runs. */
  readonly live?: LiveSource | undefined;
  /** Where recorders in other processes publish; absent: they may not. */
  readonly bus?: FactBus | undefined;
  /** Threads that run, for clients of JSON-RPC; absent: nothing does. */
  readonly threads?: LiveThreads | undefined;
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

type Listen<A> = (address: A) => Promise<Listener>;

interface Shared { readonly limits: ListenerLimits; readonly token: TokenCheck | undefined; readonly guardOf: (address: TcpAddress | UnixAddress) => Guard }

function shared({ token: secret, allowedHosts = [], nowMs, limits: given }: ServerOptions): Shared {
  const token = secret === undefined ? undefined : tokenCheck(secret);
  const failures = new Failures(nowMs);
  const names = allowedHosts.map((name) => name.toLowerCase());
  return { limits: { ...listenerLimits, ...given }, token, guardOf: (address) => new Guard({ address, token, allowedHosts: names, failures }) };
}

function restListen({ source, transcripts, identity, nowMs, log, live, bus }: ServerOptions, { limits, token, guardOf }: Shared): Listen<TcpAddress> {
  const sources = { source, transcripts };
  const running = live ?? coldSource(sources, `ep_${newUlid(nowMs())}`);
  const routes = createRoutes({ sources, live: running, bus, identity, homeDir: homedir(), hasToken: token !== undefined, nowMs });
  const host = { live: running, token, heartbeatMs: limits.heartbeatMs, nowMs, log };
  // The libraries of each kind of listener are loaded for the first of its kind.
  return async (address) => (await import('./rest/serve-rest.js')).serveRest({ address, guard: guardOf(address), limits, routes, version: identity.version, nowMs, log, host });
}

function rpcListen({ source, threads, identity, nowMs, log }: ServerOptions, { limits, guardOf }: Shared): Listen<TcpAddress | UnixAddress> {
  const host = { reader: new ThreadReader(source, { live: threads }), describe: describeServer(identity), nowMs, log };
  return async (address) => (await import('./rpc/ws/serve-rpc.js')).serveRpc({ address, guard: guardOf(address), limits, host });
}

/** Starts to listen at every address. Rejects with a `ServerError` where one of them cannot be used; none stays open then. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  for (const address of options.addresses) checkToken(address, options.token);
  const around = shared(options);
  const rest = restListen(options, around);
  const rpc = rpcListen(options, around);
  const listen = (address: TcpAddress | UnixAddress): Promise<Listener> => (address.kind === 'http' ? rest(address) : rpc(address));
  const listeners: Listener[] = [];
  const stop = async (): Promise<void> => void await Promise.all(listeners.map((listener) => listener.stop()));
  try {
    for (const address of options.addresses) listeners.push(await listen(address));
  } catch (error) {
    await stop();
    throw error;
  }
  return { listeners, stop };
}
