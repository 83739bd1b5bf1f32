import type { JsonObject, LineVerdict, TurnError, TurnStatus } from '@tapefold/facts';
import { countAt, numberAt, objectAt, present, stringAt } from '../../shape.js';
import { waiting } from './chain.js';
import { type Play, currentTurn, ordinalOf, say, sayWord, stepAt } from './play.js';
import { beginStub, endStep } from './step-facts.js';
import type { KimiCodeState, TurnState } from './state.js';

const statuses: Readonly<Record<string, TurnStatus>> = { completed: 'completed', cancelled: 'interrupted', failed: 'failed', blocked: 'failed' };

/** The turn with the engine's number, of those that count; the newest first, since it is nearly always that. */
function turnByNumber(play: Play, number: number): number {
  const { state } = play;
  const current = currentTurn(play);
  if (state.turns[current]?.engine === number) return current;
  for (let at = state.turns.length - 1; at >= 0; at--) if (state.turns[at]?.engine === number && !state.turns[at]?.isOff) return at;
  return -1;
}

function errorOf(raw: JsonObject): TurnError | undefined {
  const error = objectAt(raw, 'error');
  const message = error && stringAt(error, 'message');
  if (!error || message === undefined) return undefined;
  return present({ message, kind: stringAt(error, 'code'), details: error });
}

/** From the first end on, a turn without one was cut off [D-11]. */
function noteFirstEnd(play: Play, except: number): void {
  const { state } = play;
  if (state.hasEnds) return;
  state.hasEnds = true;
  state.turns.forEach(({ key, engine, end }, at) => {
    if (at !== except && end === null && engine !== undefined) say(play, { type: 'turn.changed', turn: key, settlesAs: 'interrupted' });
  });
}

/** A step that is still open when its turn ends came no further. */
function closeStep(play: Play, turn: number, status: TurnStatus): void {
  const { open } = waiting(play);
  const step = stepAt(play, open);
  if (step && step.turn === turn && !step.end) endStep(play, open, { status: status === 'completed' ? 'completed' : 'interrupted' });
}

function tellEnd(play: Play, turn: TurnState, end: { status: TurnStatus; reason?: string | undefined; error?: TurnError | undefined; durationMs?: number | undefined }): void {
  turn.status = end.status;
  turn.end = ordinalOf(sayWord(play, present({ type: 'turn.ended' as const, turn: turn.key, ...end })));
  turn.ends.push({ line: play.line, end: turn.end, status: end.status });
}

/** What was said while the turn ran and stands in turns of its own ended with it. */
function endFollowers(play: Play, at: number, end: { status: TurnStatus; reason?: string | undefined }): void {
  const { state } = play;
  for (let follower = at + 1; follower < state.turns.length; follower += 1) {
    const turn = state.turns[follower];
    if (!turn || turn.isOff || turn.engine !== undefined || turn.end !== null) continue;
    closeStep(play, follower, end.status);
    tellEnd(play, turn, end);
  }
}

/** `turn.ended`: the newest one of a turn counts. Numbers that no turn has are of turns that are not shown. */
export function playTurnEnded(play: Play): LineVerdict {
  const { state, raw } = play;
  const number = countAt(raw, 'turnId');
  const reason = stringAt(raw, 'reason');
  if (number === undefined) return 'unknown';
  const at = turnByNumber(play, number);
  noteFirstEnd(play, at);
  const turn = state.turns[at];
  if (!turn) return 'ignored';
  const status = (reason !== undefined && Object.hasOwn(statuses, reason) ? statuses[reason] : undefined) ?? turn.status ?? 'completed';
  closeStep(play, at, status);
  tellEnd(play, turn, { status, reason, error: errorOf(raw), durationMs: numberAt(raw, 'durationMs') });
  endFollowers(play, at, { status, reason });
  return 'played';
}

/** The step that a record means: by the engine's numbers, else by its place in the turn. */
function stepByNumber(state: KimiCodeState, turn: number, number: { turn: number; step: number }): number {
  const own = (state.turns[turn]?.steps ?? []).filter((at) => !state.steps[at]?.isOff);
  const named = own.find((at) => state.steps[at]?.engineTurn === number.turn && state.steps[at]?.engineStep === number.step);
  return named ?? own.find((at) => state.steps[at]?.ordinal === number.step && state.steps[at]?.engineStep === undefined) ?? -1;
}

/** `turn.step.interrupted`: how a step broke off; a step that nothing else tells of is made. */
export function playStepInterrupted(play: Play): LineVerdict {
  const { state, raw } = play;
  const [turnNumber, step, reason] = [countAt(raw, 'turnId'), countAt(raw, 'step'), stringAt(raw, 'reason')];
  if (turnNumber === undefined || step === undefined || reason === undefined) return 'unknown';
  const turn = turnByNumber(play, turnNumber);
  if (turn < 0) return 'ignored';
  const found = stepByNumber(state, turn, { turn: turnNumber, step });
  const at = found >= 0 ? found : beginStub(play, turn);
  const own = stepAt(play, at);
  if (own) own.isInterrupted = true;
  own?.interruptions.push(play.line);
  endStep(play, at, { status: 'interrupted', reason, message: stringAt(raw, 'message') });
  return 'played';
}

/** `turn.step.retrying`: the request failed and is made again, as the next step. */
export function playStepRetrying(play: Play): LineVerdict {
  const { raw, state } = play;
  const uuid = stringAt(raw, 'stepId');
  const at = state.steps.length - 1;
  const step = state.steps[at];
  if (!step || (uuid !== undefined && step.uuid !== uuid)) return 'ignored';
  say(play, present({
    type: 'step.retried' as const, turn: state.turns[step.turn]?.key, step: step.key, failedAttempt: numberAt(raw, 'failedAttempt'), maxAttempts: numberAt(raw, 'maxAttempts'), delayMs: numberAt(raw, 'delayMs'), errorName: stringAt(raw, 'errorName'),
    message: stringAt(raw, 'errorMessage'), statusCode: numberAt(raw, 'statusCode'),
  }));
  return 'played';
}
