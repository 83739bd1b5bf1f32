import { type FactDraft, factSchema } from '@tapefold/facts';
import { TapeError } from '../errors.js';

/** What readers take for damage when it nests deeper (they allow 500 levels of a record). */
const MAX_DEPTH = 480;

/** Why a value would not come back from the tape as it is; undefined where it would. */
function unreadable(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} is no number of JSON`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return `it nests deeper than ${MAX_DEPTH} levels`;
  for (const inner of Object.values(value)) {
    const why = unreadable(inner, depth + 1);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A draft that readers will read as it is. Throws `TapeError` (`badFact`), naming the field. */
export function checkedDraft<D extends FactDraft>(draft: D, path: string): D {
  const refuse = (why: string): never => { throw new TapeError('badFact', { path, why }); };
  const why = unreadable(draft, 0);
  if (why !== undefined) refuse(`${draft.type}: ${why}`);
  const parsed = factSchema.safeParse({ ...draft, tape: 'x', ordinal: 0, line: { offset: 0, length: 0 } });
  const issue = parsed.error?.issues[0];
  if (issue) refuse(`${draft.type}, ${issue.path.join('.')}: ${issue.message}`);
  return draft;
}
