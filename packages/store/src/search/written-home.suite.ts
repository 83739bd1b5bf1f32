import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, index, newStore } from '../indexing/grown-home.suite.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { type RowSearch, createRowSearch } from './search-rows.js';
import type { SearchHit, SearchQuery, SearchResult } from './search-result.js';
import { indexTexts } from './text-indexer.js';

/** What happens in a turn of a written thread. */
export type Happening = { readonly user: string } | { readonly agent: string } | { readonly command: readonly string[]; readonly output: string } | { readonly rollback: number };

/** A thread to be written; the higher `n`, the newer. */
export interface WrittenThread {
  readonly n: number;
  readonly cwd?: string;
  readonly turns: readonly (readonly Happening[])[];
  /** The last turn is not ended. */
  readonly isOpen?: boolean;
}

const START_MS = Date.UTC(2026, 0, 2);
/** Threads are a day apart. */
const STEP_MS = 24 * 3_600_000;

export const threadId = (n: number): string => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const timeOf = (n: number): number => START_MS + n * STEP_MS;

const lineOf = (n: number, type: string, payload: object): string => `${JSON.stringify({ timestamp: new Date(timeOf(n)).toISOString(), type, payload })}\n`;

function linesOf({ n, cwd = '/work/app', turns, isOpen }: WrittenThread): string {
  const event = (type: string, payload: object): string => lineOf(n, 'event_msg', { type, ...payload });
  const happening = (each: Happening, at: string): string => {
    if ('user' in each) return event('user_message', { message: each.user });
    if ('agent' in each) return event('agent_message', { message: each.agent });
    if ('rollback' in each) return event('thread_rolled_back', { num_turns: each.rollback });
    return event('exec_command_end', {
      call_id: at, turn_id: at.split('.')[0], command: each.command, cwd, parsed_cmd: [], source: 'agent', stdout: '', stderr: '', aggregated_output: each.output, exit_code: 0, duration: { secs: 0, nanos: 1 }, formatted_output: '', status: 'completed',
    });
  };
  const meta = lineOf(n, 'session_meta', { id: threadId(n), timestamp: new Date(timeOf(n)).toISOString(), cwd, originator: 'o', cli_version: '1', source: 'cli', model_provider: 'openai' });
  return meta + turns.map((turn, t) => {
    const end = isOpen && t === turns.length - 1 ? '' : event('task_complete', { turn_id: `t${t}`, last_agent_message: null });
    return turn.some((each) => 'rollback' in each) ? turn.map((each) => happening(each, '')).join('') : event('task_started', { turn_id: `t${t}` }) + turn.map((each, i) => happening(each, `t${t}.${i}`)).join('') + end;
  }).join('');
}

/** Where a written thread lies. */
export const pathOf = (home: HomeRef, n: number): string => join(home.path, `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${threadId(n)}.jsonl`);

/** Writes threads as Codex would, each at a time of its own. */
export function writeThreads(home: HomeRef, threads: readonly WrittenThread[]): void {
  mkdirSync(join(home.path, 'sessions/2026/01/02'), { recursive: true });
  for (const thread of threads) {
    const path = pathOf(home, thread.n);
    writeFileSync(path, linesOf(thread));
    utimesSync(path, timeOf(thread.n) / 1000, timeOf(thread.n) / 1000);
  }
}

/** A home, its store, and a search over it. */
export interface Searched {
  readonly home: HomeRef;
  readonly store: SqliteStore;
  readonly rows: RowSearch;
  readonly search: (text: string, more?: Partial<SearchQuery>) => SearchResult;
  /** Brings rows and text to what the files hold. */
  readonly update: () => Promise<void>;
}

/** Indexes threads; the budget is what a test can wait for. */
export async function searched(threads: readonly WrittenThread[]): Promise<Searched> {
  const home: HomeRef = { program: 'codex', path: folder() };
  writeThreads(home, threads);
  const store = await newStore();
  const rows = createRowSearch(store, { homes: [home], nowMs: () => 0 });
  const update = async (): Promise<void> => {
    await index(store, [home]);
    await indexTexts(store);
  };
  await update();
  return { home, store, rows, update, search: (text, more = {}) => rows.search({ text, limit: 500, budgetTexts: 100_000, ...more }) };
}

/** The threads of hits, by number, in order, each once. */
export const numbersOf = ({ hits }: Pick<SearchResult, 'hits'>): number[] => [...new Set(hits.map(({ thread }: SearchHit) => Number(thread.thread.id.slice(-12))))];
