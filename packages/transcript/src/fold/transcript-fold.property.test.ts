import { type Fact, factSchema } from '@tapefold/facts';
import { anyFact, threadFacts } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentTranscript, type AgentTranscriptSnapshot, type TranscriptOperation, agentTranscriptSnapshotSchema, transcriptOperationSchema } from '../index.js';
import { TranscriptFold, settleTranscript } from './index.js';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

interface Folded { readonly fold: TranscriptFold; readonly batches: (readonly TranscriptOperation[])[] }

function foldAll(facts: readonly Fact[], fold = new TranscriptFold({ sessionId: 's' })): Folded {
  return { fold, batches: facts.map((fact) => fold.fold(fact)) };
}

/** What a reader holds that got these batches, `times` each. */
function read(batches: readonly (readonly TranscriptOperation[])[], times = 1): AgentTranscriptSnapshot {
  const transcript = new AgentTranscript('main');
  for (const ops of batches) for (let n = 0; n < times; n++) expect(transcript.apply(copy([...ops])).gap).toBeUndefined();
  return transcript.snapshot();
}

/** As JSON has it: what a reader keeps may hold fields that are undefined. Whether older turns exist no fold says. */
const plain = (snapshot: AgentTranscriptSnapshot): AgentTranscriptSnapshot => copy({ ...snapshot, hasMoreOlder: undefined });

describe('laws of the fold of facts into operations', () => {
  it('[R-OPS-8] operations applied by the reducer reach the state of the fold at every prefix', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const fold = new TranscriptFold({ sessionId: 's' });
      const transcript = new AgentTranscript('main');
      for (const fact of facts) {
        transcript.apply(fold.fold(fact));
        expect(plain(transcript.snapshot())).toEqual(plain(fold.snapshot()));
      }
    }));
  });

  it('[R-OPS-8] live equals cold: fact by fact, and laid once at the end', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const cold = new TranscriptFold({ sessionId: 's' });
      for (const fact of facts) cold.load(fact);
      expect(copy(cold.view())).toEqual(copy(foldAll(facts).fold.view()));
    }));
  });

  it('[R-OPS-1] every batch may come twice', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { fold, batches } = foldAll(facts);
      expect(plain(read(batches, 2))).toEqual(plain(fold.snapshot()));
    }));
  });

  it('[R-OPS-8] stops anywhere and goes on from JSON with the same operations', () => {
    fc.assert(fc.property(threadFacts, fc.nat(), (facts, at) => {
      const cut = facts.length === 0 ? 0 : at % facts.length;
      const { fold } = foldAll(facts.slice(0, cut));
      const restored = TranscriptFold.restore(copy(fold.state()), { sessionId: 's' });
      expect(copy(restored.view())).toEqual(copy(fold.view()));
      expect(copy(foldAll(facts.slice(cut), restored).batches)).toEqual(copy(foldAll(facts.slice(cut), fold).batches));
    }));
  });

  it('[R-OPS-8] the operations of a prefix are a prefix of the operations, and what was handed out never changes', () => {
    fc.assert(fc.property(threadFacts, fc.nat(), (facts, at) => {
      const cut = facts.length === 0 ? 0 : at % facts.length;
      const { fold, batches } = foldAll(facts.slice(0, cut));
      const [kept, snapshot] = [copy(batches), fold.snapshot()];
      const before = copy(snapshot);
      foldAll(facts.slice(cut), fold);
      expect(copy(batches)).toEqual(kept);
      expect(copy(snapshot)).toEqual(before);
      expect(copy(foldAll(facts).batches.slice(0, cut))).toEqual(kept);
    }));
  });

  it('[R-OPS-8] is total: any schema-valid facts, in any order, give operations and a settled view that the wire accepts', () => {
    fc.assert(fc.property(fc.array(anyFact, { maxLength: 12 }), fc.boolean(), (facts, isRunning) => {
      const { fold, batches } = foldAll(facts.map((fact, i) => factSchema.parse({ ...fact, ordinal: i })));
      for (const op of batches.flat()) JSON.stringify(op);
      settleTranscript(fold.view(), isRunning ? { running: {} } : {});
    }));
  });

  it('[R-DIA-7] a settled view holds nothing that is open, and settling it changes nothing of the fold', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { fold, batches } = foldAll(facts);
      const before = copy(fold.view());
      const settled = settleTranscript(fold.view());
      expect(copy(fold.view())).toEqual(before);
      agentTranscriptSnapshotSchema.parse(copy(settled));
      for (const op of batches.flat()) transcriptOperationSchema.parse(copy(op));
      expect(settled.items.flatMap((item) => (item.kind === 'turn' ? [item.state, ...item.steps.flatMap(({ state, frames }) => [state, ...frames.map((frame) => (frame.kind === 'tool' ? frame.state : 'done'))])] : []))).not.toContain('running');
      expect(settled.tasks.map(({ state }) => state)).not.toContain('running');
      expect(settled.interactions.map(({ state }) => state)).not.toContain('pending');
      expect(settled.items.flatMap((item) => (item.kind === 'turn' ? [item.ordinal] : []))).toEqual(settled.items.filter(({ kind }) => kind === 'turn').map((_, i) => i));
    }));
  });
});
