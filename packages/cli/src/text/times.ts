type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

/** Times in the person's time zone (or, for tests, another one). */
export interface Times {
  /** For lists, always twelve columns, as `ls -l` has it: `Mar  4 09:12` within half a year, else `Nov 30  2025`. */
  short(ms: number): string;
  /** `2026-03-04 09:12`. */
  minute(ms: number): string;
}

const HALF_YEAR_MS = 183 * 24 * 3600 * 1000;
/** What JavaScript can still take for a time. */
const LAST_MS = 8.64e15;

/** `nowMs` decides what is recent; without `timeZone` that of the process. */
export function createTimes(nowMs: number, timeZone?: string): Times {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' });
  const month = new Intl.DateTimeFormat('en-US', { timeZone, month: 'short' });
  const partsOf = (ms: number): Parts => Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const isTime = (ms: number): boolean => Number.isFinite(ms) && Math.abs(ms) <= LAST_MS;
  return {
    short: (ms) => {
      if (!isTime(ms)) return '–'.padEnd(12);
      const { year = '', day = '', hour, minute } = partsOf(ms);
      const isRecent = Math.abs(nowMs - ms) < HALF_YEAR_MS;
      return `${month.format(ms)} ${String(Number(day)).padStart(2)} ${isRecent ? `${hour}:${minute}` : year.padStart(5)}`;
    },
    minute: (ms) => {
      if (!isTime(ms)) return 'an impossible time';
      const { year, month: monthNumber, day, hour, minute } = partsOf(ms);
      return `${year}-${monthNumber}-${day} ${hour}:${minute}`;
    },
  };
}
