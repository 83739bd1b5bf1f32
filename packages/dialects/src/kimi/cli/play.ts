import type { FactDraft, FactKey, JsonObject, TapeIdentity, Usage } from '@tapefold/facts';
import type { Pen } from '../../pen.js';
import { finite, numberAt, present } from '../../shape.js';
import type { CliState, RunState } from './state.js';

/** One record as it is played. */
export interface Play {
  readonly identity: TapeIdentity;
  readonly state: CliState;
  readonly pen: Pen;
  /** Which of the line's records it is, and the way from its root to `payload`. */
  readonly record: number;
  readonly path: readonly string[];
  readonly type: string;
  readonly payload: JsonObject;
  readonly at: string | undefined;
  readonly run: RunState;
  readonly runIndex: number;
}

/** What became of a record. */
export type Played = 'played' | 'ignored' | 'unknown';

/** Writes a fact of the run that the record is of. */
export function say(play: Play, draft: FactDraft): FactKey {
  return play.pen.write(present({ ...draft, at: play.at, agent: draft.agent ?? play.run.agent }) as FactDraft);
}

/** Where the run is. */
export function here({ run }: Play): { turn?: FactKey; step?: FactKey } {
  return { ...(run.turn === null ? {} : { turn: run.turn }), ...(run.step === null ? {} : { step: run.step }) };
}

export const timeMs = ({ at }: Play): number | undefined => (at === undefined ? undefined : Date.parse(at));

/** The id of the next block of the step: the step's, and its number among the blocks that are no calls. */
export function nextBlockId({ run }: Play): string {
  run.blocks += 1;
  return `${run.stepId}.f${run.blocks}`;
}

/** A message of a person or the model begins in the model's history: a compaction keeps the newest two. */
export function beginMessage({ run, state }: Play): void {
  run.messages = [...run.messages, state.nextOrdinal].slice(-2);
}

/** Adds to the model's own message of the step: behind what it holds, also where a result came between. `run`: of the step that it belongs to. */
export function sayOwn(play: Play, draft: Omit<Extract<FactDraft, { type: 'context.appended' }>, 'type'>, run: RunState = play.run): void {
  const after = run.hasResult && run.message !== null ? run.message : undefined;
  run.message = say(play, { type: 'context.appended', ...draft, ...(after === undefined ? {} : { after }) });
}

const usageFields = ['input_other', 'output', 'input_cache_read', 'input_cache_creation'] as const;

/** Token counts in our words: the input is all of it. */
export function usageOf(raw: JsonObject | undefined): Usage | undefined {
  if (!raw) return undefined;
  const [other, outputTokens, cachedInputTokens, cacheWriteTokens] = usageFields.map((field) => finite(numberAt(raw, field)));
  if (other === undefined && outputTokens === undefined) return undefined;
  const inputTokens = finite((other ?? 0) + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0));
  return present({ inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, totalTokens: finite((inputTokens ?? 0) + (outputTokens ?? 0)) });
}

const summed = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'totalTokens'] as const;

export function addUsage(total: Usage, usage: Usage): Usage {
  return present(Object.fromEntries(summed.map((field) => [field, total[field] === undefined && usage[field] === undefined ? undefined : finite((total[field] ?? 0) + (usage[field] ?? 0))]))) as Usage;
}
