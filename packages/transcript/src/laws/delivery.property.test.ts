import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentTranscript, type AgentTranscriptSnapshot, type TranscriptOperation, OpLog } from '../index.js';
import { overTheWire } from './operations.suite.js';
import { type Dispatched, anySession } from './session.suite.js';

const allOps = (batches: readonly Dispatched[]): TranscriptOperation[] => batches.flatMap(({ ops }) => ops);

function after(batches: readonly (readonly TranscriptOperation[])[]): AgentTranscriptSnapshot {
  const transcript = new AgentTranscript('main');
  for (const ops of batches) transcript.apply(ops);
  return transcript.snapshot();
}

/** What an operation concerns: two that concern the same thing, or whose order is what they say, keep their order. */
function concernOf(op: TranscriptOperation): string {
  switch (op.op) {
    case 'turn.upsert': return `turn ${op.turn.turnId}`;
    case 'step.upsert': return `step ${op.step.stepId}`;
    case 'frame.upsert': return `frames ${op.stepId}`;
    case 'append': return op.target.type === 'task' ? `task ${op.target.taskId}` : `frames ${op.target.stepId}`;
    case 'task.upsert': return `task ${op.task.taskId}`;
    case 'interaction.upsert': return `interaction ${op.interaction.interactionId}`;
    case 'prompt.upsert': return `prompt ${op.prompt.promptId}`;
    default: return op.op;
  }
}

/** Deals the operations out by what they concern, and takes them up again in an order that numbers decide. */
function reordered(ops: readonly TranscriptOperation[], picks: readonly number[]): TranscriptOperation[] {
  const byConcern = new Map<string, TranscriptOperation[]>();
  for (const op of ops) byConcern.set(concernOf(op), [...(byConcern.get(concernOf(op)) ?? []), op]);
  const queues = [...byConcern.values()];
  const taken: TranscriptOperation[] = [];
  for (let pick = 0; queues.length; pick += 1) {
    const at = (picks[pick % picks.length] ?? 0) % queues.length;
    const op = queues[at]?.shift();
    if (op) taken.push(op);
    if (!queues[at]?.length) queues.splice(at, 1);
  }
  return taken;
}

const byId = <T extends object>(all: readonly T[]): T[] => Array.from(all).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
/** Entities have no order of their own: they stand as they came. */
const withoutArrival = (snapshot: AgentTranscriptSnapshot) => ({ ...snapshot, tasks: byId(snapshot.tasks), interactions: byId(snapshot.interactions), prompts: byId(snapshot.prompts) });

describe('laws of delivery', () => {
  it('[R-OPS-1] a sequence that comes two or three times, as a copy over the wire, leaves what it left the first time', () => fc.assert(fc.property(anySession, fc.integer({ min: 2, max: 3 }), (batches, times) => {
    const ops = allOps(batches);
    expect(after(Array.from({ length: times }, () => overTheWire(ops)))).toEqual(after([ops]));
  })));

  it('[R-OPS-2] batches that come again, each right after the first or much later, change nothing', () => fc.assert(fc.property(anySession, fc.array(fc.nat(), { minLength: 1 }), (batches, again) => {
    const transcript = new AgentTranscript('main');
    const removals = batches.flatMap(({ ops }, index) => (ops.some(({ op }) => op === 'items.remove' || op === 'reset') ? [index] : []));
    const canRepeat = (from: number, to: number) => !removals.some((at) => at > from && at <= to);
    batches.forEach(({ ops }, index) => {
      transcript.apply(ops);
      expect(transcript.apply(overTheWire(ops)).accepted).toEqual([]);
      const from = index - ((again[index % again.length] ?? 0) % 6);
      if (from >= 0 && canRepeat(from, index)) for (const batch of batches.slice(from, index + 1)) transcript.apply(overTheWire(batch.ops));
    });
    expect(transcript.snapshot()).toEqual(after(batches.map(({ ops }) => ops)));
  })));

  it('[R-OPS-1] children before their parents, and whatever else does not concern the same thing, in any order: one end', () => fc.assert(fc.property(anySession, fc.array(fc.nat(), { minLength: 1 }), (batches, picks) => {
    const isFree = ({ op }: TranscriptOperation) => op !== 'marker.upsert' && op !== 'taskref.upsert' && op !== 'items.remove' && op !== 'reset';
    const ops = allOps(batches).filter(isFree);
    expect(withoutArrival(after([reordered(ops, picks)]))).toEqual(withoutArrival(after([ops])));
  })));

  it('[R-OPS-2] a lost append shows as a gap with expected and got, and the flush heals it', () => fc.assert(fc.property(anySession, fc.nat(), (batches, lost) => {
    const appends = batches.flatMap(({ ops }, index) => (ops.some((op) => op.op === 'append' && op.text !== '') ? [index] : []));
    const missing = appends[lost % Math.max(1, appends.length)];
    const [mine, whole] = [new AgentTranscript('main'), new AgentTranscript('main')];
    batches.forEach(({ ops, isFlushPoint }, index) => {
      whole.apply(ops);
      const { gap } = index === missing ? { gap: undefined } : mine.apply(ops);
      if (gap) expect(gap.expected).toBeLessThan(gap.got);
      if (isFlushPoint) expect(mine.snapshot()).toEqual(whole.snapshot());
    });
  })));
});

/** A reader on a line that breaks: it knows the number of the last batch that it has, and asks for what came since. */
class Reader {
  readonly transcript = new AgentTranscript('main');
  isConnected = true;
  resets = 0;
  catchUps = 0;
  private seq = 0;

  take(batch: { readonly seq: number; readonly ops: readonly TranscriptOperation[] }): void {
    if (batch.seq <= this.seq) return;
    expect(batch.seq).toBe(this.seq + 1);
    this.transcript.apply(overTheWire(batch.ops));
    this.seq = batch.seq;
  }

  reconnect(log: OpLog, server: AgentTranscript): void {
    this.isConnected = true;
    const { batches, latest, complete } = log.since(this.seq, log.epoch);
    if (complete) {
      this.catchUps += batches.length ? 1 : 0;
      return batches.forEach((batch) => this.take(batch));
    }
    this.resets += 1;
    this.transcript.apply([{ op: 'reset', agentId: 'main', snapshot: overTheWire(server.snapshot()) }]);
    this.seq = latest;
  }
}

describe('[R-OPS-6] a reader whose line breaks', () => {
  const lines = fc.array(fc.constantFrom('up' as const, 'up' as const, 'break' as const, 'mend' as const), { minLength: 1, maxLength: 40 });
  /** Plays a session to a reader whose line does what `line` says, batch by batch. */
  const played = (batches: readonly Dispatched[], line: readonly string[]) => {
    const [server, log, reader] = [new AgentTranscript('main'), new OpLog({ epoch: 'one', capacity: 4 }), new Reader()];
    batches.forEach(({ ops }, index) => {
      server.apply(ops);
      const batch = log.add(ops);
      if (line[index % line.length] === 'break') reader.isConnected = false;
      if (line[index % line.length] === 'mend' && !reader.isConnected) reader.reconnect(log, server);
      else if (reader.isConnected) reader.take(batch);
    });
    reader.reconnect(log, server);
    return { server, reader };
  };

  it('ends where one ends who watched all along, by catching up or by a reset with its watermark', () => fc.assert(fc.property(anySession, lines, (batches, line) => {
    const { server, reader } = played(batches, line);
    expect(reader.transcript.snapshot()).toEqual(server.snapshot());
  })));

  it('does both in these runs', () => {
    const runs = fc.sample(fc.tuple(anySession, lines), { numRuns: 60, seed: 7 }).map(([batches, line]) => played(batches, line).reader);
    expect(runs.some(({ catchUps }) => catchUps > 0)).toBe(true);
    expect(runs.some(({ resets }) => resets > 0)).toBe(true);
  });
});
