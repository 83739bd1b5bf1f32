import type { TapeLine } from '@tapefold/facts';
import { afterTest } from '@tapefold/testing';
import { setTimeout } from 'node:timers/promises';
import { type FollowOptions, type Followed, followLines } from './follow-lines.js';

/** What a reader that follows has seen so far. */
export interface Seen {
  readonly events: readonly Followed[];
  /** Lines since the last restart. */
  readonly lines: readonly TapeLine[];
  readonly texts: readonly (string | undefined)[];
  /** Set when following ended: with an error, or without. */
  readonly end: { readonly error?: unknown } | undefined;
  /** Waits for it, and fails with what was seen when it does not come. */
  readonly until: (isTrue: () => boolean, timeoutMs?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Follows a file and takes all that comes. */
export function followed(path: string, options: FollowOptions = {}): Seen {
  const tape = followLines(path, options);
  const events: Followed[] = [];
  let lines: TapeLine[] = [];
  let end: { error?: unknown } | undefined;
  const done = (async () => {
    for await (const event of tape) {
      events.push(event);
      if (event.kind === 'restarted') lines = [];
      if (event.kind === 'lines') lines.push(...event.lines);
    }
  })().then(() => { end = {}; }, (error: unknown) => { end = { error }; });
  const close = async (): Promise<void> => { tape.close(); await done; };
  afterTest(close);
  const until = async (isTrue: () => boolean, timeoutMs = 10_000): Promise<void> => {
    for (const start = Date.now(); !isTrue(); await setTimeout(1)) if (Date.now() - start > timeoutMs) throw new Error(`did not come: ${JSON.stringify({ events, end })}`);
  };
  return { events, get lines() { return lines; }, get texts() { return lines.map(({ text }) => text); }, get end() { return end; }, until, close };
}
