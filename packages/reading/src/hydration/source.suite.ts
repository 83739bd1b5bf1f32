import type { HistoryPage, PageRequest } from '../pager/history-page.js';
import { advanceHydration } from './hydration.js';
import type { HydrationRequest, HydrationState } from './hydration-state.js';

/** An item of `rows` rows in a turn. */
export interface TestItem {
  readonly turnId: string;
  readonly item: { readonly id: string; readonly rows: number };
}
export interface TestTurn {
  readonly id: string;
}
export type Plan = HydrationState<TestItem, TestTurn>;

/** A source with all its turns and items, oldest first; pages newest first, of at most `most`. */
export interface TestSource {
  readonly turns: readonly TestTurn[];
  readonly items: readonly TestItem[];
  readonly most: number;
  /** Sends the newest of the page before once more, and turns pages round. */
  readonly isSloppy: boolean;
}

/** Turns with as many items as said, each item of so many rows. */
export function sourceOf(itemRows: readonly (readonly number[])[], options: Partial<Pick<TestSource, 'most' | 'isSloppy'>> = {}): TestSource {
  const turns = itemRows.map((_, n) => ({ id: `t${n}` }));
  const items = itemRows.flatMap((rows, n) => rows.map((each, i) => ({ turnId: `t${n}`, item: { id: `item-${i}`, rows: each } })));
  return { turns, items, most: 100, isSloppy: false, ...options };
}

function pageOf<E>(all: readonly E[], request: PageRequest, source: TestSource): HistoryPage<E> {
  const end = request.cursor === null ? all.length : Number(request.cursor);
  const from = Math.max(0, end - Math.min(request.limit, source.most));
  const data = all.slice(from, source.isSloppy ? end + 1 : end);
  const nextCursor = from === 0 ? null : String(from);
  return source.isSloppy && from % 2 === 0 ? { data, nextCursor, sortDirection: 'asc' } : { data: data.reverse(), nextCursor };
}

export const rowsOf = (entry: TestItem): number => entry.item.rows;

/** One step of the plan against the source. */
export function answered(plan: Extract<Plan, { kind: 'asking' }>, source: TestSource): Plan {
  const { request } = plan;
  return request.kind === 'turns'
    ? advanceHydration(plan, { type: 'turns', requestId: request.id, page: pageOf(source.turns, request, source) }, rowsOf)
    : advanceHydration(plan, { type: 'items', requestId: request.id, page: pageOf(source.items, request, source) }, rowsOf);
}

/** A request, and how many rows and items there were when it was made. */
export type MadeRequest = HydrationRequest & { readonly rows: number; readonly loaded: number };

/** The plan carried out to its end, with all its requests. */
export function carriedOut(first: Plan, source: TestSource): { readonly plan: Plan; readonly requests: readonly MadeRequest[] } {
  const requests: MadeRequest[] = [];
  let plan = first;
  while (plan.kind === 'asking') {
    requests.push({ ...plan.request, rows: plan.progress.rows, loaded: plan.progress.entries.items.length });
    if (requests.length > 10_000) throw new Error('the plan does not end');
    plan = answered(plan, source);
  }
  return { plan, requests };
}
