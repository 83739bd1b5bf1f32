import type { OpenChain } from './cursor-chain.js';
import type { HistoryPage, PageRequest, PagedEntry } from './history-page.js';
import type { KeyedList } from './keyed-list.js';

/**
 * What is there to show. `paged` is one piece of the history without holes; `live` came over the live connection and in no page yet, newer than `paged`;
 * `ahead` are those of them that a page has shown to be older than it. An entry stands in one of the three.
 */
export interface Loaded<E> {
  readonly ahead: readonly E[];
  readonly paged: KeyedList<E>;
  readonly live: readonly E[];
  readonly lastRequestId: number;
}

/** How far a request goes: one page, or page after page to the start of history (the Home key). */
export type PagerGoal = 'page' | 'beginning';

interface Kinds<E> {
  /** Nothing was asked yet. */
  idle: { readonly kind: 'idle'; readonly loaded: Loaded<E> };
  /** One request is in flight. */
  loading: { readonly kind: 'loading'; readonly loaded: Loaded<E>; readonly chain: OpenChain; readonly request: PageRequest; readonly goal: PagerGoal };
  /** Older entries exist. */
  more: { readonly kind: 'more'; readonly loaded: Loaded<E>; readonly chain: OpenChain };
  /** Everything is loaded. */
  start: { readonly kind: 'start'; readonly loaded: Loaded<E> };
  /** Everything is loaded, and that is nothing. */
  empty: { readonly kind: 'empty'; readonly loaded: Loaded<E> };
  /** The source cannot page this thread; that says nothing about its history. */
  unsupported: { readonly kind: 'unsupported'; readonly loaded: Loaded<E> };
  /** The last request failed; `retry` asks the same again. */
  failed: { readonly kind: 'failed'; readonly loaded: Loaded<E>; readonly chain: OpenChain; readonly goal: PagerGoal; readonly reason: string };
  /** The source named a cursor a second time: what is older cannot be reached. */
  looped: { readonly kind: 'looped'; readonly loaded: Loaded<E> };
}

interface Types<E> {
  /** The reader nears the oldest loaded entry. */
  askOlder: { readonly type: 'askOlder' };
  /** The reader wants to see the start of history. */
  askBeginning: { readonly type: 'askBeginning' };
  /** The reader moved: the page in flight is the last one. */
  cancelJump: { readonly type: 'cancelJump' };
  retry: { readonly type: 'retry' };
  /** The answer to request `requestId`. */
  page: { readonly type: 'page'; readonly requestId: number; readonly page: HistoryPage<E> };
  failure: { readonly type: 'failure'; readonly requestId: number; readonly reason: string };
  unsupported: { readonly type: 'unsupported'; readonly requestId: number };
  /** Entries that began or changed, in the order in which they came. */
  live: { readonly type: 'live'; readonly entries: readonly E[] };
  /** Turns that are no part of the history any more (rollback, revert). */
  superseded: { readonly type: 'superseded'; readonly turnIds: readonly string[] };
  /** Another history: another thread, a branch that came back, a source rewritten meanwhile. */
  reset: { readonly type: 'reset' };
}

/** Tag of a state. */
export type PagerKind = keyof Kinds<PagedEntry>;
/** Tag of an event. */
export type PagerEventType = keyof Types<PagedEntry>;
/** The state of one tag, or of several. */
export type PagerStateOf<K extends PagerKind, E extends PagedEntry> = Kinds<E>[K];
/** The event of one tag, or of several. */
export type PagerEventOf<V extends PagerEventType, E extends PagedEntry> = Types<E>[V];

/** The state of a pager: a value, never changed in place. */
export type PagerState<E extends PagedEntry = PagedEntry> = Kinds<E>[PagerKind];
/** What can happen to a pager. */
export type PagerEvent<E extends PagedEntry = PagedEntry> = Types<E>[PagerEventType];
