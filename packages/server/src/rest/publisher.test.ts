import { createNativePlayer } from '@tapefold/dialects';
import { restoreLarge } from '@tapefold/facts';
import { type Post, type Publisher, type Recorder, type RecorderOptions, TapeError, openTape, publishTo } from '@tapefold/tapes';
import { TranscriptFold } from '@tapefold/transcript/fold';
import { randomFrom } from '@tapefold/testing';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { LiveServer, type TestClient, followSession, until } from '../live/hub/live-server.suite.js';
import { folder } from '../sockets.suite.js';

const threadId = '01a22b99-774f-7000-8000-000000000001';
const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => { for (const close of closing.splice(0).reverse()) await close(); });

interface Recording { readonly tape: Recorder; readonly publisher: Publisher; readonly fold: TranscriptFold; readonly failures: TapeError[]; readonly posted: string[] }

/** A recorder that publishes to a server, and the fold of what is on its tape. */
async function recording(server: LiveServer, { home = folder(), post, token }: { readonly home?: string; readonly post?: Post; readonly token?: string } = {}): Promise<Recording> {
  const failures: TapeError[] = [];
  const posted: string[] = [];
  const send: Post = post ?? (async ({ url, ...rest }) => { const answer = await fetch(url, { method: 'POST', ...rest }); return { status: answer.status, text: await answer.text() }; });
  const publisher = publishTo({ url: `http://127.0.0.1:${server.port}/`, token, failed: (error) => void failures.push(error), post: (request) => { posted.push(request.body); return send({ ...request, url: request.url.replace(/:\d+/, `:${server.port}`) }); } });
  const fold = new TranscriptFold({ sessionId: threadId });
  const options: RecorderOptions = {
    home, threadId, createPlayer: createNativePlayer, agent: { name: 'test' },
    onFact: (fact, ordinal) => { fold.load(fact); publisher.onFact(fact, ordinal); }, onDelta: publisher.onDelta, onDropped: publisher.onDropped,
  };
  const tape = await openTape(options);
  publisher.start(tape);
  closing.push(() => publisher.close(), () => tape.close());
  return { tape, publisher, fold, failures, posted };
}

async function started(home = folder()): Promise<LiveServer> {
  const server = new LiveServer(folder(), [{ program: 'native', path: home }]);
  await server.start();
  closing.push(() => server.stop());
  return server;
}

function follow(server: LiveServer): TestClient {
  const client = followSession(server, threadId, 'delta');
  closing.push(() => client.client.close());
  return client;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const itemsOf = ({ session }: TestClient): unknown[] => [...session.state('main')?.synced.transcript.items ?? []];
const textOf = (client: TestClient): string => JSON.stringify(itemsOf(client));
const factsIn = (bodies: readonly string[]): number[] => bodies.join('\n').split('\n').filter((line) => line.startsWith('{"type":"fact"')).map((line) => (JSON.parse(line) as { fact: { ordinal: number } }).fact.ordinal);

async function say(tape: Recorder, text: string): Promise<void> {
  const turn = tape.turn(`say ${text}`);
  const message = turn.step().message();
  for (const piece of text.match(/.{1,3}/gsu) ?? []) message.delta(piece);
  await message.complete();
  turn.end();
}

/** The cold fold of a tape, large texts whole. */
async function coldItems(tape: Recorder): Promise<unknown> {
  const fold = new TranscriptFold({ sessionId: threadId });
  const read = (piece: Parameters<Recorder['value']>[0]): string | undefined => tape.value(piece) as string | undefined;
  for await (const facts of tape.facts()) for (const fact of facts) fold.load(fact.large ? restoreLarge(fact, { refs: fact.large, read }) : fact);
  return plain(fold.snapshot().items);
}

const arrived = (server: LiveServer, { tape }: Recording): Promise<void> => until('all facts', () => server.bus.nextOrdinal(threadId) === tape.factCount);

describe('a recorder that publishes to a server', () => {
  it('[R-LIVE-1] [R-OPS-8] is followed while it streams, and ends as the cold fold of its tape; large texts come whole', async () => {
    const server = await started();
    const recorded = await recording(server);
    const turn = recorded.tape.turn('go');
    const step = turn.step();
    const message = step.message();
    message.delta('Hel');
    await arrived(server, recorded);
    const client = follow(server);
    await until('the baseline', () => client.session.state('main')?.kind === 'live');
    message.delta('lo');
    await until('the text on its way', () => textOf(client).includes('"text":"Hello"') || textOf(client).includes('"running"'));
    await message.complete({ text: 'Hello.' });
    const call = step.call({ name: 'run', input: { n: 1 } });
    const output = 'long '.repeat(20_000);
    await call.complete({ output });
    turn.end();
    await arrived(server, recorded);
    const cold = await coldItems(recorded.tape);
    await until('all of it', () => isDeepStrictEqual(plain(itemsOf(client)), cold));
    expect([recorded.failures, server.failures]).toEqual([[], []]);
  });

  it('[R-LIVE-1] goes on with a server that was killed and started again, by ordinal, from its tape', async () => {
    const server = await started();
    const recorded = await recording(server);
    const client = follow(server);
    for (const text of ['one', 'two', 'three']) {
      await say(recorded.tape, text);
      await arrived(server, recorded);
      await server.kill();
      await say(recorded.tape, `${text} while nobody listens`);
      await server.start();
      await arrived(server, recorded);
    }
    await until('the end', () => isDeepStrictEqual(plain(itemsOf(client)), plain(recorded.fold.snapshot().items)));
    expect(recorded.failures.every(({ code }) => code === 'notReached')).toBe(true);
  });

  it('[R-LIVE-3] waits for nobody: what is too much to wait is dropped, and read back from the tape', async () => {
    const server = await started();
    await server.kill();
    const recorded = await recording(server);
    const message = recorded.tape.turn('go').step().message();
    for (let i = 0; i < 30; i += 1) recorded.tape.configure({ instructions: `${i}`.repeat(100_000) });
    for (let i = 0; i < 10_000; i += 1) message.delta('x'.repeat(100));
    await message.complete({ text: 'done' });
    recorded.tape.openTurn?.end();
    await server.start();
    await arrived(server, recorded);
    const client = follow(server);
    const cold = await coldItems(recorded.tape);
    await until('the end', () => isDeepStrictEqual(plain(itemsOf(client)), cold));
    expect(server.failures).toEqual([]);
  });

  it('[R-LIVE-1] tells a server that reads its home only what comes; a turn that a killed recorder left open does not run', async () => {
    const home = folder();
    const first = await openTape({ home, threadId, createPlayer: createNativePlayer, agent: { name: 'test' } });
    first.turn('killed in the middle').step();
    await first.close();
    const server = await started(home);
    const client = follow(server);
    await until('the baseline', () => client.session.state('main')?.kind === 'live');
    const recorded = await recording(server, { home });
    await until('the settled turn', () => textOf(client).includes('"cancelled"'));
    await say(recorded.tape, 'more');
    await arrived(server, recorded);
    await until('the new turn', () => textOf(client).includes('"more"') && !textOf(client).includes('"running"'));
    expect(Math.min(...factsIn(recorded.posted))).toBe(first.factCount);
    expect(recorded.failures).toEqual([]);
  });

  it('[R-RPC-3] says once why nothing gets through, and gives up only what no server would take', async () => {
    const server = await started();
    const answers = [{ status: 401, text: '{"code":40101,"msg":"Unauthorized","data":null}' }, { status: 401, text: '{"code":40101,"msg":"Unauthorized","data":null}' }, { status: 502, text: '<html>' }, { status: 404, text: 'nothing here' }];
    const recorded = await recording(server, { post: () => Promise.resolve(answers.shift() ?? { status: 200, text: '' }) });
    await until('the end', () => recorded.failures.length === 3);
    expect(recorded.failures.map(({ code, message }) => [code, /HTTP \d+/.exec(message)?.[0]])).toEqual([['notReached', 'HTTP 401'], ['notReached', 'HTTP 502'], ['notTaken', 'HTTP 404']]);
    await say(recorded.tape, 'the tape is none the worse for it');
    await recorded.publisher.close();
    expect([answers.length, server.bus.nextOrdinal(threadId)]).toEqual([0, 0]);
  });

  it('[R-LIVE-1] is the example agent, followed while it counts', async () => {
    const home = folder();
    const server = await started(home);
    const agent = spawn(process.execPath, [fileURLToPath(new URL('../../../../examples/agent/agent.mjs', import.meta.url)), '--home', home, '--thread', threadId, '--delay', '100', '--publish', `http://127.0.0.1:${server.port}`, 'Count to 8.'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => { agent.once('close', resolve); });
    await until('the recorder', () => server.bus.nextOrdinal(threadId) > 0);
    const client = follow(server);
    await until('its output while it comes', () => textOf(client).includes('"progress"') && !textOf(client).includes('I counted'));
    expect(await ended).toBe(0);
    await until('the end', () => textOf(client).includes('I counted: 1 2 3 4 5 6 7 8.') && !textOf(client).includes('"running"'));
  }, 20_000);

  it.each([1, 2, 4, 6])('[R-OPS-8] ends as the cold fold though requests are lost, answers are lost, and the server is killed (seed %i)', async (seed) => {
    const { below } = randomFrom(seed);
    const random = (): number => below(1_000) / 1_000;
    const server = await started();
    const lossy: Post = async ({ url, ...rest }) => {
      if (random() < 0.2) throw new Error('lost on the way');
      const answer = await fetch(url, { method: 'POST', ...rest });
      const text = await answer.text();
      if (random() < 0.2) throw new Error('the answer was lost');
      return { status: answer.status, text };
    };
    const recorded = await recording(server, { post: lossy });
    const client = follow(server);
    for (let i = 0; i < 6; i += 1) {
      await say(recorded.tape, `${i} `.repeat(Math.floor(random() * 10)));
      if (random() < 0.2) { await server.kill(); await server.start(); }
      if (random() < 0.2) recorded.tape.undo();
    }
    await arrived(server, recorded);
    await until('the end', () => isDeepStrictEqual(plain(itemsOf(client)), plain(recorded.fold.snapshot().items)));
    expect(server.failures).toEqual([]);
  });
});
