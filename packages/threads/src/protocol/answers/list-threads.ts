import type { Thread } from '../../objects/thread.js';
import { type ListAnchor, readListCursor, writeListCursor } from '../cursors/list-cursor.js';
import type { ThreadListParams, ThreadSearchParams, ThreadSortKey } from '../schemas/list-params.js';
import { type ThreadListResponse, initialReadState } from '../schemas/list-results.js';
import { RpcError } from '../wire/rpc-error.js';
import { readUuid } from '../wire/uuid-text.js';
import { type SortDirection, clampedLimit } from './keyset.js';
import type { PageCursors } from './lazy-page.js';
import { type ListRow, isFrom, listedThread, timeMsOf } from './list-row.js';

/** Ids in a filter at most. */
const MAX_IDS = 100;

type Order = Pick<ThreadSearchParams, 'sortKey' | 'sortDirection' | 'cursor'>;

const sortKeyOf = ({ sortKey }: Order): ThreadSortKey => sortKey ?? 'created_at';
const directionOf = ({ sortDirection }: Order): SortDirection => sortDirection ?? 'desc';

function idSet(ids: readonly string[] | null | undefined, of: { field: string; malformed: 'malformedIncludedId' | 'malformedExcludedId' }): ReadonlySet<string> | undefined {
  if (ids === null || ids === undefined) return undefined;
  if (ids.length > MAX_IDS) throw new RpcError('tooManyIds', { about: of.field });
  return new Set(ids.map((text) => {
    const read = readUuid(text);
    if ('problem' in read) throw new RpcError(of.malformed, { about: read.problem });
    return read.uuid;
  }));
}

function isInFolder({ cwd }: Thread, wanted: ThreadListParams['cwd']): boolean {
  if (wanted === null || wanted === undefined) return true;
  return typeof wanted === 'string' ? cwd === wanted : wanted.includes(cwd);
}

function hasText({ name, preview }: Thread, term: string | null | undefined): boolean {
  return term === null || term === undefined || (name ?? '').includes(term) || preview.includes(term);
}

function isOfProvider({ thread, isConfiguredProvider }: ListRow, wanted: readonly string[] | null | undefined): boolean {
  if (wanted === null || wanted === undefined) return isConfiguredProvider;
  return wanted.length === 0 || wanted.includes(thread.modelProvider);
}

/** A thread is listed once something was asked in it. */
const isListed = ({ thread }: ListRow): boolean => thread.preview !== '';

/** The filters of a list; throws where one of them cannot be had. Sections are the original's database's, so no thread is in one. */
function filterOf(params: ThreadListParams): (row: ListRow) => boolean {
  if (params.originators?.length) throw new RpcError('originators');
  const included = idSet(params.includedThreadIds, { field: 'includedThreadIds', malformed: 'malformedIncludedId' });
  const excluded = idSet(params.excludedThreadIds, { field: 'excludedThreadIds', malformed: 'malformedExcludedId' });
  const hasSection = params.sectionId !== null && params.sectionId !== undefined;
  if (params.sortKey === 'section_position' && !hasSection) throw new RpcError('sectionSort');
  return (row) => {
    const { thread } = row;
    const isNamed = (included?.has(thread.id) ?? true) && !excluded?.has(thread.id);
    return isNamed && !hasSection && isListed(row) && row.isArchived === (params.archived ?? false) && isOfProvider(row, params.modelProviders) && isFrom(thread, params.sourceKinds)
      && isInFolder(thread, params.cwd) && hasText(thread, params.searchTerm);
  };
}

/** By time, then by id. */
function compare(a: ListAnchor, b: ListAnchor): number {
  const [idA, idB] = [a.threadId ?? '', b.threadId ?? ''];
  return a.timeMs - b.timeMs || (a.threadId === undefined || b.threadId === undefined ? 0 : idA < idB ? -1 : Number(idA > idB));
}

const placeOf = (row: ListRow, sortKey: ThreadSortKey): ListAnchor => ({ timeMs: timeMsOf(row.thread, sortKey), threadId: row.thread.id });

/** Rows in the order asked for, from the cursor on. A bare time is strict: nothing of that very moment comes. */
export function orderedRows(rows: readonly ListRow[], order: Order): ListRow[] {
  const anchor = order.cursor === null || order.cursor === undefined ? undefined : readListCursor(order.cursor);
  const sign = directionOf(order) === 'asc' ? 1 : -1;
  const key = sortKeyOf(order);
  // A place is made once for each row: there are thousands, each compared a dozen times.
  const placed = rows.map((row) => ({ row, place: placeOf(row, key) })).filter(({ place }) => !anchor || sign * compare(place, anchor) > 0);
  return placed.sort((a, b) => sign * compare(a.place, b.place)).map(({ row }) => row);
}

/** Cursors of a page: on from its last row where more follows, and back from just beyond its first. */
export function listCursors(page: readonly ListRow[], order: Order, hasMore: boolean): PageCursors {
  const [first, last] = [page[0], page.at(-1)];
  const key = sortKeyOf(order);
  const beyondMs = directionOf(order) === 'asc' ? 1 : -1;
  return {
    nextCursor: last && hasMore ? writeListCursor(placeOf(last, key)) : null,
    backwardsCursor: first ? writeListCursor({ timeMs: timeMsOf(first.thread, key) + beyondMs, threadId: undefined }) : null,
  };
}

/**
 * Whether a list shows a row for each session file of a thread that was reverted, as that file alone says it: the original does where no kinds of
 * sources are named, since it then goes by the files (`codex-history.md` §0.9).
 */
export function isListedByFile({ sourceKinds }: Pick<ThreadListParams, 'sourceKinds'>): boolean {
  return !sourceKinds?.length;
}

/** Answers `thread/list`. Pure; refusals are `RpcError`s. */
export function listThreads(rows: readonly ListRow[], params: ThreadListParams): ThreadListResponse {
  const isWanted = filterOf(params);
  const ordered = orderedRows(rows.filter(isWanted), params);
  const page = ordered.slice(0, clampedLimit(params.limit));
  const readStates: ThreadListResponse['readStates'] = {};
  for (const { thread } of page) {
    const state = initialReadState(thread);
    if (state) readStates[thread.id] = state;
  }
  return { data: page.map(({ thread }) => listedThread(thread)), readStates, ...listCursors(page, params, ordered.length > page.length) };
}

/** Threads that a `thread/search` has to look into, in order, from its cursor on. Pure; refusals are `RpcError`s. */
export function searchCandidates(rows: readonly ListRow[], params: ThreadSearchParams): ListRow[] {
  if (params.searchTerm === '') throw new RpcError('emptySearchTerm', { about: 'thread/search' });
  if (params.sortKey === 'section_position') throw new RpcError('sectionSort');
  return orderedRows(rows.filter((row) => isListed(row) && row.isArchived === (params.archived ?? false) && isFrom(row.thread, params.sourceKinds)), params);
}
