import { createNativePlayer } from '@tapefold/dialects';
import { createFileSource, createTranscriptReader } from '@tapefold/store';
import { type Recorder, type RecorderOptions, openTape } from '@tapefold/tapes';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FactBus } from '../../live/hub/fact-bus.js';
import { until } from '../../live/hub/live-server.suite.js';
import { type Json, Talk, bearer, folder, opened, portOf, started } from '../../sockets.suite.js';
import { LiveThreads } from './live-threads.js';

const threadId = '01a22b99-774f-7000-8000-000000000001';
const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => { for (const close of closing.splice(0).reverse()) await close(); });

interface Served { readonly port: number; readonly home: string; readonly bus: FactBus; readonly threads: LiveThreads; readonly failures: unknown[] }

/** A server over a home of native tapes; pauses are shorter than for people. */
async function served({ program = 'native' as 'native' | 'codex', home = folder() } = {}): Promise<Served> {
  const failures: unknown[] = [];
  const homes = [{ program, path: home }] as const;
  const source = createFileSource(homes);
  const schedule = (delayMs: number, run: () => void): (() => void) => { const timer = setTimeout(run, delayMs / 20); return () => clearTimeout(timer); };
  const bus = new FactBus({ files: { open: async () => undefined }, schedule, failed: (error) => void failures.push(error) });
  const transcripts = createTranscriptReader(source);
  const threads = new LiveThreads({ homes, source, transcripts, bus, nowMs: Date.now, schedule, failed: (error) => void failures.push(error) });
  closing.push(() => threads.close());
  const port = portOf(await started({ source, transcripts, threads }));
  return { port, home, bus, threads, failures };
}

class Client {
  private constructor(readonly talk: Talk, readonly socket: Awaited<ReturnType<typeof opened>>) {}
  static async of({ port }: Served, capabilities: Json = {}): Promise<Client> {
    const socket = await opened(`ws://127.0.0.1:${port}`, bearer());
    const client = new Client(new Talk(socket), socket);
    await client.talk.call({ id: 'hello', method: 'initialize', params: { clientInfo: { name: 'test', title: null, version: '1' }, capabilities: { experimentalApi: true, ...capabilities } } });
    return client;
  }

  #calls = 0;
  async call(method: string, params: Json = {}): Promise<Json> {
    this.#calls += 1;
    const { result, error } = await this.talk.call({ id: this.#calls, method, params });
    if (error) throw new Error(JSON.stringify(error));
    return result as Json;
  }

  get told(): readonly { readonly method: string; readonly params: Json; readonly emittedAtMs: number }[] {
    return this.talk.seen.filter(({ method }) => typeof method === 'string') as never;
  }

  /** What was told, in short words. */
  get words(): string[] { return this.told.map(({ method, params }) => wordOf(method, params)); }
  hears(word: string): Promise<void> { return until(`${word} among ${JSON.stringify(this.words)}`, () => this.words.includes(word)); }
}

function wordOf(method: string, params: Json): string {
  const { status, turn, item, delta } = params as { status?: { type: string; activeFlags?: string[] }; turn?: { status: string; items: { text: string }[] }; item?: { type: string; text?: string; status?: string }; delta?: string };
  if (status) return `status ${[status.type, ...status.activeFlags ?? []].join(' ')}`;
  if (turn) return `${method} ${[turn.status, ...turn.items.map(({ text }) => text)].join(' ')}`;
  if (item) return `${method} ${[item.type, item.text ?? item.status].filter((word) => word !== undefined).join(' ')}`;
  return delta === undefined ? method : `${method} ${delta}`;
}

async function recording({ home, bus }: Served, options: Partial<RecorderOptions> = {}): Promise<Recorder> {
  const { start, ...sinks } = bus.sinks(options.threadId ?? threadId);
  const tape = await openTape({ home, threadId, createPlayer: createNativePlayer, agent: { name: 'test' }, ...sinks, ...options });
  if (!('onFact' in options)) start(tape);
  closing.push(() => tape.close());
  return tape;
}

const statusIn = ({ thread }: Json): unknown => (thread as Json)['status'];

describe('live threads over JSON-RPC', () => {
  it('[R-RPC-1] [R-LIVE-1] a client that asked for a thread is told all that happens in it; one that did not, that it runs; opted-out methods nobody', async () => {
    const all = await served();
    const tape = await recording(all);
    tape.turn('first').end();
    const [reader, idle, quiet] = [await Client.of(all), await Client.of(all), await Client.of(all, { optOutNotificationMethods: ['item/agentMessage/delta', 'thread/status/changed'] })];
    for (const client of [reader, quiet]) expect(statusIn(await client.call('thread/read', { threadId }))).toEqual({ type: 'idle' });
    const turn = tape.turn('say it');
    const step = turn.step();
    const message = step.message();
    message.delta('Hel');
    message.delta('lo');
    await reader.hears('item/agentMessage/delta lo');
    expect(reader.words.some((word) => word.startsWith('item/completed agentMessage'))).toBe(false);
    await message.complete({ text: 'Hello', barrier: true });
    step.end({ usage: { inputTokens: 3, outputTokens: 2 } });
    turn.end();
    await reader.hears('turn/completed completed Hello');
    expect(reader.words).toEqual([
      'status active', 'turn/started inProgress', 'item/started userMessage', 'item/completed userMessage', 'item/started agentMessage ', 'item/agentMessage/delta Hel', 'item/agentMessage/delta lo', 'item/completed agentMessage Hello',
      'thread/tokenUsage/updated', 'status idle', 'turn/completed completed Hello',
    ]);
    await idle.hears('status idle');
    expect(idle.words).toEqual(['status active', 'status idle']);
    await quiet.hears('turn/completed completed Hello');
    expect(quiet.words.filter((word) => word.startsWith('status') || word.includes('delta'))).toEqual([]);
    expect(quiet.words).toContain('item/completed agentMessage Hello');
    // What was told is what is read.
    const told = reader.told.filter(({ method }) => method === 'item/completed').at(-1)!.params['item'];
    const { data } = await reader.call('thread/items/list', { threadId, sortDirection: 'desc', limit: 1 });
    expect((data as Json[])[0]!['item']).toEqual(told);
    expect(all.failures).toEqual([]);
  });

  it('[R-RPC-1] status and running turn are the same in reads, lists and notifications, with what is waited for', async () => {
    const all = await served();
    const tape = await recording(all);
    const client = await Client.of(all);
    const read = async (): Promise<unknown[]> => {
      const { thread } = await client.call('thread/read', { threadId, includeTurns: true });
      const { data } = await client.call('thread/list', { modelProviders: [] });
      const { data: loaded } = await client.call('thread/loaded/list', {});
      const turns = (await client.call('thread/turns/list', { threadId, itemsView: 'full' }))['data'] as Json[];
      expect(turns[0]).toEqual(((thread as Json)['turns'] as Json[]).at(-1));
      return [statusIn({ thread }), (data as Json[])[0]!['status'], loaded, turns[0]!['status'], (turns[0]!['items'] as Json[]).map(({ type, status }) => [type, status ?? ''])];
    };
    const turn = tape.turn('do it');
    const step = turn.step();
    const call = step.call({ name: 'run', input: {}, body: { kind: 'command', command: 'ls', source: 'agent', status: 'running', actions: [] } });
    const running = [['userMessage', ''], ['commandExecution', 'inProgress']];
    expect(await read()).toEqual([{ type: 'active', activeFlags: [] }, { type: 'active', activeFlags: [] }, [threadId], 'inProgress', running]);
    const approval = turn.interaction({ kind: 'approval', request: {}, call: call.callId });
    const waiting = { type: 'active', activeFlags: ['waitingOnApproval'] };
    await client.hears('status active waitingOnApproval');
    expect(await read()).toEqual([waiting, waiting, [threadId], 'inProgress', running]);
    approval.resolve('approved');
    const question = turn.interaction({ kind: 'question', request: {} });
    await client.hears('status active waitingOnUserInput');
    question.resolve('answered');
    call.delta('a.txt\n');
    await client.hears('item/commandExecution/outputDelta a.txt\n');
    await call.complete({ output: 'a.txt\n' });
    turn.end({ status: 'failed', error: { message: 'no' } });
    await client.hears('status systemError');
    await client.hears('turn/completed failed');
    expect((await read()).slice(0, 4)).toEqual([{ type: 'systemError' }, { type: 'systemError' }, [threadId], 'failed']);
    all.bus.left(threadId);
    await tape.close();
    await client.hears('status notLoaded');
    expect((await read()).slice(0, 4)).toEqual([{ type: 'notLoaded' }, { type: 'notLoaded' }, [], 'failed']);
    expect(client.words.filter((word) => word.startsWith('status'))).toEqual(['status active waitingOnApproval', 'status active', 'status active waitingOnUserInput', 'status active', 'status systemError', 'status notLoaded']);
  });

  it('[R-LIVE-1] a turn whose process died is over: told, and read', async () => {
    const all = await served();
    const tape = await recording(all, { onFact: undefined, onDelta: undefined, onDropped: undefined });
    const client = await Client.of(all);
    tape.turn('never ends').step().message().delta('half');
    expect(statusIn(await client.call('thread/read', { threadId }))).toEqual({ type: 'active', activeFlags: [] });
    // As a killed process leaves it: the turn is open, and nobody holds the lock.
    await tape.close();
    await client.hears('status notLoaded');
    expect(client.words.slice(-2)).toEqual(['status notLoaded', 'turn/completed interrupted']);
    const { data } = await client.call('thread/turns/list', { threadId });
    expect((data as Json[]).map(({ status }) => status)).toEqual(['interrupted']);
    const again = await recording(all);
    const { thread } = await client.call('thread/read', { threadId, includeTurns: true });
    expect([statusIn({ thread }), ((thread as Json)['turns'] as Json[]).map(({ status }) => status)]).toEqual([{ type: 'idle' }, ['interrupted']]);
    again.turn('and on').end();
    await client.hears('turn/completed completed');
  });

  it('[R-RPC-1] a thread that begins is told to every client, and what is written to it by another process to those that read it', async () => {
    const all = await served({ program: 'codex' });
    const client = await Client.of(all);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    const path = join(all.home, 'sessions/2026/11/30', `rollout-2026-11-30T10-00-00-${threadId}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const line = (type: string, payload: Json, ordinal: number): string => `${JSON.stringify({ timestamp: new Date().toISOString(), ordinal, type, payload })}\n`;
    const item = (id: string, text: string, ordinal: number): string => line('event_msg', { type: 'item_completed', thread_id: threadId, turn_id: 'turn-1', item: { type: 'AgentMessage', id, content: [{ type: 'Text', text }] }, completed_at_ms: 1 }, ordinal);
    writeFileSync(path, line('session_meta', { id: threadId, timestamp: new Date().toISOString(), cwd: '/w', originator: 'x', cli_version: '0.171.0', source: 'cli', history_mode: 'paginated' }, 0) + line('event_msg', { type: 'task_started', turn_id: 'turn-1' }, 1));
    await client.hears('status active');
    expect(client.words.slice(0, 2)).toEqual(['thread/started', 'status active']);
    expect(client.told[0]!.params['thread']).toMatchObject({ id: threadId, status: { type: 'idle' }, turns: [] });
    await client.call('thread/read', { threadId });
    appendFileSync(path, item('msg_1', 'one', 2));
    await client.hears('item/completed agentMessage one');
    appendFileSync(path, item('msg_2', 'two', 3) + line('event_msg', { type: 'task_complete', turn_id: 'turn-1', last_agent_message: 'two' }, 4));
    await client.hears('turn/completed completed two');
    expect(all.failures).toEqual([]);
  });

  it('[R-RPC-1] an old thread goes on, or goes back in another file: whoever read it misses nothing', async () => {
    const all = await served({ program: 'codex' });
    const old = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();
    const line = (at: string, type: string, [payload, ordinal]: [Json, number]): string => `${JSON.stringify({ timestamp: at, ordinal, type, payload })}\n`;
    const meta = (at: string, more: Json = {}): string => line(at, 'session_meta', [{ id: threadId, timestamp: at, cwd: '/w', originator: 'x', cli_version: '0.171.0', source: 'cli', history_mode: 'paginated', ...more }, 0]);
    const turnOf = (id: string, at: string, from: number): string => line(at, 'event_msg', [{ type: 'task_started', turn_id: id }, from])
      + line(at, 'event_msg', [{ type: 'item_completed', thread_id: threadId, turn_id: id, item: { type: 'AgentMessage', id: `msg_${id}`, content: [{ type: 'Text', text: `said in ${id}` }] }, completed_at_ms: 1 }, from + 1])
      + line(at, 'event_msg', [{ type: 'task_complete', turn_id: id, last_agent_message: 'x' }, from + 2]);
    const folderOf = join(all.home, 'sessions/2026/01/01');
    mkdirSync(folderOf, { recursive: true });
    const path = join(folderOf, `rollout-2026-01-01T10-00-00-${threadId}.jsonl`);
    writeFileSync(path, meta(old(0)) + turnOf('a', old(1), 1));
    const client = await Client.of(all);
    expect(statusIn(await client.call('thread/read', { threadId }))).toEqual({ type: 'notLoaded' });
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    expect(client.words).toEqual([]);
    appendFileSync(path, turnOf('b', new Date().toISOString(), 4) + turnOf('c', new Date().toISOString(), 7));
    await client.hears('turn/completed completed said in c');
    expect(client.words).toEqual(['b', 'c'].flatMap((id) => ['status active', 'turn/started inProgress', 'item/started agentMessage ', `item/completed agentMessage said in ${id}`, 'status idle', `turn/completed completed said in ${id}`]));
    writeFileSync(join(folderOf, `rollout-2026-01-01T11-00-00-${threadId}_01a22b99-774f-7000-8000-0000000000aa.jsonl`), meta(new Date().toISOString(), { history_base: { thread_id: threadId, end_ordinal_exclusive: 4, end_byte_offset: (meta(old(0)) + turnOf('a', old(1), 1)).length } }));
    await client.hears('thread/reverted');
    expect(((await client.call('thread/turns/list', { threadId }))['data'] as Json[]).map(({ id }) => id)).toEqual(['a']);
  });

  it('[R-RPC-4] spoken words pass through, and no read has them', async () => {
    const all = await served();
    const tape = await recording(all);
    tape.turn('talk').end();
    const client = await Client.of(all);
    await client.call('thread/read', { threadId });
    all.bus.caption(threadId, { role: 'user', text: 'hel', isDone: false });
    all.bus.caption(threadId, { role: 'user', text: 'hello there', isDone: true });
    await client.hears('thread/realtime/transcript/done');
    expect(client.told.slice(-2).map(({ method, params }) => [method, params])).toEqual([
      ['thread/realtime/transcript/delta', { threadId, role: 'user', delta: 'hel' }], ['thread/realtime/transcript/done', { threadId, role: 'user', text: 'hello there' }],
    ]);
    for (const [method, params] of [['thread/read', { includeTurns: true }], ['thread/items/list', {}], ['thread/timeline/list', {}]] as const) expect(JSON.stringify(await client.call(method, { threadId, ...params })), method).not.toContain('hello there');
  });

  it('[R-THR-4] turns that are taken back are told: what a client has is to be read anew', async () => {
    const all = await served();
    const tape = await recording(all);
    const client = await Client.of(all);
    tape.turn('one').end();
    await client.call('thread/read', { threadId });
    tape.undo();
    await client.hears('thread/reverted');
  });

  it('[R-LIVE-3] a client that does not read loses deltas first and holds up nobody; what it appended is whole', async () => {
    const all = await served();
    const tape = await recording(all);
    tape.turn('first').end();
    const [slow, quick] = [await Client.of(all), await Client.of(all)];
    for (const client of [slow, quick]) await client.call('thread/read', { threadId });
    slow.socket.pause();
    const turn = tape.turn('a lot');
    const message = turn.step().message();
    const piece = 'x'.repeat(10_000);
    for (let i = 0; i < 2_000; i += 1) {
      message.delta(piece);
      if (i % 50 === 0) await new Promise((resolve) => { setImmediate(resolve); });
    }
    await message.complete({ text: 'short' });
    turn.end();
    await quick.hears('turn/completed completed short');
    const deltas = (client: Client): number => client.words.filter((word) => word.startsWith('item/agentMessage/delta')).length;
    expect(deltas(quick)).toBeGreaterThan(0);
    slow.socket.resume();
    await slow.hears('turn/completed completed short');
    expect(deltas(slow)).toBeLessThan(2_000);
    expect(slow.words.filter((word) => !word.startsWith('item/agentMessage/delta'))).toEqual(quick.words.filter((word) => !word.startsWith('item/agentMessage/delta')));
  });
});
