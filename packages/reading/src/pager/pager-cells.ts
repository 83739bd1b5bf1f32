import { type OpenChain, follow, newestFirst } from './cursor-chain.js';
import type { PagedEntry } from './history-page.js';
import { emptyList } from './keyed-list.js';
import { isNothing, nothingLoaded, withLive, withPage, withoutTurns } from './loaded.js';
import type { Loaded, PagerEventOf, PagerGoal, PagerKind, PagerState, PagerStateOf } from './pager-state.js';
import { PAGE_LIMIT } from './limits.js';

type Any<E extends PagedEntry> = PagerState<E>;
type Loading<E extends PagedEntry> = PagerStateOf<'loading', E>;
type Answered<E extends PagedEntry> = PagerEventOf<'page', E> | PagerEventOf<'failure', E> | PagerEventOf<'unsupported', E>;
/** States in which a next page can be asked for. */
type Askable<E extends PagedEntry> = PagerStateOf<'idle' | 'more' | 'failed', E>;
type Ended<E extends PagedEntry> = PagerStateOf<'start' | 'empty', E>;

interface Ask<E> {
  readonly loaded: Loaded<E>;
  readonly chain: OpenChain;
  readonly goal: PagerGoal;
}

function ask<E extends PagedEntry>({ loaded, chain, goal }: Ask<E>): Loading<E> {
  const id = loaded.lastRequestId + 1;
  return { kind: 'loading', loaded: { ...loaded, lastRequestId: id }, chain, request: { id, cursor: chain.cursor, limit: PAGE_LIMIT }, goal };
}

const chainOf = <E extends PagedEntry>(state: Askable<E>): OpenChain => (state.kind === 'idle' ? newestFirst : state.chain);
const isStale = <E extends PagedEntry>(state: Loading<E>, event: Answered<E>): boolean => event.requestId !== state.request.id;
const ended = <E extends PagedEntry>(loaded: Loaded<E>): Ended<E> => ({ kind: isNothing(loaded) ? 'empty' : 'start', loaded });
const withLoaded = <K extends PagerKind, E extends PagedEntry>(state: PagerStateOf<K, E>, loaded: Loaded<E>): PagerStateOf<K, E> =>
  loaded === state.loaded ? state : { ...state, loaded };

/** Nothing to do: the same reference. */
export const keep = <E extends PagedEntry>(state: Any<E>): Any<E> => state;

/** One page further back. */
export const askOlder = <E extends PagedEntry>(state: Askable<E>): Any<E> => ask({ loaded: state.loaded, chain: chainOf(state), goal: 'page' });
/** Page after page, until the history begins or a page brings nothing new. */
export const askBeginning = <E extends PagedEntry>(state: Askable<E>): Any<E> => ask({ loaded: state.loaded, chain: chainOf(state), goal: 'beginning' });
/** The same request with the same cursor and goal, under a new id. */
export const retry = <E extends PagedEntry>(state: PagerStateOf<'failed', E>): Any<E> => ask(state);

/** The request in flight stays; only how far it goes on changes. */
const withGoal = <K extends 'loading' | 'failed', E extends PagedEntry>(state: PagerStateOf<K, E>, goal: PagerGoal): PagerStateOf<K, E> =>
  state.goal === goal ? state : { ...state, goal };
/** A jump to the beginning that was asked for while a page is in flight. */
export const jumpOn = <E extends PagedEntry>(state: Loading<E>): Any<E> => withGoal<'loading', E>(state, 'beginning');
/** The jump ends with the page in flight, which is taken. */
export const cancelJump = <E extends PagedEntry>(state: Loading<E> | PagerStateOf<'failed', E>): Any<E> => withGoal<'loading' | 'failed', E>(state, 'page');

/** The answer in flight; one under another id changes nothing. A jump asks for the next page at once. */
export function takePage<E extends PagedEntry>(state: Loading<E>, event: PagerEventOf<'page', E>): Any<E> {
  if (isStale(state, event)) return state;
  const loaded = withPage(state.loaded, event.page);
  const chain = follow(state.chain, { nextCursor: event.page.nextCursor, hasNew: loaded.paged !== state.loaded.paged });
  switch (chain.status) {
    case 'ended': return ended(loaded);
    case 'looped': return { kind: 'looped', loaded };
    case 'stalled': return { kind: 'more', loaded, chain: chain.rest };
    case 'open': return state.goal === 'beginning' ? ask({ loaded, chain, goal: state.goal }) : { kind: 'more', loaded, chain };
  }
}

/** The request in flight failed; cursor and goal are kept for `retry`. */
export function fail<E extends PagedEntry>(state: Loading<E>, event: PagerEventOf<'failure', E>): Any<E> {
  if (isStale(state, event)) return state;
  return { kind: 'failed', loaded: state.loaded, chain: state.chain, goal: state.goal, reason: event.reason };
}

/** The source cannot page this thread; what is loaded stays. */
export const refuse = <E extends PagedEntry>(state: Loading<E>, event: PagerEventOf<'unsupported', E>): Any<E> =>
  isStale(state, event) ? state : { kind: 'unsupported', loaded: state.loaded };

/** Live entries take their places; how far paging has come does not change. */
export const takeLive = <E extends PagedEntry>(state: Any<E>, event: PagerEventOf<'live', E>): Any<E> => withLoaded<PagerKind, E>(state, withLive(state.loaded, event.entries));

/** An empty history that gets its first entry is one that is loaded from its start. */
export function takeFirstLive<E extends PagedEntry>(state: PagerStateOf<'empty', E>, event: PagerEventOf<'live', E>): Any<E> {
  const loaded = withLive(state.loaded, event.entries);
  return loaded === state.loaded ? state : ended(loaded);
}

/** Superseded turns go, and nothing else changes: there is no cursor to lose. */
export const dropTurns = <E extends PagedEntry>(state: Any<E>, event: PagerEventOf<'superseded', E>): Any<E> =>
  withLoaded<PagerKind, E>(state, withoutTurns(state.loaded, event.turnIds));

/** Superseded turns go from a history that is loaded whole, which may be empty then. */
export function dropTurnsOfAll<E extends PagedEntry>(state: Ended<E>, event: PagerEventOf<'superseded', E>): Any<E> {
  const loaded = withoutTurns(state.loaded, event.turnIds);
  return loaded === state.loaded ? state : ended(loaded);
}

/** A cursor stands behind the oldest paged entry. When that falls the cursor means nothing any more, and paging starts anew. */
const hasLostPlace = <E extends PagedEntry>({ paged }: Loaded<E>, turnIds: readonly string[]): boolean => paged.items[0] !== undefined && turnIds.includes(paged.items[0].turnId);

/** Superseded turns go; where the oldest shown one goes too, its cursor goes with it. */
export function dropTurnsAndPlace<E extends PagedEntry>(state: PagerStateOf<'more' | 'failed', E>, event: PagerEventOf<'superseded', E>): Any<E> {
  const loaded = withoutTurns(state.loaded, event.turnIds);
  return hasLostPlace(state.loaded, event.turnIds) ? { kind: 'idle', loaded: { ...loaded, ahead: [], paged: emptyList } } : withLoaded<'more' | 'failed', E>(state, loaded);
}

/** The answer in flight may hold what just fell: it is superseded, and the same wish asked again. */
export function askAgain<E extends PagedEntry>(state: Loading<E>, event: PagerEventOf<'superseded', E>): Any<E> {
  if (event.turnIds.length === 0) return state;
  const loaded = withoutTurns(state.loaded, event.turnIds);
  if (!hasLostPlace(state.loaded, event.turnIds)) return ask({ loaded, chain: state.chain, goal: state.goal });
  return ask({ loaded: { ...loaded, ahead: [], paged: emptyList }, chain: newestFirst, goal: state.goal });
}

/** As at the beginning, but request ids go on: no answer of the old history is ever taken for one of the new. */
export const startAnew = <E extends PagedEntry>(state: Any<E>): Any<E> =>
  state.kind === 'idle' && isNothing(state.loaded) ? state : { kind: 'idle', loaded: { ...nothingLoaded, lastRequestId: state.loaded.lastRequestId } };
