import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentTranscript } from '../../store/agent-transcript.js';
import { TranscriptFold } from '../transcript-fold.js';
import { LiveTranscript } from './live-transcript.js';
import { type Act, RunningAgent, type Said } from './running-agent.suite.js';

const acts: readonly Act['act'][] = ['turn', 'step', 'message', 'reasoning', 'summary', 'call', 'grow', 'grow', 'grow', 'complete', 'complete', 'drop', 'whole', 'result', 'endStep', 'endTurn', 'undo'];
const arbitraryActs = fc.array(fc.record({ act: fc.constantFrom(...acts), of: fc.nat(5), text: fc.string({ minLength: 1, maxLength: 5 }) }), { maxLength: 60 });

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function take(live: LiveTranscript, said: Said): ReturnType<LiveTranscript['fact']> {
  if ('fact' in said) return live.fact(said.fact);
  return 'delta' in said ? live.delta(said.delta) : live.drop(said.dropped);
}

describe('a transcript while its agent runs', () => {
  it('[R-OPS-8] [R-LIVE-1] what a reader applied is what there is, and without open streams that is the cold fold of the facts', () => {
    let flushed = 0;
    let streamed = 0;
    fc.assert(fc.property(arbitraryActs, (script) => {
      const agent = new RunningAgent();
      const cold = new TranscriptFold();
      const live = new LiveTranscript(new TranscriptFold(), 'main');
      const reader = new AgentTranscript('main');
      for (const said of script.flatMap((act) => agent.do(act))) {
        const { gap } = reader.apply(take(live, said));
        expect(gap).toBeUndefined();
        if ('fact' in said) cold.fold(said.fact);
        const { hasMoreOlder: _, ...held } = reader.snapshot();
        expect(plain(held)).toEqual(plain(live.snapshot()));
        if (live.isStreaming) { streamed += 1; continue; }
        flushed += 1;
        expect(plain(held)).toEqual(plain(cold.snapshot()));
      }
    }), { numRuns: 300 });
    expect(Math.min(flushed, streamed)).toBeGreaterThan(300);
  });

  it('[R-OPS-3] streaming n units says O(n) in all, in text and in operations', () => {
    const agent = new RunningAgent();
    const live = new LiveTranscript(new TranscriptFold(), 'main');
    const sizes = [1_000, 4_000].map((count) => {
      let chars = 0;
      for (const kind of ['message', 'reasoning', 'call'] as const) {
        const said = [...agent.do({ act: 'endTurn', of: 0, text: '' }), ...agent.do({ act: 'turn', of: 0, text: '' }), ...agent.do({ act: kind, of: 0, text: 'abcd' }), ...Array.from({ length: count }, () => agent.do({ act: 'grow', of: 0, text: 'abcd' })).flat()];
        for (const each of said) chars += JSON.stringify(take(live, each)).length;
      }
      return chars;
    });
    expect((sizes[1] ?? 0) / (sizes[0] ?? 1)).toBeLessThan(5);
  });
});
