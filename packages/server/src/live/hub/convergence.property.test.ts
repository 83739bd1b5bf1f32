import { createNativePlayer } from '@tapefold/dialects';
import { type Recorder, openTape } from '@tapefold/tapes';
import { type AgentTranscriptSnapshot, redactSnapshotForGrade } from '@tapefold/transcript';
import { TranscriptFold, settleTranscript } from '@tapefold/transcript/fold';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { folder } from '../../sockets.suite.js';
import { type TestClient, LiveServer, followSession, until } from './live-server.suite.js';

type Move = { readonly move: 'message' | 'call' | 'undo' | 'endTurn' | 'cut' | 'pause' | 'restart' | 'kill' | 'join' | 'older'; readonly of: number; readonly text: string };
const moves: readonly Move['move'][] = ['message', 'message', 'message', 'call', 'call', 'undo', 'endTurn', 'endTurn', 'cut', 'cut', 'pause', 'restart', 'kill', 'join', 'older'];
const arbitraryMoves: fc.Arbitrary<Move[]> = fc.array(fc.record({ move: fc.constantFrom(...moves), of: fc.nat(9), text: fc.string({ minLength: 1, maxLength: 6 }) }), { minLength: 3, maxLength: 25 });
/** `test:long` runs more of them, with more clients. */
const LONG = process.env['TAPEFOLD_LONG'] === '1';
const MOST_CLIENTS = LONG ? 20 : 5;
const grades = ['turn', 'block', 'delta', 'delta'] as const;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a client shows, in the order in which a server tells it. */
function shown({ session }: TestClient): AgentTranscriptSnapshot {
  const { items, tasks, interactions, attachments, todos, prompts, meta } = session.state('main')!.synced.transcript;
  return { items: [...items], tasks: [...tasks.values()], interactions: [...interactions.values()], attachments: [...attachments.values()], todos: [...todos.values()], prompts: [...prompts.values()], meta };
}

/** A recorder with its tape, and the fold of what is on it. */
class Recorded {
  readonly fold = new TranscriptFold();
  recorder!: Recorder;
  #turn: ReturnType<Recorder['turn']> | undefined;
  #step: ReturnType<ReturnType<Recorder['turn']>['step']> | undefined;

  async open(server: LiveServer, home: string, threadId: string): Promise<void> {
    this.recorder = await openTape({
      home, threadId, createPlayer: createNativePlayer, agent: { name: 'test' },
      onFact: (fact) => { this.fold.load(fact); server.bus.facts(threadId, [fact]); },
      onDelta: (delta) => server.bus.delta(threadId, delta), onDropped: (dropped) => server.bus.dropped(threadId, dropped),
    });
  }

  async make({ move, text, of }: Move): Promise<void> {
    switch (move) {
      case 'message': {
        const message = this.#inStep().message();
        for (const char of text) message.delta(char);
        if (of === 0) message.drop(); else await message.complete();
        return;
      }
      case 'call': {
        const call = this.#inStep().call({ name: 'run', input: { text } });
        if (of > 2) await call.complete({ output: text });
        return;
      }
      case 'endTurn': this.end(); return;
      case 'undo': this.end(); this.recorder.undo(); return;
      default: return;
    }
  }

  end(): void {
    this.#turn?.end();
    this.#turn = undefined;
    this.#step = undefined;
  }

  #inStep(): ReturnType<ReturnType<Recorder['turn']>['step']> {
    this.#turn ??= this.recorder.turn('go on');
    this.#step ??= this.#turn.step();
    return this.#step;
  }
}

async function disturb({ move, of }: Move, { server, clients, threadId, recorded }: { readonly server: LiveServer; readonly clients: TestClient[]; readonly threadId: string; readonly recorded: Recorded }): Promise<void> {
  const client = clients[of % clients.length]!;
  switch (move) {
    case 'cut': client.transport.cut(); return;
    case 'pause': client.transport.pause(of % 2 === 0); return;
    case 'restart': case 'kill':
      await (move === 'restart' ? server.stop() : server.kill());
      await server.start();
      // A recorder that comes back sends what it has: the bus passes over nothing it does not know.
      server.bus.facts(threadId, facts(recorded));
      return;
    case 'join': if (clients.length < MOST_CLIENTS) clients.push(followSession(server, threadId, grades[of % 4] ?? 'delta')); return;
    case 'older': client.session.askOlder('main'); return;
    default: return;
  }
}

const facts = (recorded: Recorded): ReturnType<TranscriptFold['state']>['facts'] => recorded.fold.state().facts;

async function converge(script: readonly Move[]): Promise<void> {
  const home = folder();
  const server = new LiveServer(folder(), [{ program: 'native', path: home }]);
  await server.start();
  const threadId = '01a22b99-774f-7000-8000-000000000001';
  const recorded = new Recorded();
  await recorded.open(server, home, threadId);
  const clients = Array.from({ length: LONG ? 16 : 2 }, (_, i) => followSession(server, threadId, grades[2 - i % 3] ?? 'delta'));
  try {
    for (const move of script) {
      await recorded.make(move);
      await disturb(move, { server, clients, threadId, recorded });
      if (move.of === 9) await pause(3);
    }
    recorded.end();
    // Nothing runs any more: what no record ends is shown as what it is.
    const expected = settleTranscript(recorded.fold.view());
    for (const client of clients) {
      client.transport.pause(false);
      await until('a client that is in step', () => { client.session.askOlder('main'); const state = client.session.state('main'); return state?.kind === 'live' && state.synced.firstTurn === -Infinity && isSame(client, expected); }).catch(() => undefined);
      const grade = client.session.state('main')!.synced.grade;
      expect(plain(shown(client))).toEqual(plain(redactSnapshotForGrade(grade, expected)));
    }
    expect(server.failures).toEqual([]);
  } finally {
    for (const { client } of clients) client.close();
    await recorded.recorder.close();
    await server.stop();
  }
}

function isSame(client: TestClient, expected: AgentTranscriptSnapshot): boolean {
  const grade = client.session.state('main')!.synced.grade;
  return isDeepStrictEqual(plain(shown(client)), plain(redactSnapshotForGrade(grade, expected)));
}

describe('live transcripts', () => {
  it('[R-OPS-8] [R-LIVE-2] [R-LIVE-3] every client ends equal to the fold of the tape, through cuts, pauses, restarts and kills', async () => {
    await fc.assert(fc.asyncProperty(arbitraryMoves, converge), { numRuns: LONG ? 1_000 : 100, endOnFailure: true });
  }, LONG ? 3_600_000 : 240_000);
});

