/*
 *                          page, older exists            page, all there
 *   idle ──askOlder──▶ loading ───────────▶ more      loading ──▶ start ⇄ empty
 *    ▲    askBeginning  ▲ │ ▲                │                (live, superseded)
 *    │                  │ │ └───askOlder─────┘
 *  reset                │ └─failure──▶ failed ──retry──▶ loading
 *  (from all)           │                              loading ──unsupported──▶ unsupported
 *                superseded: the same wish,            loading ──page, cursor seen──▶ looped
 *                new request
 *
 * One request at most is in flight, and only in `loading`. Whoever drives the pager sends what `requestToSend` gives and feeds back the answer under
 * its id; answers under another id change nothing. `start`, `empty`, `unsupported` and `looped` ask for nothing; `reset` leaves them.
 */
import type { PageRequest, PagedEntry } from './history-page.js';
import { nothingLoaded } from './loaded.js';
import {
  askAgain, askBeginning, askOlder, cancelJump, dropTurns, dropTurnsAndPlace, dropTurnsOfAll, fail, jumpOn, keep, refuse, retry, startAnew, takeFirstLive, takeLive, takePage,
} from './pager-cells.js';
import type { PagerEvent, PagerEventOf, PagerEventType, PagerKind, PagerState, PagerStateOf } from './pager-state.js';

type Cell<K extends PagerKind, V extends PagerEventType> = <E extends PagedEntry>(state: PagerStateOf<K, E>, event: PagerEventOf<V, E>) => PagerState<E>;

/** Every state meets every event: a cell left out does not compile, nor one that takes another state or event than its own. */
export type PagerTable = { readonly [K in PagerKind]: { readonly [V in PagerEventType]: Cell<K, V> } };

/** Answers outside of `loading` belong to a superseded request. */
const noAnswer = { page: keep, failure: keep, unsupported: keep } as const;
const noAsking = { askOlder: keep, askBeginning: keep, cancelJump: keep, retry: keep } as const;

/** The whole machine: what each state makes of each event. */
export const pagerTable: PagerTable = {
  idle: { ...noAnswer, askOlder, askBeginning, cancelJump: keep, retry: keep, live: takeLive, superseded: dropTurns, reset: startAnew },
  loading: {
    askOlder: keep, askBeginning: jumpOn, cancelJump, retry: keep, page: takePage, failure: fail, unsupported: refuse, live: takeLive, superseded: askAgain, reset: startAnew,
  },
  more: { ...noAnswer, askOlder, askBeginning, cancelJump: keep, retry: keep, live: takeLive, superseded: dropTurnsAndPlace, reset: startAnew },
  start: { ...noAnswer, ...noAsking, live: takeLive, superseded: dropTurnsOfAll, reset: startAnew },
  empty: { ...noAnswer, ...noAsking, live: takeFirstLive, superseded: keep, reset: startAnew },
  unsupported: { ...noAnswer, ...noAsking, live: takeLive, superseded: dropTurns, reset: startAnew },
  failed: { ...noAnswer, askOlder, askBeginning, cancelJump, retry, live: takeLive, superseded: dropTurnsAndPlace, reset: startAnew },
  looped: { ...noAnswer, ...noAsking, live: takeLive, superseded: dropTurns, reset: startAnew },
};

/** A pager of which nothing is asked yet. */
export const createPager = <E extends PagedEntry = PagedEntry>(): PagerState<E> => ({ kind: 'idle', loaded: nothingLoaded });

/**
 * [R-SCR-5] The pager after an event; the same reference where nothing changed. Pure, never throws. A page costs O(entries loaded) for the copy of
 * one array, a live entry the same.
 */
export function advancePager<E extends PagedEntry>(state: PagerState<E>, event: PagerEvent<E>): PagerState<E> {
  // The compiler cannot see that row and column are those of these two values; the type of the table says so.
  const cell = pagerTable[state.kind][event.type] as (state: PagerState<E>, event: PagerEvent<E>) => PagerState<E>;
  return cell(state, event);
}

/** All entries to show, oldest first, each (turn, item) once. */
export function pagedEntries<E extends PagedEntry>({ loaded }: PagerState<E>): readonly E[] {
  return loaded.ahead.length + loaded.live.length === 0 ? loaded.paged.items : [...loaded.ahead, ...loaded.paged.items, ...loaded.live];
}

/** The call that this step asks the host to make. One that is still out under another id is superseded and may be cancelled. */
export function requestToSend<E extends PagedEntry>(before: PagerState<E>, after: PagerState<E>): PageRequest | undefined {
  if (after.kind !== 'loading' || (before.kind === 'loading' && before.request.id === after.request.id)) return undefined;
  return after.request;
}
