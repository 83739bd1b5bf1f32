import { createFileSource } from '@tapefold/store';
import type { Turn } from '@tapefold/threads';
import type { AgentTranscriptSnapshot } from '@tapefold/transcript';
import { expect } from 'vitest';
import { folder } from '../../sockets.suite.js';
import { LiveServer, type TestClient, followSession, until } from '../hub/live-server.suite.js';
import { expectInStep, shown } from '../hub/recorded.suite.js';
import { CodexAdapter, type TracedLine } from './codex-adapter.suite.js';
import { type TracedThread, homeBefore } from './codex-traces.suite.js';
import { findAgent, foldedFile, readerOf } from './finished-files.suite.js';
import { RpcFollower } from './rpc-follower.suite.js';

/** What clients hold of a thread in the end, and what its finished files say. */
interface RunEnd<T> { readonly held: T; readonly cold: T }

export interface CodexRun {
  /** At the end of the trace, with what is open open; and when its recorder has left. */
  readonly running: RunEnd<AgentTranscriptSnapshot>;
  readonly settled: RunEnd<AgentTranscriptSnapshot>;
  /** As JSON-RPC has them. */
  readonly turns: RunEnd<readonly Turn[]>;
  /** Items whose text was seen on its way. */
  readonly streamed: number;
}

interface Watching { readonly server: LiveServer; readonly sessionId: string; readonly agentId: string; readonly clients: TestClient[]; readonly rpc: RpcFollower; readonly adapter: CodexAdapter }

/** Clients have what the hub has, as far as their grades go. */
async function inStep({ server, sessionId, agentId }: Watching, clients: readonly TestClient[]): Promise<AgentTranscriptSnapshot> {
  const { hasMoreOlder: _, ...all } = (await server.live.source.stateOf(sessionId, agentId))!.snapshot;
  for (const client of clients) await expectInStep(client, all, agentId);
  return shown(clients[0]!, agentId);
}

/** Texts of the running turn that a client shows: of messages and thoughts, and what a running command said last. */
function textsShown({ session }: TestClient, agentId: string): readonly string[] {
  const turns = session.state(agentId)!.synced.transcript.items.flatMap((item) => (item.kind === 'turn' ? [item] : []));
  const frames = turns.at(-1)?.steps.flatMap((step) => step.frames) ?? [];
  return frames.flatMap((frame) => (frame.kind === 'tool' ? frame.progress?.text ?? [] : frame.kind === 'notice' ? [] : frame.text));
}

/** Before an item is told as complete, clients show what was told of it by then, to the letter. Answers whether there was any. */
async function sawStream({ adapter, agentId, clients, rpc }: Watching, { msg: { method, params } }: TracedLine): Promise<boolean> {
  if (method !== 'item/completed') return false;
  const [turnId, { id }] = [String(params!['turnId']), params!['item'] as { readonly id: string }];
  const stream = adapter.streamed(turnId, id);
  if (!stream) return false;
  await until(`${JSON.stringify(stream.shown.slice(0, 200))} at a client`, () => textsShown(clients[0]!, agentId).includes(stream.shown));
  await until(`what deltas of ${id} told`, () => rpc.streamed(turnId, id) === stream.all);
  return true;
}

/** Publishes what a trace tells of a thread on the bus of a server whose clients follow it: transcripts at several grades, one from the middle on, and JSON-RPC. */
export async function runOf(thread: TracedThread): Promise<CodexRun> {
  const { threadId, lines } = thread;
  const path = homeBefore(thread, folder());
  const found = await findAgent(readerOf('codex', path), threadId);
  const { sessionId, agentId } = found;
  const head = await foldedFile(found);
  const server = new LiveServer(folder(), [{ program: 'codex', path }], { isHasty: true });
  await server.start();
  const follow = (grade: 'turn' | 'block' | 'delta'): TestClient => followSession(server, sessionId, grade);
  const clients = [follow('delta'), follow('block')];
  let rpc: RpcFollower | undefined;
  try {
    server.bus.publish(threadId, [{ type: 'begin', from: head.next }, { type: 'runs', turn: null }], 0);
    const adapter = new CodexAdapter(threadId, head);
    rpc = await RpcFollower.follow(server.rpcPort, threadId);
    await until('clients', () => clients.every(({ session }) => session.state(agentId)?.kind === 'live'));
    const watching: Watching = { server, sessionId, agentId, clients, rpc, adapter };
    let streamed = 0;
    for (const [i, line] of lines.entries()) {
      const said = adapter.take(line);
      if (await sawStream(watching, line)) streamed += 1;
      if (said.length > 0) expect(server.bus.publish(threadId, said, 0)).toBeUndefined();
      if (i === Math.floor(lines.length / 2)) clients.push(follow('turn'));
    }
    // Of text that is still on its way only those at grade `delta` know.
    const running = await inStep(watching, clients.slice(0, 1));
    server.bus.publish(threadId, [{ type: 'left' }], 0);
    const settled = await inStep(watching, clients);
    const finished = await foldedFile(await findAgent(readerOf('codex', thread.home), threadId));
    expect(server.failures).toEqual([]);
    return { running: { held: running, cold: finished.running }, settled: { held: settled, cold: finished.settled }, turns: await turnsOf(watching, thread), streamed };
  } finally {
    for (const { client } of clients) client.close();
    rpc?.close();
    await server.stop();
  }
}

/** A client that is told so reads anew, and has no turns any more that were taken back. */
async function turnsOf({ rpc, adapter }: Watching, { home, threadId }: TracedThread): Promise<RunEnd<readonly Turn[]>> {
  const held = (await rpc.turns()).filter(({ id }) => !adapter.takenBack.includes(id));
  expect(rpc.reverts > 0).toBe(adapter.takenBack.length > 0);
  const { turns, historyMode } = (await createFileSource([{ program: 'codex', path: home }]).read(threadId)).thread;
  return historyMode === 'legacy' ? { held: renamed(held, turns), cold: renamed(turns, held) } : { held, cold: turns };
}

/** Legacy threads number items anew when they are read: those of a turn that only one side calls so are named by what they are, and their order. */
function renamed(turns: readonly Turn[], others: readonly Turn[]): readonly Turn[] {
  return turns.map((turn) => {
    const shared = new Set(others.find(({ id }) => id === turn.id)?.items.map(({ id }) => id));
    const counts = new Map<string, number>();
    const own = (type: string): string => { counts.set(type, (counts.get(type) ?? 0) + 1); return `${type} ${counts.get(type)}`; };
    return { ...turn, items: turn.items.map((item) => (shared.has(item.id) ? item : { ...item, id: own(item.type) })) };
  });
}
