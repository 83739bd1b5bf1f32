import { type FollowedSession, type TranscriptClient, type TranscriptTransport, createTranscriptClient } from '@tapefold/client';
import { type HomeRef, type LiveLog, createFileSource, createTranscriptReader, openLiveLog } from '@tapefold/store';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { TcpAddress } from '../../listen/listen-url.js';
import { LiveThreads } from '../../rpc/live/live-threads.js';
import { type RunningServer, startServer } from '../../start-server.js';
import { type Live, createLive } from './create-live.js';
import type { FactBus } from './fact-bus.js';

/** `pages`: how far the live log may grow. `isHasty`: its clock runs so fast that nothing waits to be sent together. */
interface LiveServerOptions { readonly pages?: number; readonly isHasty?: boolean }

/** A server with a hub, over real sockets; it can be stopped, killed and started again over the same folder. */
export class LiveServer {
  live!: Live;
  port = 0;
  /** Where JSON-RPC is spoken; another one after each start. */
  rpcPort = 0;
  readonly failures: unknown[] = [];
  #threads: LiveThreads | undefined;
  #server: RunningServer | undefined;
  #log: LiveLog | undefined;

  constructor(private readonly folder: string, private readonly homes: readonly [HomeRef, ...HomeRef[]], private readonly options: LiveServerOptions = {}) {}

  async start(): Promise<void> {
    const source = createFileSource(this.homes);
    const transcripts = createTranscriptReader(source);
    const { pages, isHasty = false } = this.options;
    const log = openLiveLog(join(this.folder, 'live.sqlite'), { maxPages: pages });
    // What a killed server still says counts for nothing.
    const failed = (error: unknown): void => { if (this.#log === log) this.failures.push(error); };
    this.#log = log;
    let hastyMs = Date.now();
    this.live = createLive({ homes: this.homes, source, transcripts, log, nowMs: isHasty ? () => (hastyMs += 100) : Date.now, failed });
    this.#threads = new LiveThreads({ homes: this.homes, source, transcripts, bus: this.live.bus, nowMs: Date.now, failed });
    this.#server = await startServer({
      source, transcripts, live: this.live.source, bus: this.live.bus, threads: this.#threads, identity: { version: '1.2.3', home: this.homes[0].path, platform: 'linux', arch: 'x64' },
      addresses: [{ kind: 'http', host: '127.0.0.1', port: this.port }, { kind: 'ws', host: '127.0.0.1', port: 0 }], token: undefined, nowMs: Date.now, log: () => undefined,
    });
    [this.port, this.rpcPort] = this.#server.listeners.map(({ address }) => (address as TcpAddress).port) as [number, number];
  }

  /** A clean stop. */
  async stop(): Promise<void> {
    this.#threads?.close();
    await this.live.close();
    this.#log = undefined;
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Where recorders publish. */
  get bus(): FactBus { return this.live.bus; }

  /** As a killed process: nothing is written down that was not. */
  async kill(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    log?.close();
    this.#threads?.close();
    await this.#server?.stop();
    // Only so that it watches no files any more: it can write nothing down.
    await this.live.close().catch(() => undefined);
    this.#server = undefined;
  }
}

/** Longest pause between two tries of a client, in milliseconds. */
const LONGEST_PAUSE_MS = 10_000;

/** A transport over real sockets that can be cut, and that a test may slow down. */
export class TestTransport implements TranscriptTransport {
  /** Frames that arrived. */
  frames = 0;
  #sockets = new Set<WebSocket>();
  constructor(private readonly port: () => number) {}

  connect(events: Parameters<TranscriptTransport['connect']>[0]): ReturnType<TranscriptTransport['connect']> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port()}/api/v1/ws`);
    this.#sockets.add(socket);
    socket.on('open', () => events.opened());
    socket.on('message', (data: Buffer) => { this.frames += 1; events.frame(data.toString('utf8')); });
    socket.on('error', () => undefined);
    socket.on('close', () => { this.#sockets.delete(socket); events.closed('closed'); });
    return { send: (text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); }, close: () => socket.close() };
  }

  async get(path: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.port()}/api/v1${path}`);
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown };
    if (code !== 0) throw new Error(msg);
    return data;
  }

  /** Tries come quicker than a person would wait; a server may be silent for as long as it said. */
  schedule(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, delayMs > LONGEST_PAUSE_MS ? delayMs : Math.min(delayMs, 20));
    timer.unref();
    return () => clearTimeout(timer);
  }

  /** The line is cut. */
  cut(): void { for (const socket of this.#sockets) socket.terminate(); }
  /** The reader stops reading; what is sent piles up on the other side. One that reads again hears of the end of a connection, too. */
  pause(isPaused: boolean): void { for (const socket of this.#sockets) if (isPaused && socket.readyState === WebSocket.OPEN) socket.pause(); else if (!isPaused && socket.isPaused) socket.resume(); }
}

export interface TestClient { readonly client: TranscriptClient; readonly transport: TestTransport; readonly session: FollowedSession }

/** Follows a session: its agent by name, and all others. */
export function followSession(server: Pick<LiveServer, 'port'>, sessionId: string, grade: 'turn' | 'block' | 'delta'): TestClient {
  return followAgents(server, sessionId, { grade, agents: ['main'] });
}

/** `agents`: those that are followed by name; all others are, too. */
export function followAgents(server: Pick<LiveServer, 'port'>, sessionId: string, { grade, agents }: { readonly grade: 'turn' | 'block' | 'delta'; readonly agents: readonly string[] }): TestClient {
  const transport = new TestTransport(() => server.port);
  const client = createTranscriptClient({ transport, clientId: 'test' });
  return { client, transport, session: client.follow(sessionId, { '*': grade, ...Object.fromEntries(agents.map((agentId) => [agentId, grade])) }) };
}

/** Waits until something holds, looked at after each turn of the event loop that brings news; fails with what it waits for after ten seconds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const endsAt = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > endsAt) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
