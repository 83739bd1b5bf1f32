import type { ItemRow, TurnRow } from '@tapefold/threads';
import { Positions } from '../rows/positions.js';
import type { HistoryState } from '../thread-store.js';
import { type HistoryFinds, sharedFinds } from './history-finds.js';
import { Leftovers } from './leftovers.js';
import { SCAN_ROWS } from './limits.js';
import { RecordsReader } from './records-reader.js';
import { itemOf, turnOf } from './row-queries.js';
import type { Scans } from './row-scans.js';
import { rangeOf, rowIdOf } from './schema.js';
import type { SharedSpans } from './shared-spans.js';
import { sharedView } from './shared-view.js';

/** The statements that readers of one database share. */
export interface SeenQueries extends HistoryFinds {
  readonly scans: Scans;
  readonly shared: SharedSpans;
}

/** One state of a history: what was read of it holds until the next commit. */
export class SeenRows {
  readonly version: number;
  readonly state: HistoryState;
  readonly positions: Positions;
  readonly records: RecordsReader;
  readonly finds: HistoryFinds;
  readonly #id: number;
  readonly #turns = new Map<number, TurnRow | null>();
  readonly #steps = new Map<number, boolean>();
  #leftovers: Leftovers | undefined;

  constructor(queries: SeenQueries, { id, version }: { readonly id: number; readonly version: number }) {
    this.#id = id;
    this.version = version;
    this.state = JSON.parse(queries.scans.state.get(id)?.state ?? '') as HistoryState;
    this.positions = new Positions(this.state.head.offsets);
    this.finds = sharedFinds(queries, sharedView(queries.shared, id));
    this.records = new RecordsReader(this.finds.records, id, { records: this.state.records, positions: this.positions });
  }

  /** Whether the history holds an item, by itself and by its step; not by its turn. */
  isEffective(row: ItemRow): boolean {
    return row.effective.at(-1)?.[1] === null && this.isStepLive(row.step === null ? null : (this.positions.of(row.step) ?? null));
  }

  /** Whether the step that began at a position did not leave the history; also where there is none. */
  isStepLive(position: number | null): boolean {
    if (position === null) return true;
    const known = this.#steps.get(position);
    if (known !== undefined) return known;
    const record = this.finds.rows.step.get(rowIdOf(this.#id, position));
    const isLive = !record || (JSON.parse(record.state) as readonly (readonly [number, number | null])[]).at(-1)?.[1] === null;
    this.#steps.set(position, isLive);
    return isLive;
  }

  /** A turn by its row id; the last ones are at hand. */
  turnOfRow(id: number): TurnRow | null {
    const turns = this.#turns;
    const known = turns.get(id);
    if (known !== undefined) return known;
    const record = this.finds.rows.turn.get(id);
    const turn = record ? turnOf(record, this.positions) : null;
    if (turns.size >= SCAN_ROWS) turns.delete(turns.keys().next().value as number);
    turns.set(id, turn);
    return turn;
  }

  /** Inputs that no record placed. */
  leftovers(): Leftovers {
    return (this.#leftovers ??= new Leftovers(
      this.finds.scans.waiting.all(...rangeOf(this.#id)).map((record) => itemOf(record, this.positions)).filter((row) => this.isEffective(row)).sort((a, b) => a.position - b.position),
      (turn) => {
        const position = this.positions.of(turn);
        const row = position === undefined ? null : this.turnOfRow(rowIdOf(this.#id, position));
        return row && row.effective.at(-1)?.[1] === null ? row : undefined;
      },
    ));
  }}
