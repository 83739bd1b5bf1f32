import { UsageError } from '../exit.js';

const HOUR_MS = 3_600_000;
const unitsMs: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };
const span = /^(?<count>\d{1,6})(?<unit>[hdw])$/;
const date = /^\d{4}-\d\d-\d\d$/;
const dateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** `--since`: a span back from now (`3d`, `12h`, `2w`), or an ISO date or time; without a zone it is the person's own. Returns Unix milliseconds. */
export function sinceMs(text: string, nowMs: number): number {
  const { count, unit } = span.exec(text)?.groups ?? {};
  if (count !== undefined && unit !== undefined) return nowMs - Number(count) * (unitsMs[unit] ?? 0);
  // JavaScript takes a bare date for UTC, and a time without a zone for local: a person means local both times.
  const iso = date.test(text) ? `${text}T00:00` : dateTime.test(text) ? text.replace(' ', 'T') : '';
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new UsageError(`--since takes a date or time like 2026-03-04 or 2026-03-04T09:30, or 12h, 3d, 2w, not ${text}.`);
  return ms;
}
