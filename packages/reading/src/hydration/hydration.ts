/*
 *   plan ──▶ asking turns (5) ──▶ asking items (≤ 100) ──▶ … ──▶ done, and what ended it
 *                 ▲                     │
 *                 └── turns it misses ──┘        asking ──failure──▶ failed ──retry──▶ asking
 *                                                asking ──unsupported──▶ unsupported
 *
 * Budgets bound what is asked for. The page that spends the row budget is kept whole, since its cursor stands behind all of it.
 */
import { type OpenChain, follow, newestFirst } from '../pager/cursor-chain.js';
import { type HistoryPage, type PagedEntry, entryKey } from '../pager/history-page.js';
import { hasKey } from '../pager/key-set.js';
import { emptyList, newEntries, withPageOf } from '../pager/keyed-list.js';
import type { HydratedTurn, HydrationEvent, HydrationGoal, HydrationProgress, HydrationState } from './hydration-state.js';
import { nextStep } from './next-request.js';

const turnKey = (turn: HydratedTurn): string => turn.id;
const rowsIn = (rows: number): number => (rows > 0 ? rows : 0);

/** A budget that is no number of rows is none. */
const normalised = (goal: HydrationGoal): HydrationGoal => (goal.kind === 'initial' && !Number.isFinite(goal.rowBudget) ? { ...goal, rowBudget: null } : goal);

/** [R-STO-4] A new plan with its first request. `previous` is the plan it supersedes: request ids go on, so that no late answer is taken for one of its own. */
export function planHydration<E extends PagedEntry = PagedEntry, T extends HydratedTurn = HydratedTurn>(goal: HydrationGoal, previous?: HydrationState<E, T>): HydrationState<E, T> {
  return nextStep({
    goal: normalised(goal), turns: emptyList, entries: emptyList, missingTurnIds: [], turnChain: newestFirst, itemChain: newestFirst,
    turnPages: 0, itemPages: 0, itemsRead: 0, rows: 0, lastRequestId: previous?.progress.lastRequestId ?? 0,
  });
}

function withTurns<E extends PagedEntry, T extends HydratedTurn>(progress: HydrationProgress<E, T>, chain: OpenChain, page: HistoryPage<T>): HydrationProgress<E, T> {
  const turns = withPageOf(progress.turns, page, turnKey);
  return {
    ...progress, turns, turnPages: progress.turnPages + 1, missingTurnIds: progress.missingTurnIds.filter((id) => !hasKey(turns.keys, id)),
    turnChain: follow(chain, { nextCursor: page.nextCursor, hasNew: turns !== progress.turns }),
  };
}

interface ItemPage<E> {
  readonly chain: OpenChain;
  readonly page: HistoryPage<E>;
  readonly rowsOf: (entry: E) => number;
}

function withItems<E extends PagedEntry, T extends HydratedTurn>(progress: HydrationProgress<E, T>, { chain, page, rowsOf }: ItemPage<E>): HydrationProgress<E, T> {
  const fresh = newEntries(progress.entries.keys, page, entryKey);
  const unknown = fresh.map((entry) => entry.turnId).filter((id) => !hasKey(progress.turns.keys, id));
  return {
    ...progress, entries: withPageOf(progress.entries, page, entryKey), turnPages: 0, itemPages: progress.itemPages + 1, itemsRead: progress.itemsRead + page.data.length,
    missingTurnIds: unknown.length === 0 ? progress.missingTurnIds : [...new Set([...progress.missingTurnIds, ...unknown])],
    rows: fresh.reduce((sum, entry) => sum + rowsIn(rowsOf(entry)), progress.rows),
    itemChain: follow(chain, { nextCursor: page.nextCursor, hasNew: fresh.length > 0 }),
  };
}

/** Answers to another request than the one in flight are no answers: undefined. */
function openChainFor<E extends PagedEntry, T extends HydratedTurn>(state: HydrationState<E, T>, event: HydrationEvent<E, T>): OpenChain | undefined {
  if (state.kind !== 'asking' || event.type === 'retry' || event.requestId !== state.request.id) return undefined;
  if ((event.type === 'turns' || event.type === 'items') && event.type !== state.request.kind) return undefined;
  const chain = state.request.kind === 'turns' ? state.progress.turnChain : state.progress.itemChain;
  return chain.status === 'open' ? chain : undefined;
}

/**
 * [R-STO-4] The plan after an event; the same reference where nothing changed. `rowsOf` estimates what an item takes on the screen, separator included
 * (0: nothing can be seen of it); only initial plans need it. Pure; throws only what `rowsOf` throws.
 */
export function advanceHydration<E extends PagedEntry, T extends HydratedTurn>(
  state: HydrationState<E, T>, event: HydrationEvent<E, T>, rowsOf: (entry: E) => number = () => 1,
): HydrationState<E, T> {
  if (event.type === 'retry') return state.kind === 'failed' ? nextStep(state.progress) : state;
  const chain = openChainFor(state, event);
  if (chain === undefined) return state;
  switch (event.type) {
    case 'turns': return nextStep(withTurns(state.progress, chain, event.page));
    case 'items': return nextStep(withItems(state.progress, { chain, page: event.page, rowsOf }));
    case 'failure': return { kind: 'failed', progress: state.progress, reason: event.reason };
    case 'unsupported': return { kind: 'unsupported', progress: state.progress };
  }
}
