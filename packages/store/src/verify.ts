import type { JsonValue, Player, TapeLine } from '@tapefold/facts';
import { TapeError, openTapeLinesSync } from '@tapefold/tapes';
import { History, type HistoryReader, RecordIndex, type RecordList, type Row, type RowsSnapshot, type ThreadHead, ThreadRows, type TurnsListParams, emptyThreadHead, foldThread, itemsPage, timelinePage, turnsPage } from '@tapefold/threads';
import { setImmediate } from 'node:timers/promises';
import { pieceReader } from './files/piece-reader.js';
import { ordinalOf } from './files/segment-lines.js';
import type { Segment, ShelfThread } from './files/shelf.js';
import { historyName } from './indexing/plan-history.js';
import { StoreError } from './errors.js';
import { type HistoryDump, ROWS_VERSION, type ThreadStore } from './thread-store.js';

/** What a thread's files come to when they are folded anew in memory, up to the bytes that rows were made of. */
interface Afresh {
  readonly head: ThreadHead;
  readonly rows: ThreadRows;
  readonly records: RecordIndex;
  readonly position: number;
  readonly lastAt: string | null;
  readonly player: JsonValue;
}

async function foldAfresh(thread: ShelfThread, segments: readonly Segment[]): Promise<Afresh> {
  const rows = new ThreadRows();
  const records = new RecordIndex();
  let head: ThreadHead = emptyThreadHead;
  let position = 0;
  let lastAt: string | null = null;
  let player: Player | undefined;
  const play = (line: TapeLine, tape: string): void => {
    records.add(position, { named: head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
    for (const fact of player?.play(line).facts ?? []) {
      const folded = thread.owns(fact) ? foldThread(head, thread.shown(fact), position) : undefined;
      position += 1;
      if (!folded) continue;
      head = folded.head;
      lastAt = fact.at ?? lastAt;
      rows.apply(folded.changes);
    }
  };
  for (const { file, endOffset } of segments) {
    player = thread.shelf.played(file).createPlayer();
    for (const batch of openTapeLinesSync(file.path, { to: endOffset })) {
      for (const line of batch) play(line, file.tape);
      await setImmediate();
    }
  }
  return { head, rows, records, position, lastAt, player: player?.checkpoint() ?? null };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

/** The path of the first place where two values differ, with both; undefined where they are equal as JSON. */
export function firstDifference(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (Object.is(expected, actual)) return undefined;
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) return `${path || 'value'}: ${short(expected)} from the files, ${short(actual)} in the index`;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = firstDifference(expected[key], actual[key], path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function differentRows(kind: string, expected: readonly Pick<Row, 'key'>[], actual: readonly Pick<Row, 'key'>[]): string | undefined {
  const byKey = new Map(actual.map((row) => [row.key, row]));
  for (const row of expected) {
    const other = byKey.get(row.key);
    if (!other) return `${kind} ${row.key} is missing in the index`;
    const found = firstDifference(plain(row), plain(other), `${kind} ${row.key}`);
    if (found !== undefined) return found;
    byKey.delete(row.key);
  }
  const [more] = byKey.keys();
  return more === undefined ? undefined : `${kind} ${more} is in the index and not in the files`;
}

/** All records as one list: blocks, then the newest. */
function joined(blocks: readonly RecordList[], tail: RecordList): RecordList {
  const lists = [...blocks, tail];
  let from = 0;
  const tapes = lists.flatMap((list) => {
    const shifted = list.tapes.map((each) => ({ tape: each.tape, from: each.from + from }));
    from += list.starts.length;
    return shifted;
  }).filter((each, i, all) => each.tape !== all[i - 1]?.tape);
  const all = (pick: (list: RecordList) => readonly number[]): number[] => lists.flatMap((list) => [...pick(list)]);
  return { starts: all((list) => list.starts), ordinals: all((list) => list.ordinals), offsets: all((list) => list.offsets), tapes, last: tail.last };
}

function differentStates(fresh: Afresh, dump: HistoryDump): string | undefined {
  const { state, player } = dump.checkpoint;
  const snapshot: RowsSnapshot = fresh.rows.snapshot();
  const { head, position, lastAt } = state;
  return firstDifference(plain({ head: fresh.head, position: fresh.position, lastAt: fresh.lastAt }), plain({ head, position, lastAt }))
    ?? differentRows('turn', snapshot.turns, dump.turns) ?? differentRows('item', snapshot.items, dump.items) ?? differentRows('step', snapshot.steps, dump.steps)
    ?? differentRows('notice', snapshot.notices, dump.notices) ?? differentRows('spoken record', snapshot.realtime, dump.realtime)
    ?? firstDifference(fresh.records.slice(0, fresh.records.length), joined(dump.records, state.records), 'records')
    ?? (player === null ? undefined : firstDifference(plain(fresh.player), JSON.parse(player) as unknown, 'player'));
}

/** Pages of a history, as answers give them. */
async function pagesOf(history: HistoryReader): Promise<unknown[]> {
  const { threadId } = history;
  const pages: unknown[] = [];
  for (const sortDirection of ['asc', 'desc'] as const) {
    for (const itemsView of ['full', 'summary', 'notLoaded'] as const) {
      const params: TurnsListParams = { threadId, sortDirection, itemsView, limit: 7 };
      for (let cursor: string | null = null, left = PAGES; left > 0; left--) {
        const { data, nextCursor, backwardsCursor }: Awaited<ReturnType<typeof turnsPage>> = await turnsPage(history, { ...params, cursor });
        pages.push({ data: [...data], nextCursor, backwardsCursor });
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
    }
    for (let cursor: string | null = null, left = PAGES; left > 0; left--) {
      const { data, nextCursor, backwardsCursor }: Awaited<ReturnType<typeof itemsPage>> = await itemsPage(history, { threadId, sortDirection, limit: 9, cursor });
      pages.push({ data: [...data], nextCursor, backwardsCursor });
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
  }
  for (let cursor: string | null = null, left = PAGES; left > 0; left--) {
    const page: Awaited<ReturnType<typeof timelinePage>> = await timelinePage(history, { threadId, limit: 9, cursor });
    pages.push(page);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return pages;
}

/** Pages of rows that were written meanwhile are those of another state: they are not compared. */
async function differentPages(memory: HistoryReader, stored: HistoryReader, isSame: () => Promise<boolean>): Promise<string | undefined> {
  try {
    const pages = await pagesOf(stored);
    return (await isSame()) ? firstDifference(plain(await pagesOf(memory)), plain(pages), 'pages') : undefined;
  } catch (cause) {
    if (cause instanceof StoreError && cause.code === 'rewritten') return undefined;
    throw cause;
  }
}

/** Pages of a chain that are compared. */
const PAGES = 8;

/** What verifying one thread came to: `difference` is the first one, as a sentence; `notIndexed`: there is nothing to compare. */
export interface VerifyResult {
  readonly threadId: string;
  readonly path: string;
  readonly state: 'equal' | 'differs' | 'notIndexed';
  readonly difference?: string | undefined;
}

/** Folds a thread afresh, as far as its rows go, and compares rows, record numbers, the checkpoint, pages and what the store keeps besides (the index of text). Memory: the thread. */
export async function verifyThread(store: ThreadStore, thread: ShelfThread): Promise<VerifyResult> {
  const about = { threadId: thread.threadId, path: thread.file.path };
  if (thread.segments().segments.length === 0) return { ...about, state: 'equal' };
  const dump = await store.dump(historyName(thread));
  const known = dump?.checkpoint;
  if (!known || known.rowsVersion !== ROWS_VERSION) return { ...about, state: 'notIndexed' };
  const { segments } = thread.segments();
  try {
    const played = known.state.segments.map((stamp, i) => ({ ...(segments[i] as Segment), endOffset: stamp.bytes }));
    const fresh = await foldAfresh(thread, played);
    const readPiece = pieceReader(thread.shelf.byTape);
    const object = thread.object(fresh.head);
    const stored = await store.open(known.name, { thread: object, readPiece });
    const memory = new History({ thread: object, head: fresh.head, rows: fresh.rows, placeOf: fresh.records.placeOf, marks: fresh.records, readPiece });
    const isSame = async (): Promise<boolean> => (await store.checkpoint(known.name))?.state.position === fresh.position;
    const difference = differentStates(fresh, dump) ?? (stored && await differentPages(memory, stored.history, isSame)) ?? await store.misfit(dump);
    return { ...about, state: difference === undefined ? 'equal' : 'differs', difference };
  } catch (cause) {
    if (!(cause instanceof TapeError)) throw cause;
    return { ...about, state: 'differs', difference: cause.message };
  }
}
