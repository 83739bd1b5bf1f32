import { type Difference, againstKnown, differencesOf } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { type CodexRun, runOf } from './codex-run.suite.js';
import { tracedThreads } from './codex-traces.suite.js';
import { itemsOtherwise, transcriptsOtherwise } from './codex-known.suite.js';

const threads = tracedThreads();
/** Runs wait more than they work. */
const AT_ONCE = 4;
const runs = new Map<string, Promise<CodexRun>>();

/** The run of a thread; those that come next begin meanwhile. */
function run(at: number): Promise<CodexRun> {
  for (const thread of threads.slice(at, at + AT_ONCE)) {
    const running = runs.get(thread.name) ?? runOf(thread);
    runs.set(thread.name, running);
    // Whoever waits for it hears why it failed.
    running.catch(() => undefined);
  }
  return runs.get(threads[at]!.name)!;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('notifications of a running Codex, told over the bus to clients of transcripts and of JSON-RPC', () => {
  const [transcripts, turns] = [new Map<string, readonly Difference[]>(), new Map<string, readonly Difference[]>()];
  let streamed = 0;

  it.each(threads.map(({ name }, at) => [name, at] as const))('[R-OPS-8] [R-LIVE-1] %s: text comes as it is told, and clients of every grade end in step', async (name, at) => {
    const ended = await run(at);
    transcripts.set(name, [ended.running, ended.settled].flatMap(({ held, cold }) => differencesOf(plain(held), plain(cold))));
    turns.set(name, differencesOf(plain(ended.turns.held), plain(ended.turns.cold)));
    streamed += ended.streamed;
  });

  it('[R-OPS-8] are all there is, of every recorded scenario, with text on its way', () => {
    expect(threads.length).toBeGreaterThanOrEqual(40);
    expect(new Set(threads.map(({ home }) => home)).size).toBeGreaterThanOrEqual(35);
    expect(transcripts.size).toBe(threads.length);
    expect(streamed).toBeGreaterThanOrEqual(95);
  });

  it('[R-OPS-8] transcripts end, running and settled, as the cold fold of the finished files, but for what is known', () => expect(againstKnown(transcripts, transcriptsOtherwise)).toEqual({ unknown: [], unmet: [] }));

  it('[R-OPS-8] [R-RPC-1] turns and items over JSON-RPC end as a read of the finished files, but for what is known', () => expect(againstKnown(turns, itemsOtherwise)).toEqual({ unknown: [], unmet: [] }));
});
