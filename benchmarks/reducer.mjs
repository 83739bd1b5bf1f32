// @ts-check
// What one operation of a transcript costs, at how many turns it has already.
import { AgentTranscript } from '@tapefold/transcript';
/** @import { TranscriptOperation } from '@tapefold/transcript' */

/** Turns that a transcript is built with before its streaming is measured. 51,000 turns are built with 255,000 operations. */
export const REDUCER_TURNS = [100, 1_000, 5_000, 51_000];
const WARM_APPENDS = 30_000;
const APPENDS = 200_000;
const READS = 200;

/** A turn as a live server tells it, in five operations. @param {number} ordinal @returns {TranscriptOperation[]} */
function turnOperations(ordinal) {
  const turnId = `t${ordinal}`;
  const stepId = `${turnId}.1`;
  return [
    { op: 'turn.upsert', turn: { kind: 'turn', turnId, ordinal, state: 'running', origin: { kind: 'user' }, prompt: 'a question' } },
    { op: 'step.upsert', turnId, step: { kind: 'step', turnId, stepId, ordinal: 1, state: 'running' } },
    { op: 'frame.upsert', turnId, stepId, frame: { kind: 'text', frameId: `${stepId}.f1`, role: 'assistant', text: '' } },
    { op: 'append', target: { type: 'frame', turnId, stepId, frameId: `${stepId}.f1` }, offset: 0, text: 'an answer ' },
    { op: 'frame.upsert', turnId, stepId, frame: { kind: 'tool', frameId: `${stepId}.call_${ordinal}`, toolCallId: `call_${ordinal}`, name: 'Bash', state: 'running' } },
  ];
}

/** CPU time of a piece of work, in microseconds for each of its parts. @param {number} parts @param {() => void} work */
function microsecondsEach(parts, work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / parts;
}

/** Streams text into the newest turn. @param {AgentTranscript} transcript @param {number} turns */
function streamOf(transcript, turns) {
  const turnId = `t${turns - 1}`;
  /** @type {Extract<TranscriptOperation, { op: 'append' }>['target']} */
  const target = { type: 'frame', turnId, stepId: `${turnId}.1`, frameId: `${turnId}.1.f1` };
  let offset = 'an answer '.length;
  return (/** @type {number} */ times, afterEach = () => {}) => {
    for (let i = 0; i < times; i++) {
      const { gap } = transcript.apply([{ op: 'append', target, offset, text: 'token ' }]);
      if (gap) throw new Error('the stream does not fit');
      offset += 6;
      afterEach();
    }
  };
}

/** Builds a transcript, streams into it, reads its items after every delta. @param {number} turns */
export function reduceTurns(turns) {
  const operations = Array.from({ length: turns }, (_, ordinal) => turnOperations(ordinal)).flat();
  const transcript = new AgentTranscript('main');
  const started = performance.now();
  const buildUs = microsecondsEach(operations.length, () => { for (const op of operations) transcript.apply([op]); });
  const buildWallUs = ((performance.now() - started) * 1e3) / operations.length;
  const stream = streamOf(transcript, turns);
  stream(WARM_APPENDS);
  // What building left is not charged to the deltas.
  globalThis.gc?.();
  const appendUs = microsecondsEach(APPENDS, () => stream(APPENDS));
  const firstReadUs = microsecondsEach(1, () => void transcript.getItems());
  const readUs = microsecondsEach(READS, () => stream(READS, () => void transcript.getItems()));
  return { turns, operations: operations.length, buildUs, buildWallUs, appendUs, firstReadUs, readUs };
}
