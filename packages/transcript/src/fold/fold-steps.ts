import { type Fact, type FactKey, type FactOf, factKey } from '@tapefold/facts';
import type { StepRetry, StepTiming } from '../model/turn.js';
import type { TranscriptDocument } from './document.js';
import type { Folding } from './folding.js';
import { present } from './present.js';
import type { StepRow, TurnRow } from './rows.js';
import { stepUsage, usageOfTurn } from './usage.js';

/*
 * One step for each response of the model. Where the agent's records begin and end steps, those are the steps. Where they do not (Codex), what the model
 * says tells: a response is over when its tokens were counted or one of its calls was answered, and the next thing that the model says begins the next.
 */

/** The step that a thing without a step of its own belongs to: the newest, while its response goes on or where the turn is over, else a new one. */
export function stepFor({ doc }: Pick<Folding, 'doc'>, turn: TurnRow, at: string | undefined): StepRow {
  const newest = turn.steps.at(-1);
  if (newest && (!turn.isBetween || turn.isEnded)) return newest;
  if (newest) closeImplicit(doc, newest);
  const step = doc.openStep(turn, { key: undefined, startedAt: at });
  if (turn.isEnded) doc.changeStep(step, { state: 'completed', endedAt: at });
  return step;
}

/** A step that no record ends is over when the next one begins. */
function closeImplicit(doc: TranscriptDocument, step: StepRow): void {
  if (step.key === undefined && step.header.state === 'running') doc.changeStep(step, { state: 'completed', endedAt: step.lastAt });
}

/** A step begins. One that holds only what was said to the model since the last response is this one. */
export function foldStepStarted({ doc, steps }: Folding, fact: FactOf<'step.started'>): void {
  const turn = doc.turn(fact.turn);
  if (!turn) return;
  const key = factKey(fact.tape, fact.ordinal);
  turn.hasOwnSteps = true;
  const newest = turn.steps.at(-1);
  if (newest?.key === undefined && newest && !newest.isAnswered && !turn.isBetween) {
    newest.key = key;
    steps.set(key, newest);
    return doc.changeStep(newest, { startedAt: fact.at ?? newest.header.startedAt });
  }
  if (newest) closeImplicit(doc, newest);
  steps.set(key, doc.openStep(turn, { key, startedAt: fact.at }));
}

const timings: readonly (keyof StepTiming)[] = [
  'llmFirstTokenLatencyMs', 'llmStreamDurationMs', 'llmRequestBuildMs', 'llmServerFirstTokenMs', 'llmServerDecodeMs', 'llmClientConsumeMs', 'llmClientBlockedMs',
];

function timingOf({ timing = {}, firstTokenMs, streamMs }: FactOf<'step.ended'>): StepTiming | undefined {
  const said = Object.fromEntries(timings.filter((name) => Object.hasOwn(timing, name)).map((name) => [name, timing[name]]));
  const whole = present({ llmFirstTokenLatencyMs: firstTokenMs, llmStreamDurationMs: streamMs, ...said });
  return Object.keys(whole).length ? whole : undefined;
}

/** A step ended; what comes behind it without a step begins another. */
export function foldStepEnded({ doc, steps }: Folding, fact: FactOf<'step.ended'>): void {
  const row = steps.get(fact.step);
  if (!row) return;
  const { retry: _, ...header } = row.header;
  row.header = header;
  doc.changeStep(row, present({
    state: fact.status, endedAt: fact.at, usage: fact.usage ? stepUsage(fact.usage) : row.header.usage, finishReason: fact.finishReason, llmTiming: timingOf(fact), endReason: fact.reason, endMessage: fact.message,
  }));
  if (row === row.turn.steps.at(-1)) row.turn.isBetween = true;
  if (row.turn.isEnded) doc.changeTurn(row.turn, { usage: usageOfTurn(row.turn) });
}

/** A call of the model failed and is made again: told until the next word on the step. */
export function foldStepRetried({ doc, steps }: Folding, fact: FactOf<'step.retried'>): void {
  const row = steps.get(fact.step);
  const failedAttempt = fact.failedAttempt ?? 1;
  const retry: StepRetry = present({
    failedAttempt, nextAttempt: failedAttempt + 1, maxAttempts: fact.maxAttempts ?? failedAttempt + 1, delayMs: fact.delayMs ?? 0, errorName: fact.errorName ?? 'Error', errorMessage: fact.message ?? '', statusCode: fact.statusCode,
  });
  if (row) doc.changeStep(row, { state: 'running', retry });
}

/** Tokens of one response. Without a step of its own it is that of the newest one, or of a response that shows nothing. */
export function countStep({ doc, steps }: Folding, fact: FactOf<'usage.recorded'>): void {
  const turn = doc.turn(fact.turn);
  if (!turn || turn.isBare || !fact.usage) return;
  const usage = stepUsage(fact.usage);
  const own = fact.step === undefined ? undefined : steps.get(fact.step);
  if (own) {
    if (!own.header.usage) doc.changeStep(own, { usage });
  } else if (fact.step === undefined) countImplicit(doc, turn, { usage, at: fact.at });
  if (turn.isEnded) doc.changeTurn(turn, { usage: usageOfTurn(turn) });
}

/** Steps that records begin count by their own records. */
function countImplicit(doc: TranscriptDocument, turn: TurnRow, of: { readonly usage: ReturnType<typeof stepUsage>; readonly at: string | undefined }): void {
  if (turn.hasOwnSteps) return;
  const newest = turn.steps.at(-1);
  const row = newest && !newest.header.usage ? newest : stepFor({ doc }, turn, of.at);
  row.lastAt = of.at ?? row.lastAt;
  row.isAnswered = true;
  doc.changeStep(row, { usage: of.usage });
  turn.isBetween = true;
}

/** A call of the newest response was answered, so the response is whole. */
export function noteAnswer({ doc }: Folding, fact: Fact): void {
  const turn = doc.turn(fact.turn);
  const newest = turn?.steps.at(-1);
  if (!turn || newest?.key !== undefined) return;
  turn.isBetween = true;
  if (newest) newest.lastAt = fact.at ?? newest.lastAt;
}

/** What is open in a turn that is over is over with it. */
export function closeTurnSteps(doc: TranscriptDocument, turn: TurnRow, of: { readonly isInterrupted: boolean; readonly at: string | undefined }): void {
  for (const step of turn.steps) {
    if (step.header.state !== 'running') continue;
    const isNewest = step === turn.steps.at(-1);
    const isCut = of.isInterrupted && isNewest && (!turn.isBetween || step.frames.some(({ frame }) => frame.kind === 'tool' && frame.state === 'running'));
    const { retry: _, ...header } = step.header;
    step.header = header;
    doc.changeStep(step, { state: isCut ? 'interrupted' : 'completed', endedAt: (isNewest ? of.at : undefined) ?? step.lastAt });
  }
  turn.isBetween = true;
}

/** The step that a fact names; undefined where it names none, or one that is gone. */
export function stepOfKey({ steps }: Folding, key: FactKey | undefined): StepRow | undefined {
  return key === undefined ? undefined : steps.get(key);
}
