import { createNativePlayer } from '@tapefold/dialects';
import type { Fact, Published, TextDelta } from '@tapefold/facts';
import { openTape } from '@tapefold/tapes';
import { TranscriptFold } from '@tapefold/transcript/fold';
import { afterEach, describe, expect, it } from 'vitest';
import { INGEST_BYTES } from '../limits.js';
import { LiveServer, type TestClient, followSession, until } from '../live/hub/live-server.suite.js';
import { type Answer, TOKEN, bearer, folder, http, raw, startedRest, untilClosed } from '../sockets.suite.js';
import { createLive } from '../live/hub/create-live.js';
import { createFileSource, createTranscriptReader, openLiveLog } from '@tapefold/store';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const threadId = '01a22b99-774f-7000-8000-000000000001';
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => { for (const close of closing.splice(0).reverse()) await close(); });

/** A server whose home has no tape of the thread, so that all that its readers know came by ingest. */
async function startedLive(home = folder()): Promise<LiveServer> {
  const server = new LiveServer(folder(), [{ program: 'native', path: home }]);
  await server.start();
  closing.push(() => server.stop());
  return server;
}

const lines = (records: readonly (Published | string)[]): string => records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');
const type = { 'content-type': 'application/x-ndjson' };

interface Posted { readonly status: number; readonly answer: Answer }
async function post(port: number, body: string, { id = threadId, headers = type }: { readonly id?: string; readonly headers?: Record<string, string> } = {}): Promise<Posted> {
  const { status, body: text } = await http({ port, method: 'POST', path: `/api/v1/ingest?thread_id=${id}`, headers }, body);
  return { status, answer: JSON.parse(text) as Answer };
}

interface Recorded { readonly facts: readonly Fact[]; readonly delta: TextDelta; readonly before: number; readonly text: string }

/** Facts of a turn as a recorder tells them: up to its open message, and the rest of it. */
async function recorded(options: { readonly parent?: string; readonly id?: string } = {}): Promise<Recorded> {
  const facts: Fact[] = [];
  let delta: TextDelta | undefined;
  const tape = await openTape({
    home: folder(), threadId: options.id ?? threadId, createPlayer: createNativePlayer, agent: { name: 'test' }, parent: options.parent === undefined ? undefined : { threadId: options.parent },
    onFact: (fact) => void facts.push(fact), onDelta: (told) => { delta ??= told; },
  });
  const turn = tape.turn('say it');
  const message = turn.step().message();
  message.delta('Hel');
  const before = facts.length;
  await message.complete({ text: 'Hello' });
  turn.end();
  await tape.close();
  return { facts, delta: delta!, before, text: 'Hello' };
}

const factLines = (facts: readonly Fact[]): Published[] => facts.map((fact) => ({ type: 'fact', fact }));
const itemsOf = ({ session }: TestClient, agentId = 'main'): unknown => [...session.state(agentId)?.synced.transcript.items ?? []];
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
function folded(facts: readonly Fact[]): unknown {
  const fold = new TranscriptFold({ sessionId: threadId });
  for (const fact of facts) fold.load(fact);
  return plain(fold.snapshot().items);
}

function follow(server: LiveServer, grade: 'block' | 'delta' = 'delta', id = threadId): TestClient {
  const client = followSession(server, id, grade);
  closing.push(() => client.client.close());
  return client;
}

describe('POST /ingest', () => {
  it('[R-LIVE-1] [R-OPS-8] facts and text on their way reach who follows; the end is the cold fold', async () => {
    const server = await startedLive();
    const { facts, delta, before } = await recorded();
    expect((await post(server.port, lines([{ type: 'begin', from: 0 }, ...factLines(facts.slice(0, before))]))).answer).toMatchObject({ code: 0, msg: 'success', data: { session_id: threadId, next_ordinal: before } });
    const client = follow(server);
    await until('the baseline', () => itemsOf(client) instanceof Array && (itemsOf(client) as unknown[]).length > 0);
    await post(server.port, lines([{ type: 'delta', delta }]));
    await until('the delta', () => JSON.stringify(itemsOf(client)).includes('"Hel"'));
    expect((await post(server.port, lines(factLines(facts.slice(before))))).answer.data).toMatchObject({ next_ordinal: facts.length });
    await until('the end', () => JSON.stringify(itemsOf(client)).includes('"Hello"') && !JSON.stringify(itemsOf(client)).includes('"running"'));
    expect(plain(itemsOf(client))).toEqual(folded(facts));
    // No file has it, and REST answers all the same while it is followed.
    const page = JSON.parse((await http({ port: server.port, path: `/api/v1/sessions/${threadId}/transcript?agent_id=main` })).body) as Answer;
    expect(page.data).toMatchObject({ items: folded(facts), agents: [{ agentId: 'main', type: 'main' }], seq: expect.any(Number) });
    expect(server.failures).toEqual([]);
  });

  it('[R-LIVE-1] what was sent before is passed over, in whole and in part; a hole takes nothing and says what comes next', async () => {
    const server = await startedLive();
    const { facts } = await recorded();
    const all = factLines(facts);
    expect((await post(server.port, lines(all.slice(0, 4)))).answer.data).toMatchObject({ next_ordinal: 4 });
    expect((await post(server.port, lines(all.slice(0, 4)))).answer.data).toMatchObject({ next_ordinal: 4 });
    expect((await post(server.port, lines(all.slice(2, 6)))).answer.data).toMatchObject({ next_ordinal: 6 });
    for (const wrong of [all.slice(7), [...all.slice(6, 7), ...all.slice(8)], [...all.slice(0, 3), ...all.slice(9)]]) {
      const { status, answer } = await post(server.port, lines(wrong));
      expect([status, answer.code, answer.data]).toEqual([200, 40931, { next_ordinal: 6 }]);
      expect(answer.msg).toMatch(/^line \d+, fact\.ordinal: the next fact is [67], and this one is \d+: send those from [67] on$/);
    }
    expect((await post(server.port, '')).answer.data).toMatchObject({ next_ordinal: 6 });
    expect((await post(server.port, lines(all))).answer.data).toMatchObject({ next_ordinal: all.length });
    const other = factLines(facts.map((fact) => ({ ...fact, tape: 'native/other', ordinal: fact.ordinal + all.length })));
    expect((await post(server.port, lines(other.slice(0, 1)))).answer).toMatchObject({ code: 40001, msg: `line 1, fact.tape: the facts before it are of the tape native/${threadId}` });
  });

  it('[R-LIVE-1] a thread may begin in its middle only where its tape lies in a home', async () => {
    const home = folder();
    const server = await startedLive(home);
    const { facts } = await recorded();
    const begun = lines([{ type: 'begin', from: 3 }, ...factLines(facts.slice(3))]);
    expect((await post(server.port, begun)).answer).toMatchObject({ code: 40931, data: { next_ordinal: 0 } });
    const tape = await openTape({ home, threadId, createPlayer: createNativePlayer, agent: { name: 'test' } });
    await tape.close();
    expect((await post(server.port, begun)).answer).toMatchObject({ code: 0, data: { next_ordinal: facts.length } });
  });

  it('[R-RPC-3] garbage is refused with its line and field, takes nothing with it, and harms nobody', async () => {
    const server = await startedLive();
    const { facts, delta } = await recorded();
    const [first] = factLines(facts);
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
    const garbage: [string, string][] = [
      ['{', 'line 2: it is not JSON'], ['7', 'line 2: '], ['null', 'line 2: '], ['[]', 'line 2: '], ['{"type":"fact"}', 'line 2, fact'], ['{"type":"nope"}', 'line 2, type: '], ['{"type":"begin","from":-1}', 'line 2, from: '],
      [JSON.stringify({ type: 'fact', fact: { ...facts[1], type: 'tomorrow' } }), 'line 2, fact.type: '], [JSON.stringify({ type: 'fact', fact: { ...facts[1], ordinal: 1.5 } }), 'line 2, fact.ordinal: '],
      [JSON.stringify({ type: 'delta', delta: { ...delta, turn: 'x' } }), 'line 2, delta.turn: '], [JSON.stringify({ type: 'delta', delta: { ...delta, offset: -1 } }), 'line 2, delta.offset: '],
      [JSON.stringify({ type: 'fact', fact: { ...facts[1], type: 'notice.posted', level: 'loud', code: '', text: '' } }), 'line 2, fact.level: '], [`{"type":"fact","fact":${deep}}`, 'line 2: it nests too deep'], ['{"type":"begin","from":1e999}', 'line 2: it is not JSON'],
    ];
    for (const [text, msg] of garbage) {
      const { status, answer } = await post(server.port, lines([first!, text]));
      expect([status, answer.code, answer.data, answer.msg.slice(0, msg.length)], text.slice(0, 80)).toEqual([200, 40001, null, msg]);
      expect(answer.details, text.slice(0, 80)).toHaveLength(1);
    }
    const bytes = await http({ port: server.port, method: 'POST', path: `/api/v1/ingest?thread_id=${threadId}`, headers: type }, Buffer.concat([Buffer.from(`${JSON.stringify(first)}\n\n"`), Buffer.from([0xff, 0x22])]));
    expect(JSON.parse(bytes.body)).toMatchObject({ code: 40001, msg: 'line 3: it is not UTF-8' });
    expect(server.bus.nextOrdinal(threadId)).toBe(0);
    for (const id of ['', '..', '.x', 'a/b', 'x'.repeat(129), '%2e%2e', 'a%00b']) expect((await post(server.port, '', { id })).answer.code, id).toBe(40001);
    expect((await post(server.port, lines(factLines(facts)))).answer.code).toBe(0);
    expect(server.failures).toEqual([]);
  });

  it('[R-LIVE-1] facts that say anything at all in any order leave the session readable', async () => {
    const server = await startedLive();
    const { facts, delta, before } = await recorded();
    const strange = facts.map((fact, i): Fact => ({ ...(facts[(i * 7) % facts.length] as Fact), ordinal: i }));
    await post(server.port, lines([...factLines(strange), { type: 'delta', delta: { ...delta, turn: 'x/y#3', offset: 1e9 } }, { type: 'dropped', dropped: { turn: 'x/y#3', item: 'z' } }, { type: 'runs', turn: 'x#9' }]));
    const client = follow(server);
    await until('an answer', () => client.session.state('main')?.kind === 'live');
    await post(server.port, lines([{ type: 'begin', from: 0 }, ...factLines(facts)]));
    await until('the other story', () => isDeepStrictEqual(plain(itemsOf(client)), folded(facts)));
    expect([server.failures, before > 0]).toEqual([[], true]);
  });

  it('[R-SEC-1] only who has the token may, no page, no form, nothing but POST, and not more than fits', async () => {
    const home = folder();
    const source = createFileSource([{ program: 'native', path: home }]);
    const transcripts = createTranscriptReader(source);
    const live = createLive({ homes: [], source, transcripts, log: openLiveLog(join(folder(), 'live.sqlite')), nowMs: Date.now, failed: () => undefined });
    closing.push(() => live.close());
    const { port } = await startedRest({ source, transcripts, live: live.source, bus: live.bus });
    const { facts } = await recorded();
    const body = lines(factLines(facts));
    const codeOf = async (headers: Record<string, string>, text = body): Promise<[number, number]> => { const { status, answer } = await post(port, text, { headers }); return [status, answer.code]; };
    expect(await codeOf(type)).toEqual([401, 40101]);
    expect(await codeOf({ ...type, ...bearer(`${TOKEN}x`) })).toEqual([401, 40101]);
    expect(await codeOf({ ...type, ...bearer(), host: 'evil.example' })).toEqual([403, 40301]);
    expect(await codeOf({ ...type, ...bearer(), origin: 'http://evil.example' })).toEqual([403, 40301]);
    for (const strange of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) expect(await codeOf({ ...bearer(), 'content-type': strange }), strange).toEqual([415, 41501]);
    expect(await codeOf({ ...type, ...bearer(), 'content-encoding': 'gzip' })).toEqual([415, 41501]);
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) expect((await http({ port, method, path: `/api/v1/ingest?thread_id=${threadId}`, headers: { ...bearer(), ...type } })).status, method).toBe(404);
    expect(await codeOf({ ...type, ...bearer() }, 'x'.repeat(INGEST_BYTES + 1))).toEqual([413, 41301]);
    expect(live.bus.nextOrdinal(threadId)).toBe(0);
    expect(await codeOf({ ...type, ...bearer() })).toEqual([200, 0]);
  });

  it('[R-LIVE-1] a body that is cut in its middle is as if it had not been sent', async () => {
    const server = await startedLive();
    const { facts } = await recorded();
    const body = lines(factLines(facts));
    const head = `POST /api/v1/ingest?thread_id=${threadId} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    for (const length of [0, 1, Math.floor(body.length / 2), body.length - 1]) {
      const socket = await raw(server.port);
      socket.write(head + body.slice(0, length));
      await new Promise((resolve) => { setTimeout(resolve, 20); });
      socket.destroy();
    }
    const half = await raw(server.port);
    half.end(head + body.slice(0, 100));
    expect((await untilClosed(half)).text).not.toContain('"code":0');
    expect(server.bus.nextOrdinal(threadId)).toBe(0);
    expect((await post(server.port, body)).answer.data).toMatchObject({ next_ordinal: facts.length });
  });

  it('[R-LIVE-3] a flood is turned away where it does not fit, and others are answered meanwhile', async () => {
    const server = await startedLive();
    const { facts } = await recorded();
    const large = `${lines(factLines(facts))}\n${' '.repeat(INGEST_BYTES - 100_000)}`;
    const flood = Array.from({ length: 8 }, (_, i) => post(server.port, large, { id: `flood-${i}` }).then(({ answer }) => answer.code, () => -1));
    const answered = await http({ port: server.port, path: '/api/v1/healthz' });
    expect(answered.status).toBe(200);
    const codes = await Promise.all(flood);
    expect(codes.filter((code) => code === 0).length).toBeGreaterThanOrEqual(3);
    expect(codes.filter((code) => code !== 0 && code !== 50301 && code !== -1)).toEqual([]);
    expect((await post(server.port, lines(factLines(facts)))).answer.code).toBe(0);
  });

  it('[R-THR-1] an agent that another one started is one of its session, whoever tells of it first', async () => {
    const server = await startedLive();
    const parent = await recorded();
    const child = await recorded({ id: 'child', parent: threadId });
    const below = await recorded({ id: 'below', parent: 'child' });
    await post(server.port, lines(factLines(below.facts)), { id: 'below' });
    await post(server.port, lines(factLines(parent.facts)));
    const client = follow(server);
    await until('the baseline', () => client.session.state('main')?.kind === 'live');
    expect(client.session.agents()).toEqual(['main']);
    await post(server.port, lines(factLines(child.facts)), { id: 'child' });
    await until('both agents', () => client.session.agents().length === 3);
    for (const [id, { facts }] of [['child', child], ['below', below]] as const) await until(id, () => isDeepStrictEqual(plain(itemsOf(client, id)), folded(facts)));
    const late = follow(server, 'block');
    await until('all of them at once', () => late.session.agents().length === 3);
  });
});
