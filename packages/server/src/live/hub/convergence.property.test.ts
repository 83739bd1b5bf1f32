import type { TranscriptFold } from '@tapefold/transcript/fold';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folder } from '../../sockets.suite.js';
import { type TestClient, LiveServer, followSession } from './live-server.suite.js';
import { type Move, Recorded, expectInStep } from './recorded.suite.js';

const moves: readonly Move['move'][] = ['message', 'message', 'message', 'call', 'call', 'undo', 'endTurn', 'endTurn', 'cut', 'cut', 'pause', 'restart', 'kill', 'join', 'older'];
const arbitraryMoves: fc.Arbitrary<Move[]> = fc.array(fc.record({ move: fc.constantFrom(...moves), of: fc.nat(9), text: fc.string({ minLength: 1, maxLength: 6 }) }), { minLength: 3, maxLength: 25 });
/** `test:long` runs more of them, with more clients. */
const LONG = process.env['TAPEFOLD_LONG'] === '1';
const MOST_CLIENTS = LONG ? 20 : 5;
const grades = ['turn', 'block', 'delta', 'delta'] as const;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
    for (const client of clients) await expectInStep(client, recorded.settled());
    expect(server.failures).toEqual([]);
  } finally {
    for (const { client } of clients) client.close();
    await recorded.recorder.close();
    await server.stop();
  }
}

describe('live transcripts', () => {
  it('[R-OPS-8] [R-LIVE-2] [R-LIVE-3] every client ends equal to the fold of the tape, through cuts, pauses, restarts and kills', async () => {
    await fc.assert(fc.asyncProperty(arbitraryMoves, converge), { numRuns: LONG ? 1_000 : 100, endOnFailure: true });
  }, LONG ? 3_600_000 : 240_000);
});

