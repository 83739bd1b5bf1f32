import type { TapeLine } from '@tapefold/facts';

/** Lines that are looked through for a time: most have one near their start. */
const LINES = 20;
const START_CHARS = 20_000;

/** When the newest of some lines (oldest first) was written, by its own word, in Unix ms; undefined where the newest few do not say it. */
export function newestRecordMs(lines: readonly TapeLine[]): number | undefined {
  for (const { text } of lines.slice(-LINES).reverse()) {
    const at = Date.parse(/"timestamp":"([^"]{1,40})"/.exec(text?.slice(0, START_CHARS) ?? '')?.[1] ?? '');
    if (!Number.isNaN(at)) return at;
  }
  return undefined;
}
