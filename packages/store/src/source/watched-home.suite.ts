import { afterTest } from '@tapefold/testing';
import { join } from 'node:path';
import { folder, put } from '../indexing/grown-home.suite.js';
import type { IndexResult } from '../indexing/indexer.js';
import type { HomeRef } from '../thread-source.js';
import { type Indexing, startIndexing } from './start-indexing.js';

export const id = (n: number): string => `01990000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })}\n`;
/** The first line of a session of Codex. */
export const meta = (n: number): string => line('session_meta', { id: id(n), timestamp: '2026-01-01T00:00:00Z', cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' });
/** A turn of one. */
export const said = (text: string): string => line('event_msg', { type: 'user_message', message: text }) + line('event_msg', { type: 'agent_message', message: `re: ${text}` });
/** Where it lies. */
export const pathOf = (home: HomeRef, n: number): string => join(home.path, `sessions/2026/01/01/rollout-2026-01-01T00-00-${String(n).padStart(2, '0')}-${id(n)}.jsonl`);

/** A home of Codex with so many sessions of a turn each, in a folder above which nothing else is. */
export function codexHome(sessions: number): HomeRef {
  const home: HomeRef = { program: 'codex', path: join(folder(), 'home') };
  for (let n = 0; n < sessions; n++) put(pathOf(home, n), meta(n) + said('one'), Date.UTC(2026, 0, 1) + n);
  return home;
}

/** What a watching worker told. */
export class Watching {
  readonly indexing: Indexing;
  readonly path: string;
  readonly results: IndexResult[] = [];
  readonly troubles: string[] = [];
  #isNews: () => void = () => undefined;

  constructor(homes: readonly HomeRef[], path = join(folder(), 'index.db')) {
    this.path = path;
    this.indexing = startIndexing({ path, homes, isWatching: true, isFresh: false }, {
      onPass: (result) => { this.results.push(result); this.#isNews(); },
      onTrouble: (error) => { this.troubles.push(error.message); this.#isNews(); },
    });
    // A test looks at it later, if at all.
    this.indexing.done.catch(() => undefined);
    afterTest(async () => {
      this.indexing.stop();
      await this.indexing.done.catch(() => undefined);
    });
  }

  /** What passed until something is true of what is told, in milliseconds. */
  async until(isTrue: () => boolean): Promise<number> {
    const start = performance.now();
    const isOver = this.indexing.done.then(() => { throw new Error('it ended'); });
    while (!isTrue()) await Promise.race([isOver, new Promise<void>((resolve) => { this.#isNews = resolve; })]);
    return performance.now() - start;
  }

  /** The next pass that has something of these; in milliseconds. */
  async sees(wanted: Partial<IndexResult>): Promise<number> {
    const from = this.results.length;
    const isWanted = (result: IndexResult): boolean => (Object.keys(wanted) as (keyof IndexResult)[]).every((key) => result[key] === wanted[key]);
    return this.until(() => this.results.slice(from).some(isWanted));
  }
}
