import pc from 'picocolors';
import { safeLines } from './safe-text.js';

/** What a piece of a line is, in words that a palette turns into colours. */
export type Tone = 'title' | 'strong' | 'dim' | 'good' | 'bad' | 'warn' | 'accent' | 'prompt';

/** A piece of text in one tone; not safe for a terminal before `createPaint` paints it. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** One line of output, without colours and not yet made safe: both happen in one place, when it is painted. */
export type Line = readonly (string | Span)[];

/** Turns a line into text for the terminal. */
export type Paint = (line: Line) => string;

type Colours = ReturnType<typeof pc.createColors>;

const palette = (c: Colours): Record<Tone, (text: string) => string> => ({
  title: (text) => c.bold(c.underline(text)), strong: c.bold, dim: c.dim, good: c.green, bad: c.red, warn: c.yellow, accent: c.cyan, prompt: (text) => c.bold(c.blue(text)),
});

/**
 * The only way from a line to the terminal. Whatever stands in a span is made safe here, before it is coloured, so that no caller can forget it;
 * a line stays one line.
 */
export function createPaint(hasColours: boolean): Paint {
  const tones = palette(pc.createColors(hasColours));
  return (line) => line.map((part) => {
    const { text, tone } = typeof part === 'string' ? { text: part, tone: undefined } : part;
    const safe = safeLines(text).join(' ');
    return tone === undefined || safe === '' ? safe : tones[tone](safe);
  }).join('');
}

/** An empty line. */
export const blank: Line = [];
