import type { CursorChain } from '../pager/cursor-chain.js';
import type { PagedEntry } from '../pager/history-page.js';
import type { HydratedTurn, HydrationEnd, HydrationProgress, HydrationRequest, HydrationState } from './hydration-state.js';
import { INITIAL_ITEM_PAGES, INITIAL_ITEMS, INITIAL_TURNS, PAGE_LIMIT, TURN_PAGES_BETWEEN } from '../pager/limits.js';

const chainEnds: Readonly<Record<Exclude<CursorChain['status'], 'open'>, HydrationEnd>> = { ended: 'start', looped: 'repeatedCursor', stalled: 'nothingNew' };

/** How many turns to ask for now; undefined where none are wanted or none are left. */
function turnsWanted<E extends PagedEntry, T extends HydratedTurn>(progress: HydrationProgress<E, T>): number | undefined {
  const { goal, itemChain, missingTurnIds, turnChain, turnPages } = progress;
  if (turnChain.status !== 'open') return undefined;
  if (turnChain.cursor === null) return INITIAL_TURNS;
  if (goal.kind === 'complete' && itemChain.status === 'ended') return PAGE_LIMIT;
  if (missingTurnIds.length === 0 || turnPages >= TURN_PAGES_BETWEEN) return undefined;
  return turnPages === 0 ? Math.min(missingTurnIds.length, PAGE_LIMIT) : PAGE_LIMIT;
}

/** The wanted turn is there whole when something of an older turn is. */
function hasTurn<E extends PagedEntry, T extends HydratedTurn>({ entries, goal, turns }: HydrationProgress<E, T>): boolean {
  const oldest = entries.items[0];
  if (goal.kind !== 'throughTurn' || oldest === undefined) return false;
  const at = turns.items.findIndex((turn) => turn.id === oldest.turnId);
  return at >= 0 && turns.items.findIndex((turn) => turn.id === goal.turnId) > at;
}

function spentBudget<E extends PagedEntry, T extends HydratedTurn>({ goal, itemPages, itemsRead, rows }: HydrationProgress<E, T>): HydrationEnd | undefined {
  if (goal.kind !== 'initial') return undefined;
  if (itemsRead >= INITIAL_ITEMS) return 'items';
  if (itemPages >= INITIAL_ITEM_PAGES) return 'pages';
  return goal.rowBudget !== null && rows >= goal.rowBudget ? 'rows' : undefined;
}

function endOf<E extends PagedEntry, T extends HydratedTurn>(progress: HydrationProgress<E, T>): HydrationEnd | undefined {
  const { goal, itemChain, turnChain } = progress;
  if (hasTurn(progress)) return 'turn';
  if (itemChain.status === 'open') return spentBudget(progress);
  const itemEnd = chainEnds[itemChain.status];
  return goal.kind === 'complete' && itemEnd === 'start' && turnChain.status !== 'open' ? chainEnds[turnChain.status] : itemEnd;
}

/** No more than is left of a budget; but while nothing can be seen yet rows do not count, or pages of invisible items would shrink to nothing. */
function itemLimit<E extends PagedEntry, T extends HydratedTurn>({ goal, itemsRead, rows }: HydrationProgress<E, T>): number {
  if (goal.kind !== 'initial') return PAGE_LIMIT;
  const rowsLeft = goal.rowBudget === null || rows === 0 ? PAGE_LIMIT : Math.ceil(goal.rowBudget - rows);
  return Math.min(PAGE_LIMIT, INITIAL_ITEMS - itemsRead, rowsLeft);
}

/** The plan at its next step: the metadata of the newest turns first, then items, and after each page of them the turns that it misses. */
export function nextStep<E extends PagedEntry, T extends HydratedTurn>(progress: HydrationProgress<E, T>): HydrationState<E, T> {
  const asking = (chain: CursorChain, wanted: Pick<HydrationRequest, 'kind' | 'limit'>): HydrationState<E, T> => {
    const id = progress.lastRequestId + 1;
    return { kind: 'asking', progress: { ...progress, lastRequestId: id }, request: { ...wanted, id, cursor: chain.status === 'open' ? chain.cursor : null } };
  };
  const turns = turnsWanted(progress);
  if (turns !== undefined) return asking(progress.turnChain, { kind: 'turns', limit: turns });
  const endedBy = endOf(progress);
  return endedBy === undefined ? asking(progress.itemChain, { kind: 'items', limit: itemLimit(progress) }) : { kind: 'done', progress, endedBy };
}
