import type { TapeLine } from '@tapefold/facts';

/** Lines that are looked through for a time: most have one near their start. */
const LINES = 20;
const START_CHARS = 20_000;

/** A recorded time in Unix ms; undefined for none and for what is no time. */
export function timeMs(at: string | undefined): number | undefined {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** When the newest of some lines (oldest first) was written, by its own word, in Unix ms; undefined where the newest few do not say it. */
export function newestRecordMs(lines: readonly TapeLine[]): number | undefined {
  for (const { text } of lines.slice(-LINES).reverse()) {
    const at = timeMs(/"timestamp":"([^"]{1,40})"/.exec(text?.slice(0, START_CHARS) ?? '')?.[1]);
    if (at !== undefined) return at;
  }
  return undefined;
}
