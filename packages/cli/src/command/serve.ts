import { type Listener, type ListenAddress, type RunningServer, type ServerIdentity, type TcpAddress, type UnixAddress, LiveThreads, createLive, isLoopback, loadToken, parseListenUrl, practiseRows, serveStdio, startServer } from '@tapefold/server';
import { StoreError, createFileSource, createStoreSource, createTranscriptReader, openLiveLog, startIndexing } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, UsageError } from '../exit.js';
import { samplesHomes } from '../homes.js';
import { stateFolder } from '../state-folder.js';
import type { Terminal } from '../terminal.js';
import { version } from '../version.js';
import type { Command, Session } from './session.js';
import { ToldProblems, troubleText } from './told-problems.js';

/** `tapefold serve` as typed. */
export interface ServeOptions {
  /** Where to listen; standard input and output where nothing is named. */
  readonly listen?: readonly string[] | undefined;
  readonly tokenFile?: string | undefined;
  /** False: `--no-auth`. */
  readonly auth?: boolean | undefined;
  readonly allowHost?: readonly string[] | undefined;
}

type SocketAddress = TcpAddress | UnixAddress;

const isSocket = (address: ListenAddress): address is SocketAddress => address.kind !== 'stdio';

interface Told { readonly token?: string; readonly file?: string }

/** The token that TCP clients show; its file is made where it is missing. */
function tokenOf({ tokenFile, auth }: ServeOptions, addresses: readonly SocketAddress[], surroundings: Session['surroundings']): Told {
  const hasTcp = addresses.some(({ kind }) => kind !== 'unix');
  if (auth === false && tokenFile !== undefined) throw new UsageError('--no-auth and --token-file exclude each other: leave one of them out.');
  if (!hasTcp || auth === false) return {};
  const file = tokenFile === undefined ? join(stateFolder(surroundings), 'server.token') : resolve(surroundings.cwd, tokenFile);
  return { token: loadToken(file), file };
}

/** What somebody who starts a server wants to know of a listener. */
function announce({ address, url }: Listener, { token, file }: Told, terminal: Terminal): void {
  if (address.kind === 'unix') return terminal.note(`listening at ${url} (JSON-RPC; only for you)`);
  const what = address.kind === 'ws' ? 'JSON-RPC' : 'REST';
  if (token === undefined) terminal.note(`listening at ${url} (${what}), WITHOUT A TOKEN: every user and program of this machine can read these sessions`);
  // Pages take the token from behind the sign, which browsers send to nobody.
  else terminal.note(`listening at ${url}${address.kind === 'http' ? `/#token=${token}` : ''} (${what}; the token is in ${file ?? ''})`);
  if (!isLoopback(address.host)) terminal.note(`${url} can be reached from other machines, and nothing is encrypted on the way: put a proxy with TLS in front of it`);
}

/** Runs until every listener has ended: standard input at its end, sockets when the process is asked to stop. */
async function untilStopped(server: RunningServer, { surroundings, terminal }: Session): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      terminal.note('stopping: what was asked is still answered; once more stops at once');
      resolve();
    };
    surroundings.onStop?.(stop);
  });
  await server.stop();
}

type Shared = Pick<Parameters<typeof serveStdio>[0], 'source' | 'identity' | 'nowMs' | 'log'>;

/** Listens at every address, and runs until all have ended. */
async function serveAll(session: Session, { options, addresses, shared }: { readonly options: ServeOptions; readonly addresses: readonly ListenAddress[]; readonly shared: Shared }): Promise<void> {
  const { homes, surroundings, terminal } = session;
  const running: Promise<void>[] = [];
  const sockets = addresses.filter(isSocket);
  const transcripts = createTranscriptReader(shared.source);
  const around = { homes, source: shared.source, transcripts, nowMs: surroundings.nowMs, failed: (error: unknown) => terminal.note(`live transcripts: ${error instanceof Error ? error.message : String(error)}`) };
  const live = sockets.length > 0 ? createLive({ ...around, log: openLiveLog(join(stateFolder(surroundings), 'live.sqlite')) }) : undefined;
  const threads = new LiveThreads({ ...around, bus: live?.bus });
  try {
    if (live) {
      const told = tokenOf(options, sockets, surroundings);
      const server = await startServer({ ...shared, transcripts, live: live.source, bus: live.bus, threads, addresses: sockets, token: told.token, allowedHosts: options.allowHost });
      for (const listener of server.listeners) announce(listener, told, terminal);
      running.push(untilStopped(server, session).then(() => live.close()));
    }
    if (addresses.some(({ kind }) => kind === 'stdio')) {
      const { input, output } = surroundings;
      if (!input) throw new Error('serve needs an input');
      running.push(serveStdio({ ...shared, threads, practice: () => createFileSource(samplesHomes().filter(({ program }) => program === 'codex')), input: input(), output }));
    }
    await Promise.all(running);
  } finally {
    threads.close();
  }
}

/** Answers until the input ends, or until it is asked to stop. Only messages go to standard output; what there is to say besides goes to standard error. */
export const serve: Command<ServeOptions> = async (session, options) => {
  const { homes, surroundings, terminal } = session;
  const defaultSocket = join(stateFolder(surroundings), 'server.sock');
  const addresses = (options.listen ?? ['stdio://']).map((url) => parseListenUrl(url, { cwd: surroundings.cwd, defaultSocket }));
  const missing = homes.find(({ path }) => !existsSync(path));
  if (missing) throw new StoreError('homeNotFound', { path: missing.path });
  const { path: home } = homes.find(({ program }) => program === 'codex') ?? homes[0];
  const identity: ServerIdentity = { version: version(), home, platform: process.platform, arch: process.arch };
  const store = session.madeIndex();
  let practice: Promise<void> | undefined;
  const told = new ToldProblems();
  const source = store ? createStoreSource({ homes, store, isFollowed: true }) : createFileSource(homes);
  const indexing = store && startIndexing({ path: store.path, homes, isWatching: true, isFresh: false }, {
    onPass: (result) => {
      practice ??= practiseRows(source);
      for (const sentence of told.fresh(result)) terminal.note(sentence);
    },
    onTrouble: (error) => terminal.note(troubleText(error)),
  });
  // Who serves reads on without it: what it cannot do now, the next one does.
  indexing?.done.catch((error: unknown) => terminal.note(error instanceof Error ? error.message : String(error)));
  const shared = { source, identity, nowMs: surroundings.nowMs, log: (text: string) => terminal.note(text) };
  try {
    await serveAll(session, { options, addresses, shared });
  } finally {
    // Also where an address cannot be used: its thread would keep the process.
    indexing?.stop();
    await indexing?.done.catch(() => undefined);
    await practice;
  }
  return EXIT.ok;
};
