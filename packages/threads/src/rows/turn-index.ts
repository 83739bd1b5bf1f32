import type { FactKey, TapeId, Usage } from '@tapefold/facts';
import type { TurnEnd, TurnHeader, TurnOutlook, TurnRow, Word } from '../fold/row.js';
import { closed, isEffective, opened } from './interval.js';
import type { Draft } from './item-state.js';
import { type Order, insertionIndex } from './order.js';
import { type WordIndex, ownWords } from './word-index.js';

const orderOf = (row: TurnRow): Order => [row.position];

function sum(a: Usage | null, b: Usage): Usage {
  const total: Record<string, number | undefined> = { ...a };
  for (const [key, value] of Object.entries(b)) if (typeof value === 'number') total[key] = (total[key] ?? 0) + value;
  return total;
}

/** The turns of a thread: by key, by native id (ids repeat), and in order. No change costs more for there being more turns. */
export class TurnIndex {
  readonly #byKey = new Map<FactKey, Draft<TurnRow>>();
  readonly #byId = new Map<string, Draft<TurnRow>[]>();
  readonly #ordered: TurnRow[] = [];
  readonly #words: WordIndex;

  constructor(words: WordIndex) {
    this.#words = words;
  }

  get(key: FactKey): TurnRow | undefined {
    return this.#byKey.get(key);
  }

  /** All turns in order, superseded ones too. */
  all(): readonly TurnRow[] {
    return this.#ordered;
  }

  /** The newest effective turn of a native id, else the newest that has it. Costs the number of copies. */
  newestOfId(id: string): TurnRow | undefined {
    const rows = this.#byId.get(id) ?? [];
    for (let i = rows.length - 1; i >= 0; i--) if (isEffective(rows[i]?.effective ?? [])) return rows[i];
    return rows.at(-1);
  }

  /** Takes a turn up; a second time it changes nothing. */
  upsert(turn: TurnHeader): TurnRow | undefined {
    if (this.#byKey.has(turn.key)) return undefined;
    return this.restore({ ...turn, effective: [[turn.position, null]], ends: [], outlooks: [], compactions: [], usage: null, touched: turn.position });
  }

  /** Takes a row up as it was kept. */
  restore(row: TurnRow): TurnRow {
    const draft = ownWords(row);
    this.#byKey.set(row.key, draft);
    const ofId = this.#byId.get(row.id);
    if (ofId) ofId.splice(insertionIndex(ofId, orderOf(row), orderOf), 0, draft);
    else this.#byId.set(row.id, [draft]);
    this.#ordered.splice(insertionIndex(this.#ordered, orderOf(row), orderOf), 0, draft);
    for (const word of [...draft.ends, ...draft.outlooks, ...draft.compactions]) this.#words.add(word, draft);
    return draft;
  }

  end(key: FactKey, end: TurnEnd): TurnRow | undefined {
    return this.#say(key, end, (row, word) => { row.ends = [...row.ends, word]; });
  }

  expect(key: FactKey, outlook: TurnOutlook): TurnRow | undefined {
    return this.#say(key, outlook, (row, word) => { row.outlooks = [...row.outlooks, word]; });
  }

  compact(key: FactKey, compaction: Word): TurnRow | undefined {
    return this.#say(key, compaction, (row, word) => { row.compactions = [...row.compactions, word]; });
  }

  addUsage(key: FactKey, usage: Usage, position: number): TurnRow | undefined {
    return this.#change(key, position, (row) => { row.usage = sum(row.usage, usage); });
  }

  close(key: FactKey, position: number): TurnRow | undefined {
    return this.#change(key, position, (row) => { row.effective = closed(row.effective, position); });
  }

  open(key: FactKey, position: number): TurnRow | undefined {
    return this.#change(key, position, (row) => { row.effective = opened(row.effective, position); });
  }

  /** Closes the copies of a turn that stand on other tapes. Costs the number of copies. */
  hideOlder(id: string, tape: TapeId, position: number): TurnRow[] {
    const older = (this.#byId.get(id) ?? []).filter((row) => row.tape !== tape && isEffective(row.effective));
    return older.flatMap((row) => this.close(row.key, position) ?? []);
  }

  #say<W extends Word>(key: FactKey, word: W, add: (row: Draft<TurnRow>, word: W) => void): TurnRow | undefined {
    return this.#change(key, word.position, (row) => {
      const own = { ...word };
      add(row, own);
      this.#words.add(own, row);
    });
  }

  #change(key: FactKey, position: number, change: (row: Draft<TurnRow>) => void): TurnRow | undefined {
    const row = this.#byKey.get(key);
    if (!row || position <= row.touched) return undefined;
    change(row);
    row.touched = position;
    return row;
  }
}
