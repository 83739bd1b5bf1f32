import type { ThreadItem } from '../../objects/thread-item.js';
import { readOrdinalCursor, writeOrdinalCursor } from '../cursors/history-cursor.js';
import type { DeferOutput, ItemsListParams, ItemsReadParams } from '../schemas/history-params.js';
import type { ThreadItemEntry } from '../schemas/history-results.js';
import { RpcError } from '../wire/rpc-error.js';
import type { History, HistoryItem } from './history.js';
import { type Anchor, clampedLimit, keysetPage } from './keyset.js';
import { type LazyPage, lazyPage } from './lazy-page.js';

/** The item without its output, where the call went well and has one. */
function withoutOutput(item: ThreadItem, defer: DeferOutput): ThreadItem | undefined {
  if (item.type === 'commandExecution' && defer.commandExecution && item.status === 'completed' && item.aggregatedOutput !== null) return { ...item, aggregatedOutput: null };
  if (item.type !== 'mcpToolCall' || !defer.mcpToolCall || item.status !== 'completed' || item.result === null) return undefined;
  return { ...item, result: { content: [], structuredContent: null, _meta: null } };
}

/** An item with its turn and times. */
export function itemEntry(history: History, item: HistoryItem, defer: DeferOutput = {}): ThreadItemEntry {
  const whole = history.itemObject(item);
  const short = withoutOutput(whole, defer);
  const { startedAtMs, completedAtMs } = whole;
  return { turnId: item.turnId, item: short ?? whole, ...(short ? { outputDeferred: true } : {}), startedAtMs, completedAtMs };
}

function itemAnchor(items: readonly HistoryItem[], { turnId, itemId }: { turnId: string | null | undefined; itemId: string }): Anchor {
  if (turnId === null || turnId === undefined) throw new RpcError('anchorNeedsTurn');
  const item = items.find(({ row }) => row.id === itemId);
  if (!item) throw new RpcError('anchorItemUnknown');
  return { ...item.place, includeAnchor: false };
}

/**
 * Answers `thread/items/list`: oldest first where nothing else is asked for, each item at the place of its first record. Added items count towards the
 * limit like any other. Pure; refusals are `RpcError`s.
 */
export function itemsPage(history: History, params: ItemsListParams): LazyPage<ThreadItemEntry> {
  const { turnId, cursor } = params;
  const scope = { threadId: history.threadId, scope: 'items' } as const;
  const items = turnId === null || turnId === undefined ? history.items : history.items.filter((item) => item.turnId === turnId);
  const anchor = cursor === null || cursor === undefined ? undefined : typeof cursor === 'string' ? readOrdinalCursor(scope, cursor) : itemAnchor(items, { turnId, itemId: cursor.itemId });
  const page = keysetPage(items, { anchor, direction: params.sortDirection ?? 'asc', limit: clampedLimit(params.limit) });
  const write = (at: Anchor | undefined): string | null => (at ? writeOrdinalCursor(scope, at) : null);
  // Recorded: outputs are left out only where one turn is asked for.
  const defer = turnId === null || turnId === undefined ? {} : (params.deferOutput ?? {});
  return lazyPage(page.rows.map((item) => () => itemEntry(history, item, defer)), { nextCursor: write(page.next), backwardsCursor: write(page.back) });
}

/** Answers `thread/items/read`: the named items of one turn, in order; ids that it does not have are absent. Pure. */
export function itemsRead(history: History, { turnId, itemIds }: ItemsReadParams): { readonly data: readonly ThreadItemEntry[] } {
  if (itemIds.length < 1 || itemIds.length > 100) throw new RpcError('itemIdCount');
  const wanted = new Set(itemIds);
  return { data: history.items.filter((item) => item.turnId === turnId && wanted.has(item.row.id)).map((item) => itemEntry(history, item)) };
}
