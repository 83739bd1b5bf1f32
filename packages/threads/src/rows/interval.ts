import type { Interval } from '../fold/row.js';

/** True where the row is part of the history: now, or as of a position (the fact there included). */
export function isEffective(effective: readonly Interval[], asOf?: number): boolean {
  if (asOf === undefined) return effective.at(-1)?.[1] === null;
  return effective.some(([from, to]) => from <= asOf && (to === null || asOf < to));
}

/** Out of the history from `position` on; closed intervals stay as they are. */
export function closed(effective: readonly Interval[], position: number): readonly Interval[] {
  const last = effective.at(-1);
  return last?.[1] === null ? [...effective.slice(0, -1), [last[0], position]] : effective;
}

/** Back in the history from `position` on. */
export function opened(effective: readonly Interval[], position: number): readonly Interval[] {
  return isEffective(effective) ? effective : [...effective, [position, null]];
}
