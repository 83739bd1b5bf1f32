import type { Interval } from '@tapefold/threads';

/* What most rows have in common, as what JSON leaves out. */

export const orUndefined = <T>(value: T | null): T | undefined => value ?? undefined;

export const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

export const unlessZero = (value: number): number | undefined => (value === 0 ? undefined : value);

/** Undefined where a row was part of the history from its own position on. */
export function unlessSince(effective: readonly Interval[], position: number): readonly Interval[] | undefined {
  return effective.length === 1 && effective[0]?.[0] === position && effective[0][1] === null ? undefined : effective;
}
