import type { CursorChain } from '../pager/cursor-chain.js';
import type { HistoryPage, PageRequest, PagedEntry } from '../pager/history-page.js';
import type { KeyedList } from '../pager/keyed-list.js';

/**
 * How much to load: what a first screen needs (`rowBudget`: rows that the medium keeps, null where it keeps all), everything, or until one turn is
 * there whole.
 */
export type HydrationGoal =
  | { readonly kind: 'initial'; readonly rowBudget: number | null }
  | { readonly kind: 'complete' }
  | { readonly kind: 'throughTurn'; readonly turnId: string };

/** What the planner needs to know of a turn: `thread/turns/list` without items answers with these. */
export interface HydratedTurn {
  readonly id: string;
}

/** A call that the host carries out, newest first: `turns` is `thread/turns/list` with `itemsView: notLoaded`, `items` is `thread/items/list`. */
export type HydrationRequest = PageRequest & { readonly kind: 'turns' | 'items' };

/** Why a plan asked for nothing more. */
export type HydrationEnd =
  /** The beginning is loaded. */
  | 'start'
  /** The wanted turn is there whole. */
  | 'turn'
  /** 400 items were read; four pages were read; the row budget is spent. */
  | 'items' | 'pages' | 'rows'
  /** A page brought nothing new, though the source says that there is more. */
  | 'nothingNew'
  /** The source named a cursor a second time. */
  | 'repeatedCursor';

/** What a plan has loaded, oldest first, and how far it came. `missingTurnIds`: turns of loaded items whose metadata is not there. */
export interface HydrationProgress<E, T> {
  readonly goal: HydrationGoal;
  readonly turns: KeyedList<T>;
  readonly entries: KeyedList<E>;
  readonly missingTurnIds: readonly string[];
  readonly turnChain: CursorChain;
  readonly itemChain: CursorChain;
  /** Turn pages asked for since the last item page. */
  readonly turnPages: number;
  readonly itemPages: number;
  readonly itemsRead: number;
  readonly rows: number;
  readonly lastRequestId: number;
}

/** A plan: it waits for one answer, is done, or was stopped by the source. A value, never changed in place. */
export type HydrationState<E extends PagedEntry = PagedEntry, T extends HydratedTurn = HydratedTurn> =
  | { readonly kind: 'asking'; readonly progress: HydrationProgress<E, T>; readonly request: HydrationRequest }
  | { readonly kind: 'done'; readonly progress: HydrationProgress<E, T>; readonly endedBy: HydrationEnd }
  | { readonly kind: 'failed'; readonly progress: HydrationProgress<E, T>; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly progress: HydrationProgress<E, T> };

/** What can happen to a plan. Answers carry the id of their request. */
export type HydrationEvent<E extends PagedEntry = PagedEntry, T extends HydratedTurn = HydratedTurn> =
  | { readonly type: 'turns'; readonly requestId: number; readonly page: HistoryPage<T> }
  | { readonly type: 'items'; readonly requestId: number; readonly page: HistoryPage<E> }
  | { readonly type: 'failure'; readonly requestId: number; readonly reason: string }
  | { readonly type: 'unsupported'; readonly requestId: number }
  | { readonly type: 'retry' };
