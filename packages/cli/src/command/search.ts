import { type AgentProgram, type LastTurnStatus, type SearchHit, type SearchQuery, type SearchResult, StoreError, type StoreErrorCode, createRowSearch, startIndexing } from '@tapefold/store';
import { setTimeout } from 'node:timers/promises';
import { resolve } from 'node:path';
import { EXIT } from '../exit.js';
import { indexPath, openIndex } from '../open-index.js';
import { Progress } from '../progress.js';
import { gapSentences, hitLines } from '../render/search-view.js';
import { jsonText } from '../text/json-text.js';
import { blank } from '../text/line.js';
import { counted } from '../text/measures.js';
import type { Command, Session } from './session.js';
import { sinceMs } from './since.js';
import { wholeNumber } from './whole-number.js';

/** `tapefold search` as typed; numbers and times are still text. */
export interface SearchOptions {
  readonly words: readonly string[];
  readonly json?: true | undefined;
  readonly agent?: AgentProgram | undefined;
  readonly cwd?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly status?: LastTurnStatus | undefined;
  readonly session?: string | undefined;
  readonly toolOutput?: true | undefined;
  readonly superseded?: true | undefined;
  readonly limit?: string | undefined;
  readonly update: boolean;
}

/** How the last turn of a thread can stand. */
export const turnStatuses: readonly LastTurnStatus[] = ['completed', 'interrupted', 'failed', 'open', 'empty'];

/** Hits on a screen, and most of one answer. */
const DEFAULT_HITS = 10;
const MOST_HITS = 500;
/** So long the index is brought up to date before the search; what is not in it by then is told. */
const UPDATE_MS = 5_000;
/** A person waits for one search, not for a keystroke. */
const BUDGET_MS = 3_000;
const BUDGET_TEXTS = 20_000;

function queryOf(options: SearchOptions, { surroundings }: Session): SearchQuery {
  const time = (text: string | undefined): number | undefined => (text === undefined ? undefined : sinceMs(text, surroundings.nowMs()));
  return {
    text: options.words.join(' '), program: options.agent, cwd: options.cwd === undefined ? undefined : resolve(surroundings.cwd, options.cwd), sinceMs: time(options.since), untilMs: time(options.until), status: options.status,
    hasToolOutput: options.toolOutput, hasSuperseded: options.superseded, limit: options.limit === undefined ? DEFAULT_HITS : Math.min(MOST_HITS, wholeNumber(options.limit, '--limit', 1)), budgetMs: BUDGET_MS, budgetTexts: BUDGET_TEXTS,
  };
}

/** What keeps an index from being brought up to date, and not from being read. */
const searchable: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(['storeFull', 'storeBusy', 'leaseLost']);

/** Brings the index up to date, as far as it gets in a while; where another process does so, that one's work is what there is. */
async function update({ terminal, surroundings, homes }: Session): Promise<void> {
  const progress = new Progress(terminal, 'indexing');
  const indexing = startIndexing({ path: indexPath(surroundings), homes, isWatching: false, isFresh: false }, { onProgress: progress.index, onTexts: progress.texts });
  const patience = new AbortController();
  const stopped = setTimeout(UPDATE_MS, undefined, { signal: patience.signal }).then(() => indexing.stop(), () => undefined);
  try {
    await indexing.done;
  } catch (error) {
    // What is in the index can be searched all the same; what is missing in it is told.
    if (!(error instanceof StoreError && searchable.has(error.code))) throw error;
    terminal.note(error.message);
  } finally {
    patience.abort();
    await stopped;
    progress.clear();
  }
}

const hitJson = ({ thread: { thread, program, path, isArchived, isSubAgent }, ...hit }: SearchHit): object => ({ thread, program, path, isArchived, isSubAgent, ...hit });

async function write({ hits, matches, incomplete }: SearchResult, { json }: SearchOptions, { output, terminal, surroundings, times }: Session): Promise<void> {
  if (json) {
    await output.line(jsonText({ hits: hits.map(hitJson), matches, incomplete }));
  } else {
    const view = { times, homeDir: surroundings.homeDir };
    for (const [i, hit] of hits.entries()) await output.lines([...(i === 0 ? [] : [blank]), ...hitLines(hit, view)].map((line) => terminal.paint(line)));
  }
  await output.flush();
  if (json) return;
  if (matches > hits.length) terminal.note(`${counted(matches - hits.length, 'more place')} left out: --limit shows more.`);
  if (matches === 0) terminal.note(`nothing found${incomplete ? ' so far' : ''}.`);
  for (const sentence of incomplete ? gapSentences(incomplete) : []) terminal.note(sentence);
}

/** Words and "phrases" in what was said and done in all sessions, the best first. */
export const search: Command<SearchOptions> = async (session, options) => {
  const query = queryOf(options, session);
  if (options.update) await update(session);
  const store = openIndex(session.surroundings);
  if (!store) {
    session.terminal.note('there is no index to search: `tapefold index` makes one.');
    return EXIT.data;
  }
  try {
    const threadId = options.session === undefined ? undefined : (await (await session.source()).summary(options.session)).thread.id;
    await write(createRowSearch(store, { homes: session.homes, nowMs: session.surroundings.nowMs }).search({ ...query, threadId }), options, session);
  } finally {
    await store.close();
  }
  return EXIT.ok;
};
