import { threadFacts } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentTranscript, type AgentTranscriptSnapshot } from '../../index.js';
import { anyChange, anySnapshot, overTheWire } from '../../laws/operations.suite.js';
import { TranscriptFold, operationsBetween, settleTranscript } from '../index.js';

const plain = (snapshot: AgentTranscriptSnapshot): AgentTranscriptSnapshot => overTheWire({ ...snapshot, hasMoreOlder: undefined });

function transcriptOf(snapshot: AgentTranscriptSnapshot): AgentTranscript {
  const transcript = new AgentTranscript('main');
  transcript.apply([{ op: 'reset', agentId: 'main', snapshot }]);
  return transcript;
}

function checkBetween(before: AgentTranscriptSnapshot, after: AgentTranscriptSnapshot): void {
  const transcript = transcriptOf(before);
  const ops = operationsBetween(before, after, 'main');
  expect(transcript.apply(overTheWire(ops)).gap).toBeUndefined();
  expect(plain(transcript.snapshot())).toEqual(plain(after));
}

describe('operations between two states of a transcript', () => {
  it('[R-OPS-4] turn the first into the second, whatever they are', () => {
    fc.assert(fc.property(anySnapshot, anySnapshot, checkBetween));
  });

  it('[R-OPS-4] turn a state into what some changes made of it', () => {
    fc.assert(fc.property(anySnapshot, fc.array(anyChange, { maxLength: 4 }), (snapshot, changes) => {
      const transcript = transcriptOf(snapshot);
      const before = transcript.snapshot();
      transcript.apply(changes);
      checkBetween(before, transcript.snapshot());
    }));
  });

  it('[R-OPS-1] say nothing where nothing changed', () => {
    fc.assert(fc.property(anySnapshot, (snapshot) => { expect(operationsBetween(snapshot, overTheWire(snapshot), 'main')).toEqual([]); }));
  });

  it('[R-DIA-7] settle what is open, and take it back', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const fold = new TranscriptFold({ sessionId: 's' });
      for (const fact of facts) fold.load(fact);
      const [open, settled] = [settleTranscript(fold.view(), { running: {} }), settleTranscript(fold.view())];
      checkBetween(open, settled);
      checkBetween(settled, open);
    }));
  });
});
