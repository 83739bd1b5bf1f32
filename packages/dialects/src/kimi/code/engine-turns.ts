import type { JsonObject, Origin } from '@tapefold/facts';
import { countAt, present, stringAt } from '../../shape.js';
import { isAnchorOrigin, isHiddenOrigin, originOf } from './origins.js';
import type { KimiCodeState, RawTurn } from './state.js';

/*
 * The engine numbers its turns, in `turn.prompt` or by counting; what is shown as a turn is made of messages. Which number is whose the original finds out
 * over the whole file; here each turn takes its number when it opens, from the prompts that wait for one.
 */

/** How the engine's origin is called in ours, with a person's words apart. */
const kindOf = (origin: JsonObject | undefined): string => originOf(origin).kind;

/** Notes a prompt: the engine's number is its own, or the next one. */
export function notePrompt(state: KimiCodeState, raw: JsonObject, line: number): number {
  const { engine } = state;
  while (engine.skipped.includes(engine.next)) engine.next += 1;
  const number = countAt(raw, 'turnId') ?? engine.next;
  const origin = raw['origin'] as JsonObject | undefined;
  engine.next = Math.max(engine.next, number + 1);
  const given = typeof origin === 'object' && origin !== null ? origin : undefined;
  if (!isHiddenOrigin(given)) engine.raws.push(present({ engine: number, promptId: stringAt(raw, 'promptId'), kind: kindOf(given), isAnchor: isAnchorOrigin(given), line }));
  return number;
}

/** A turn that was cancelled in the queue has a number and nothing else. */
export function skipTurn(state: KimiCodeState, number: number): void {
  if (number >= state.engine.next) state.engine.skipped.push(number);
}

/** Which waiting prompt a turn is made of: the one it names; else one of its kind that is no person's; else the oldest without a name. */
function choose(raws: readonly RawTurn[], of: { origin: Origin; promptId?: string | undefined }): number {
  const named = of.promptId === undefined ? -1 : raws.findIndex(({ promptId }) => promptId === of.promptId);
  if (named >= 0) return named;
  const alike = of.promptId === undefined ? raws.findIndex(({ isAnchor, kind }) => !isAnchor && kind === of.origin.kind) : -1;
  if (alike >= 0) return alike;
  const nameless = raws.findIndex(({ isAnchor, promptId }) => isAnchor && promptId === undefined);
  if (nameless >= 0 || of.origin.kind !== 'other' || of.promptId !== undefined) return nameless;
  return raws.findIndex(({ isAnchor }) => isAnchor);
}

/** The prompt that a turn is made of when it opens; undefined where none made it. */
export function claimTurn(state: KimiCodeState, of: { origin: Origin; promptId?: string | undefined }): RawTurn | undefined {
  const { raws } = state.engine;
  const at = choose(raws, of);
  const raw = raws[at];
  if (raw) state.engine.raws = raws.filter((_, i) => i !== at);
  return raw;
}
