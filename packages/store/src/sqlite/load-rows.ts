import type { ItemRow, KeptRows, NoticeRow, RowAddresses, StepRow, TurnRow } from '@tapefold/threads';
import type { Positions } from '../rows/positions.js';
import type { ItemRecord } from './item-record.js';
import { type RowFinds, type TurnRecord, itemOf, noticeOf, stepOf, turnOf } from './row-queries.js';
import { rangeOf, rowIdOf } from './schema.js';

/** What is being looked up, and what was found so far, each row once. */
class Found {
  readonly turns = new Map<number, TurnRow>();
  readonly items = new Map<number, ItemRow>();
  readonly steps: StepRow[] = [];
  readonly notices: NoticeRow[] = [];
  readonly #history: number;
  readonly #queries: RowFinds;
  readonly #positions: Positions;

  constructor(history: number, queries: RowFinds, positions: Positions) {
    this.#history = history;
    this.#queries = queries;
    this.#positions = positions;
  }

  #rowId(key: string): number | undefined {
    const position = this.#positions.of(key);
    return position === undefined ? undefined : rowIdOf(this.#history, position);
  }

  #turn(record: TurnRecord | undefined): void {
    if (record && !this.turns.has(record.id)) this.turns.set(record.id, turnOf(record, this.#positions));
  }

  #item(record: ItemRecord | undefined): void {
    if (record && !this.items.has(record.id)) this.items.set(record.id, itemOf(record, this.#positions));
  }

  turnsAndRows({ turns, turnIds, rows, steps }: RowAddresses): void {
    const [from, to] = rangeOf(this.#history);
    const each = (keys: ReadonlySet<string>, look: (id: number) => void): void => { for (const key of keys) { const id = this.#rowId(key); if (id !== undefined) look(id); } };
    each(turns, (id) => this.#turn(this.#queries.turn.get(id)));
    for (const id of turnIds) this.#queries.turnsOfId.all(id, from, to).forEach((record) => this.#turn(record));
    each(rows, (id) => this.#item(this.#queries.item.get(id)));
    each(steps, (id) => { const record = this.#queries.step.get(id); if (record) this.steps.push(stepOf(record, this.#positions)); });
  }

  addressed({ items, orphansOf }: RowAddresses): void {
    const [from, to] = rangeOf(this.#history);
    for (const { turn, turnId, id } of items.values()) {
      const rowId = turn === null ? undefined : this.#rowId(turn);
      const group = rowId === undefined ? this.#queries.itemsOfTurnId.all(turnId ?? '', from, to) : this.#queries.itemsOfTurn.all(rowId);
      group.filter((record) => record.item_id === id).forEach((record) => this.#item(record));
    }
    for (const turnId of orphansOf) this.#queries.itemsOfTurnId.all(turnId, from, to).forEach((record) => this.#item(record));
  }

  words({ words }: RowAddresses): void {
    for (const { tape, from, to } of words) {
      const [first, end] = [this.#positions.ofOrdinal(tape, from), this.#positions.ofOrdinal(tape, to)];
      if (first === undefined || end === undefined) continue;
      const [firstId, endId, beyond] = [rowIdOf(this.#history, first), rowIdOf(this.#history, end), rangeOf(this.#history)[1]];
      this.#queries.turnsWithWords.all(firstId, beyond, endId).forEach((record) => this.#turn(record));
      this.notices.push(...this.#queries.notices.all(firstId, endId).map((record) => noticeOf(record, this.#positions)));
    }
  }
}

/** Rows of a history by address. Costs what is named, and for an item its turn's items. */
export function loadRows(queries: RowFinds, history: number, { addresses, positions }: { readonly addresses: RowAddresses; readonly positions: Positions }): KeptRows {
  const found = new Found(history, queries, positions);
  found.turnsAndRows(addresses);
  found.addressed(addresses);
  found.words(addresses);
  return { turns: [...found.turns.values()], items: [...found.items.values()], steps: found.steps, notices: found.notices };
}
