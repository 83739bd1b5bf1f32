import type { ThreadItem } from '../../objects/thread-item.js';
import { readOrdinalCursor, writeOrdinalCursor } from '../cursors/history-cursor.js';
import type { DeferOutput, ItemsListParams, ItemsReadParams } from '../schemas/history-params.js';
import type { ThreadItemEntry } from '../schemas/history-results.js';
import { RpcError } from '../wire/rpc-error.js';
import type { HistoryItem, HistoryReader } from './history-reader.js';
import { type Anchor, clampedLimit } from './keyset.js';
import { type LazyPage, lazyPage } from './lazy-page.js';

/** The item without its output, where the call went well and has one. */
function withoutOutput(item: ThreadItem, defer: DeferOutput): ThreadItem | undefined {
  if (item.type === 'commandExecution' && defer.commandExecution && item.status === 'completed' && item.aggregatedOutput !== null) return { ...item, aggregatedOutput: null };
  if (item.type !== 'mcpToolCall' || !defer.mcpToolCall || item.status !== 'completed' || item.result === null) return undefined;
  return { ...item, result: { content: [], structuredContent: null, _meta: null } };
}

/** An item with its turn and times. */
export function itemEntry(history: Pick<HistoryReader, 'itemObject'>, item: HistoryItem, defer: DeferOutput = {}): ThreadItemEntry {
  const whole = history.itemObject(item);
  const short = withoutOutput(whole, defer);
  const { startedAtMs, completedAtMs } = whole;
  return { turnId: item.turnId, item: short ?? whole, ...(short ? { outputDeferred: true } : {}), startedAtMs, completedAtMs };
}

/** All items of one turn id, in order. */
async function itemsOfTurn(history: HistoryReader, turnId: string): Promise<readonly HistoryItem[]> {
  return (await history.itemPage({ anchor: undefined, direction: 'asc', limit: Number.MAX_SAFE_INTEGER }, turnId)).rows;
}

async function itemAnchor(history: HistoryReader, { turnId, itemId }: { turnId: string | null | undefined; itemId: string }): Promise<Anchor> {
  if (turnId === null || turnId === undefined) throw new RpcError('anchorNeedsTurn');
  const item = (await itemsOfTurn(history, turnId)).find(({ row }) => row.id === itemId);
  if (!item) throw new RpcError('anchorItemUnknown');
  return { ...item.place, includeAnchor: false };
}

/**
 * Answers `thread/items/list`: oldest first where nothing else is asked for, each item at the place of its first record. Added items count towards the
 * limit like any other. Pure; refusals are `RpcError`s.
 */
export async function itemsPage(history: HistoryReader, params: ItemsListParams): Promise<LazyPage<ThreadItemEntry>> {
  const { turnId, cursor } = params;
  const scope = { threadId: history.threadId, scope: 'items' } as const;
  const anchor = cursor === null || cursor === undefined ? undefined : typeof cursor === 'string' ? readOrdinalCursor(scope, cursor) : await itemAnchor(history, { turnId, itemId: cursor.itemId });
  const page = await history.itemPage({ anchor, direction: params.sortDirection ?? 'asc', limit: clampedLimit(params.limit) }, turnId ?? undefined);
  const write = (at: Anchor | undefined): string | null => (at ? writeOrdinalCursor(scope, at) : null);
  // Recorded: outputs are left out only where one turn is asked for.
  const defer = turnId === null || turnId === undefined ? {} : (params.deferOutput ?? {});
  return lazyPage(page.rows.map((item) => () => itemEntry(history, item, defer)), { nextCursor: write(page.next), backwardsCursor: write(page.back) });
}

/** Answers `thread/items/read`: the named items of one turn, in order; ids that it does not have are absent. Pure. */
export async function itemsRead(history: HistoryReader, { turnId, itemIds }: ItemsReadParams): Promise<{ readonly data: readonly ThreadItemEntry[] }> {
  if (itemIds.length < 1 || itemIds.length > 100) throw new RpcError('itemIdCount');
  const wanted = new Set(itemIds);
  return { data: (await itemsOfTurn(history, turnId)).filter(({ row }) => wanted.has(row.id)).map((item) => itemEntry(history, item)) };
}
