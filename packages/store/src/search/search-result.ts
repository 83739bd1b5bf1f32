import type { TextSource } from './item-texts.js';
import type { Snippet } from './match-text.js';
import type { SearchScope } from './threads.js';
import type { ThreadSummary } from '../thread-source.js';

/** What is looked for, and where. */
export interface SearchQuery extends SearchScope {
  /** Words and "phrases"; each has to stand in the text, in any case, as a part of a word too. */
  readonly text: string;
  /** What tools put out is searched too. */
  readonly hasToolOutput?: boolean | undefined;
  /** What was taken back (rolled back, reverted, on a branch that was left) is found too, marked. */
  readonly hasSuperseded?: boolean | undefined;
  /** Hits that are left out in front (default 0), and most hits of the answer (default 25, at most 500). */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** How long texts are looked at (default 1 s), and how many (default 500). */
  readonly budgetMs?: number | undefined;
  readonly budgetTexts?: number | undefined;
}

/** A text that holds what was looked for. */
export interface SearchHit {
  readonly thread: ThreadSummary;
  /** Where to jump to: ids as the thread's turns and items carry them; `ordinal`: the item's record in the thread. */
  readonly turnId: string;
  readonly itemId: string;
  readonly ordinal: number;
  readonly source: TextSource;
  /** When it was said, or, where no record tells, when the thread changed (Unix ms). */
  readonly atMs: number;
  readonly snippet: Snippet;
  /** What the order of hits goes by: relevance and recency; comparable within one answer. */
  readonly score: number;
  /** It is no longer part of the thread. */
  readonly isSuperseded: boolean;
  /** Other threads that the same record is part of: forks. */
  readonly alsoIn: readonly string[];
}

/** Why a search may have missed something; absent reasons are 0 and false. */
export interface SearchGaps {
  /** The homes were never indexed: nothing was searched. */
  readonly isUnknown: boolean;
  /** Threads that are not, or only partly, in the index. */
  readonly threads: number;
  /** Items whose text is still to be indexed. */
  readonly waitingTexts: number;
  /** Items with more text than is searched. */
  readonly cutTexts: number;
  /** There were more places to look at than the budget allows: the newest threads were looked through first. */
  readonly isOverBudget: boolean;
}

/** Hits, the best first. `matches`: how many there are, as far as was looked. `incomplete`: null where nothing can have been missed. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly matches: number;
  readonly incomplete: SearchGaps | null;
}
