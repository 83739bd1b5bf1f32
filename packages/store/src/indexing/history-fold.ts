import type { Fact, TapeId, TapeLine } from '@tapefold/facts';
import {
  type ItemRow, type KeptRows, type NoticeRow, type RealtimeRow, RecordIndex, type Row, type RowAddresses, type RowChange, type StepRow, type ThreadHead, ThreadRows, type TurnRow, addressesOf, emptyThreadHead, foldThread,
  isOpenTurn, noRecords,
} from '@tapefold/threads';
import { ordinalOf } from '../files/segment-lines.js';
import { BLOCK_RECORDS } from '../rows/record-blocks.js';
import { Positions } from '../rows/positions.js';
import type { HistoryId, HistoryState, HistoryWrite, ThreadStore } from '../thread-store.js';
import { AtHand } from './at-hand.js';
import { TURNS_KEPT } from './limits.js';

/** Rows that changed since the last commit, as the commit writes them. */
type ChangedRows = Pick<HistoryWrite, 'turns' | 'items' | 'steps' | 'notices' | 'realtime' | 'records'>;

const isTurn = (row: Row): row is TurnRow => 'ends' in row;
const isItem = (row: Row): row is ItemRow => 'order' in row;
const isNotice = (row: Row): row is NoticeRow => 'level' in row;

/** What is changed and not yet written. */
class Changed {
  readonly turns = new Set<TurnRow>();
  readonly items = new Set<ItemRow>();
  readonly steps = new Set<string>();
  readonly notices = new Set<NoticeRow>();
  readonly realtime = new Set<RealtimeRow>();

  add(row: Row): void {
    if (isTurn(row)) this.turns.add(row);
    else if (isItem(row)) this.items.add(row);
    else if (isNotice(row)) this.notices.add(row);
    else this.realtime.add(row);
  }

  get size(): number {
    return this.turns.size + this.items.size + this.notices.size + this.realtime.size;
  }
}

/** What a history is folded on from. */
export type FoldStart = Pick<HistoryState, 'head' | 'position' | 'appliedTo' | 'lastAt' | 'records'>;

/** Before the first fact. */
export const foldStart: FoldStart = { head: emptyThreadHead, position: 0, appliedTo: -1, lastAt: null, records: noRecords };

/**
 * Folds the facts of one history over rows that are kept in a store. At hand are the rows that changed since the last commit and those that were addressed;
 * the others are fetched when a change names them. Memory: what lies between two commits.
 */
export class HistoryFold {
  readonly #store: ThreadStore;
  #id: HistoryId | undefined;
  #rows: ThreadRows;
  #records: RecordIndex;
  #changed = new Changed();
  #atHand: AtHand;
  #pending: RowChange[] = [];
  head: ThreadHead;
  position: number;
  lastAt: string | null;

  /** `id`: undefined before the first commit, when there is nothing to fetch. */
  constructor(store: ThreadStore, start: FoldStart, id?: HistoryId) {
    this.#store = store;
    this.#id = id;
    this.head = start.head;
    this.position = start.position;
    this.lastAt = start.lastAt;
    this.#records = RecordIndex.restore(start.records);
    this.#rows = ThreadRows.restore({ appliedTo: start.appliedTo, turns: [], steps: [], items: [], notices: [], realtime: [] });
    this.#atHand = new AtHand(id === undefined ? 0 : start.position);
  }

  /** Rows that wait for a commit. */
  get changedRows(): number {
    return this.#changed.size + this.#pending.length;
  }

  /** A line is about to be played. */
  line(line: TapeLine, tape: TapeId): void {
    this.#records.add(this.position, { named: this.head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
  }

  /** The next fact of the tape; `fact` undefined: it is none of this history's, and only takes its place. */
  fact(fact: Fact | undefined): void {
    const position = this.position;
    this.position += 1;
    if (!fact) return;
    const folded = foldThread(this.head, fact, position);
    this.head = folded.head;
    this.lastAt = fact.at ?? this.lastAt;
    if (folded.changes.length > 0) this.#pending.push(...folded.changes);
  }

  /** Applies what was folded, fetching the rows that it needs. */
  async settle(): Promise<void> {
    const changes = this.#pending;
    if (changes.length === 0) return;
    this.#pending = [];
    await this.#fetch(changes);
    for (const change of changes) {
      for (const row of this.#rows.applyOne(change)) this.#changed.add(row);
      if (change.op === 'history.close' || change.op === 'history.open') for (const step of change.steps) this.#changed.steps.add(step);
    }
  }

  async #fetch(changes: readonly RowChange[]): Promise<void> {
    if (this.#id === undefined) return;
    const positions = new Positions(this.head.offsets);
    for (;;) {
      const missing: RowAddresses | undefined = this.#atHand.missing(addressesOf(changes, this.#rows), positions);
      if (!missing) return;
      this.#rows.take(await this.#store.rows(this.#id, { addresses: missing, positions }));
    }
  }

  /** What changed since the last commit, after `settle`. */
  changed(): ChangedRows {
    const { turns, items, steps, notices, realtime } = this.#changed;
    return {
      turns: [...turns], items: [...items], steps: [...steps].flatMap((key) => this.#rows.step(key) ?? ([] as StepRow[])), notices: [...notices], realtime: [...realtime], records: this.#fullBlocks(),
    };
  }

  /** The newest records stay with the state: the last one's place may still be taken. */
  #fullBlocks(): HistoryWrite['records'] {
    const blocks = Math.floor((this.#records.length - 1) / BLOCK_RECORDS);
    return Array.from({ length: Math.max(0, blocks) }, (_, i) => this.#records.slice(i * BLOCK_RECORDS, (i + 1) * BLOCK_RECORDS));
  }

  /** The state as `changed` leaves it. */
  state(): FoldStart {
    const from = Math.max(0, Math.floor((this.#records.length - 1) / BLOCK_RECORDS)) * BLOCK_RECORDS;
    return { head: this.head, position: this.position, appliedTo: this.#rows.appliedTo, lastAt: this.lastAt, records: this.#records.slice(from, this.#records.length) };
  }

  /** After a commit: what was written is let go, but for the newest turns. */
  committed(id: HistoryId): void {
    const { records, appliedTo } = this.state();
    this.#id = id;
    this.#records = RecordIndex.restore(records);
    const kept = this.#newest();
    this.#atHand = new AtHand(this.position, kept);
    this.#rows = ThreadRows.restore({ ...kept, appliedTo, realtime: [] });
    this.#changed = new Changed();
  }

  /** The newest turns with all their items, where all of them are at hand. */
  #newest(): KeptRows {
    const turns = this.#rows.allTurns().filter(({ key, position }) => this.#atHand.hasWhole(key, position)).slice(-TURNS_KEPT).filter((turn, i, all) => i === all.length - 1 || isOpenTurn(turn));
    const items = turns.flatMap(({ key }) => this.#rows.allItems(key));
    const steps = [...new Set(items.flatMap(({ step }) => step ?? []))].flatMap((key) => this.#rows.step(key) ?? []);
    return { turns, items, steps, notices: [] };
  }
}
