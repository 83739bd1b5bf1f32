import { scopeOf } from '../indexing/indexer.js';
import { guarded } from '../sqlite/database.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { Candidates, type ThreadCandidates } from './candidates.js';
import { ENOUGH_MATCHES, HITS, LOOKED_AT } from './limits.js';
import { matchText } from './match-text.js';
import { type Match, type RankedMatch, ranked } from './rank.js';
import { type FoundItem, RowLook, type ThreadLook } from './row-look.js';
import { SearchBudget } from './search-budget.js';
import { type SearchTerm, parseQuery } from './search-query.js';
import type { SearchGaps, SearchHit, SearchQuery, SearchResult } from './search-result.js';
import { type SearchedThread, SearchedThreads } from './threads.js';

const DEFAULT_HITS = 25;

/** When an item was said, by its own word. */
function timeOf({ row }: FoundItem): number | undefined {
  const ms = row.at === undefined ? Number.NaN : Date.parse(row.at);
  return Number.isNaN(ms) ? (row.completedAtMs ?? row.startedAtMs) : ms;
}

const isWithin = (atMs: number, { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY }: SearchQuery): boolean => atMs >= sinceMs && atMs < untilMs;

/** What a search over one store works with, prepared once. */
interface Tools {
  readonly candidates: Candidates;
  readonly look: RowLook;
  readonly threads: SearchedThreads;
  readonly nowMs: () => number;
}

/** One search: looks at what the index names, and keeps what holds the terms. */
class Search {
  readonly #query: SearchQuery;
  readonly #tools: Tools;
  readonly #terms: readonly SearchTerm[];
  readonly #budget: SearchBudget;
  readonly #matches: Match[] = [];
  #isOverBudget = false;

  constructor(query: SearchQuery, tools: Tools) {
    this.#query = query;
    this.#tools = tools;
    this.#terms = parseQuery(query.text);
    this.#budget = new SearchBudget(tools.nowMs, { ms: query.budgetMs, texts: query.budgetTexts });
  }

  run(): SearchResult {
    const threads = this.#tools.threads.wanted(this.#query);
    if (!threads) return { hits: [], matches: 0, incomplete: { isUnknown: true, threads: 0, waitingTexts: 0, cutTexts: 0, isOverBudget: false } };
    const { budgetTexts = LOOKED_AT, hasToolOutput = false } = this.#query;
    const wanted = { terms: this.#terms.map((term) => term.folded), hasToolOutput, limit: budgetTexts, isLate: () => this.#budget.isLate() };
    for (const candidates of this.#tools.candidates.of(wanted, threads)) {
      if (this.#budget.isOver || (candidates.isOneOfMany && this.#matches.length >= budgetTexts * ENOUGH_MATCHES)) this.#isOverBudget = true;
      if (this.#isOverBudget) break;
      this.#lookAt(candidates);
    }
    return this.#result(threads);
  }

  #lookAt({ thread, ids, isAll }: ThreadCandidates): void {
    const look = this.#tools.look.thread(thread);
    if (!look) return;
    if (!isAll) this.#isOverBudget = true;
    for (const id of ids) {
      if (this.#budget.isOver) return void (this.#isOverBudget = true);
      const item = this.#tools.look.item(id, look);
      if (item && (item.isShown || this.#query.hasSuperseded)) this.#lookInto(item, { thread, look });
    }
  }

  #lookInto(item: FoundItem, { thread, look }: { readonly thread: SearchedThread; readonly look: ThreadLook }): void {
    let atMs: number | undefined;
    for (const text of this.#tools.look.texts(item, look)) {
      if (text.source === 'output' && !this.#query.hasToolOutput) continue;
      this.#budget.spend(text.text.length);
      const match = matchText(text, this.#terms);
      if (match && isWithin(atMs ??= timeOf(item) ?? this.#tools.threads.summary(thread).updatedAtMs, this.#query)) this.#matches.push({ match, thread, look, item, source: text.source, atMs });
    }
  }

  #result(threads: readonly SearchedThread[]): SearchResult {
    const { offset = 0, limit = DEFAULT_HITS } = this.#query;
    const all = ranked(this.#matches);
    const gaps: SearchGaps = {
      isUnknown: false, threads: threads.filter(({ isWhole }) => !isWhole).length, waitingTexts: this.#count('search_queue', threads), cutTexts: this.#count('search_cut', threads), isOverBudget: this.#isOverBudget,
    };
    const isComplete = !gaps.isOverBudget && gaps.threads + gaps.waitingTexts + gaps.cutTexts === 0;
    return { hits: all.slice(offset, offset + Math.min(limit, HITS)).map((each) => this.#hit(each)), matches: all.length, incomplete: isComplete ? null : gaps };
  }

  #count(table: 'search_queue' | 'search_cut', threads: readonly SearchedThread[]): number {
    const { threadId, program, cwd, status, sinceMs, untilMs } = this.#query;
    return this.#tools.threads.count(table, threads, [threadId, program, cwd, status, sinceMs, untilMs].every((filter) => filter === undefined));
  }

  #hit({ match: { match: { snippet }, thread, look, item, source, atMs }, score, alsoIn }: RankedMatch): SearchHit {
    return {
      thread: this.#tools.threads.summary(thread), turnId: item.turnId, itemId: item.row.id, ordinal: this.#tools.look.ordinal(item, look), source, atMs, snippet: snippet(), score, isSuperseded: !item.isShown, alsoIn,
    };
  }
}

/** Searches the threads of some homes. */
export interface RowSearch {
  /** Throws `StoreError`: `emptyQuery`, `queryTooLong`, and those of the store. */
  search(query: SearchQuery): SearchResult;
}

/**
 * [R-STO-6] Looks for words and phrases in what was said and done in all threads of the homes, as far as they are indexed; says so where that is not all. Looks at
 * a bounded number of texts.
 */
export function createRowSearch(store: SqliteStore, { homes, nowMs }: { readonly homes: readonly HomeRef[]; readonly nowMs: () => number }): RowSearch {
  const tools = guarded(store.path, () => ({ candidates: new Candidates(store), look: new RowLook(store), nowMs }));
  return {
    // In one transaction: what the index names, what is behind and the rows are of one state.
    search: (query) => guarded(store.path, () => store.db.transaction(() => new Search(query, { ...tools, threads: new SearchedThreads(store, scopeOf(homes)) }).run())()),
  };
}
