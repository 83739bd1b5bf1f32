import type { FactKey, PieceReader } from '@tapefold/facts';
import {
  type EndedTurn, History, type HistoryItem, type HistoryReader, type HistoryTurn, type ItemsView, type KeysetPage, type PageRequest, type PlacedRealtime, type RecordMark, type RecordMarks, type RecordPlace, type Thread, type ThreadHead, type ThreadItem, type Turn, type TurnRequest,
  comparePlaces, isOpenTurn, itemObject, keysetPage, turnObject,
} from '@tapefold/threads';
import { StoreError } from '../errors.js';
import { KeptByBytes } from '../files/kept-by-bytes.js';
import { changeOf } from '../indexing/segment-stamp.js';
import type { OpenedThread } from '../thread-source.js';
import { STRETCHES_BYTES } from './limits.js';
import type { MappedFiles } from './map-turns.js';
import type { Stretch, StoredTurnMap, TurnMapState } from './turn-map.js';

/** What a history over a map needs. `open`: plays a stretch. */
export interface MappedHistoryOptions {
  readonly thread: Pick<Thread, 'id' | 'historyMode'>;
  readonly map: StoredTurnMap;
  readonly readPiece: PieceReader;
  readonly open: (stretch: Stretch) => Promise<Pick<OpenedThread, 'rows' | 'placeOf' | 'marks'>>;
}

/**
 * The settled history of a thread over the map of its turns: each answer plays the stretches that its page is of, and keeps the last ones. Nothing runs. A stretch has the records between its first one and the next
 * stretch's, and so its rows stand before those of the next.
 */
export class MappedHistory implements HistoryReader {
  readonly threadId: string;
  readonly historyMode: Thread['historyMode'];
  readonly marks: Pick<RecordMarks, 'ordinalAt'>;
  readonly #options: MappedHistoryOptions;
  readonly #map: StoredTurnMap;
  readonly #kept = new KeptByBytes<History>(STRETCHES_BYTES);

  constructor(options: MappedHistoryOptions) {
    this.threadId = options.thread.id;
    this.historyMode = options.thread.historyMode;
    this.#options = options;
    this.#map = options.map;
    this.marks = { ordinalAt: (mark) => this.#ordinalAt(mark) };
  }

  #ordinalAt({ tape, offset }: RecordMark): number | undefined {
    const { stamps, files } = this.#map.state;
    const file = files[stamps.findIndex((stamp) => stamp.tape === tape)];
    return file && (this.#map.ordinalFrom(file.from + offset) ?? Number.MAX_SAFE_INTEGER);
  }

  /** A stretch; kept where pages go back and forth. */
  async #history(stretch: Stretch): Promise<History> {
    const key = String(stretch.position);
    const known = this.#kept.get(key, '');
    if (known) return known;
    const history = await this.#played(stretch);
    this.#kept.keep(key, { stamp: '', value: history, sizeBytes: stretch.to - stretch.from });
    return history;
  }

  async #played(stretch: Stretch): Promise<History> {
    const { thread, map, readPiece, open } = this.#options;
    return new History({ thread, head: map.state.head, readPiece, ...await open(stretch) });
  }

  /** Rows around an anchor, ascending: those of a page and one more in its direction. A page over them is the page over all. */
  async #ahead<R extends HistoryTurn | HistoryItem>({ anchor, direction, limit }: PageRequest, rowsOf: (history: History) => readonly R[]): Promise<readonly R[]> {
    const isAsc = direction === 'asc';
    let stretch: Stretch | undefined = this.#map.stretchAt(anchor?.ordinal ?? (isAsc ? 0 : Number.MAX_SAFE_INTEGER));
    let rows: readonly R[] = [];
    while (stretch) {
      const more = rowsOf(await this.#history(stretch));
      rows = isAsc ? [...rows, ...more] : [...more, ...rows];
      if (keysetPage(rows, { anchor, direction, limit: limit + 1 }).rows.length > limit) break;
      stretch = this.#map.nextTo(stretch, isAsc ? 'behind' : 'before');
    }
    return rows;
  }

  async turnPage(request: TurnRequest): Promise<KeysetPage<HistoryTurn>> {
    return keysetPage(await this.#ahead(request, ({ turns }) => turns), request);
  }

  async itemPage(request: PageRequest, turnId?: string): Promise<KeysetPage<HistoryItem>> {
    if (turnId === undefined) return keysetPage(await this.#ahead(request, ({ items }) => items), request);
    return keysetPage(await this.#around(turnId, ({ items }) => items.filter((item) => item.turnId === turnId)), request);
  }

  async turnsOfId(id: string): Promise<readonly HistoryTurn[]> {
    return this.#around(id, ({ turns }) => turns.filter((turn) => turn.id === id));
  }

  /** Rows of the stretches in which turns of an id stand. */
  async #around<R>(turnId: string, rowsOf: (history: History) => readonly R[]): Promise<R[]> {
    const rows: R[] = [];
    for (const stretch of this.#map.stretchesOf(turnId)) rows.push(...rowsOf(await this.#history(stretch)));
    return rows;
  }

  async *eachTurn(): AsyncGenerator<HistoryTurn> {
    for await (const { turns } of this.#each(0)) yield* turns;
  }

  async *eachItem(from?: RecordPlace): AsyncGenerator<HistoryItem> {
    for await (const { items } of this.#each(from?.ordinal ?? 0)) yield* from ? items.filter(({ place }) => comparePlaces(place, from) >= 0) : items;
  }

  /** Stretches from a record on, none of them kept. */
  async *#each(ordinal: number): AsyncGenerator<History> {
    for (let stretch: Stretch | undefined = this.#map.stretchAt(ordinal); stretch; stretch = this.#map.nextTo(stretch, 'behind')) yield await this.#played(stretch);
  }

  async endedTurns(upTo: RecordPlace | undefined, limit: number): Promise<readonly EndedTurn[]> {
    const ended: EndedTurn[] = [];
    let stretch: Stretch | undefined = this.#map.stretchAt(upTo?.ordinal ?? Number.MAX_SAFE_INTEGER);
    for (; stretch && ended.length < limit; stretch = this.#map.nextTo(stretch, 'before')) ended.push(...(await (await this.#history(stretch)).endedTurns(upTo, limit - ended.length)));
    return ended;
  }

  async realtime(): Promise<readonly PlacedRealtime[]> {
    return this.#map.state.realtime;
  }

  /** The newest turn that no record ended: the one that runs, if anything does. Its key is that of this history, where facts are not counted from the first one on. */
  async openTurn(): Promise<FactKey | undefined> {
    for (let stretch: Stretch | undefined = this.#map.stretchAt(Number.MAX_SAFE_INTEGER); stretch; stretch = this.#map.nextTo(stretch, 'before')) {
      const open = (await this.#history(stretch)).turns.map(({ rows }) => rows.turn).filter(isOpenTurn).at(-1);
      if (open) return open.key;
    }
    return undefined;
  }

  turnObject({ rows, phase }: HistoryTurn, view: ItemsView): Turn {
    const turn = turnObject(this.#map.state.head, rows, { phase, view, readPiece: this.#options.readPiece });
    if (!turn) throw new Error('a turn that is shown has an object');
    return turn;
  }

  itemObject({ row, isTurnOver }: HistoryItem): ThreadItem {
    return itemObject(row, { isTurnOver, cwd: this.#map.state.head.details.cwd, readPiece: this.#options.readPiece });
  }
}

/** What the look found, as a fold of one of the files would have it. */
function headOfFile({ head, files }: TurnMapState, file: number): ThreadHead {
  const threadId = files[file]?.threadId;
  return head.identity && threadId !== undefined ? { ...head, identity: { ...head.identity, threadId } } : head;
}

/** The history over a map of files. Refuses (`rewritten`) what it played of a file that was another one by then. */
export function mappedHistory(map: StoredTurnMap, { files: { segments, stretches }, ...about }: Pick<MappedHistoryOptions, 'thread' | 'readPiece'> & { readonly files: MappedFiles }): MappedHistory {
  return new MappedHistory({
    ...about, map, open: async (stretch) => {
      const [segment, stamp] = [segments[stretch.file], map.state.stamps[stretch.file]];
      if (!segment || !stamp) throw new StoreError('rewritten');
      const played = await stretches.open(segment, headOfFile(map.state, stretch.file), stretch);
      if (changeOf(stamp, segment) === 'changed') throw new StoreError('rewritten');
      return played;
    },
  });
}
