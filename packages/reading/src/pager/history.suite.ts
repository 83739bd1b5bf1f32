import type { HistoryPage, PageRequest } from './history-page.js';

/** An entry of the history that the tests page through; `version` counts its changes. */
export interface TestEntry {
  readonly turnId: string;
  readonly item: { readonly id: string; readonly ordinal: number; readonly version: number };
}

/** What a source may do wrong, or differently, in one answer. */
export interface Quirks {
  /** Entries newer than the cursor that it sends once more. */
  readonly overlap: number;
  readonly isReversed: boolean;
  readonly isDoubled: boolean;
  /** Names a cursor that it named before. */
  readonly isLooping: boolean;
  /** Nothing, but a fresh cursor. */
  readonly isEmpty: boolean;
}

export const plain: Quirks = { overlap: 0, isReversed: false, isDoubled: false, isLooping: false, isEmpty: false };

/** The obvious history: an array in order, from which things are taken out. Item ids repeat over turns, as native ones do. */
export class TestHistory {
  entries: TestEntry[] = [];
  private made = 0;
  private turn = 0;
  private inTurn = 0;
  private fresh = 0;

  append(isNewTurn: boolean): TestEntry {
    if (isNewTurn || this.turn === 0) { this.turn += 1; this.inTurn = 0; }
    this.inTurn += 1;
    this.made += 1;
    const entry: TestEntry = { turnId: `t${this.turn}`, item: { id: `item-${this.inTurn}`, ordinal: this.made, version: 0 } };
    this.entries.push(entry);
    return entry;
  }

  change(ordinal: number): TestEntry | undefined {
    const at = this.entries.findIndex((entry) => entry.item.ordinal === ordinal);
    const entry = this.entries[at];
    if (entry === undefined) return undefined;
    const changed = { ...entry, item: { ...entry.item, version: entry.item.version + 1 } };
    this.entries[at] = changed;
    return changed;
  }

  turnIds(): string[] {
    return [...new Set(this.entries.map((entry) => entry.turnId))];
  }

  supersede(turnIds: readonly string[]): void {
    this.entries = this.entries.filter((entry) => !turnIds.includes(entry.turnId));
    this.turn += 1;
    this.inTurn = 0;
  }

  /** Cursors are `<ordinal>` (older than it); behind a `#` stands what makes a fresh name for the same place. */
  page(request: PageRequest, most: number, quirks: Quirks): HistoryPage<TestEntry> {
    const before = request.cursor === null ? Infinity : Number(request.cursor.split('#')[0]);
    const older = this.entries.filter((entry) => entry.item.ordinal < before);
    const newer = this.entries.filter((entry) => entry.item.ordinal >= before);
    const taken = quirks.isEmpty ? [] : older.slice(-Math.min(request.limit, most));
    const oldest = taken[0]?.item.ordinal ?? before;
    const data = [...taken, ...(quirks.isEmpty ? [] : newer.slice(0, quirks.overlap))].flatMap((entry) => (quirks.isDoubled ? [entry, entry] : [entry]));
    const isEnd = older.length === taken.length && !quirks.isEmpty;
    const nextCursor = quirks.isLooping && request.cursor !== null ? request.cursor : isEnd ? null : `${oldest}#${quirks.isEmpty ? (this.fresh += 1) : ''}`;
    return quirks.isReversed ? { data, nextCursor, sortDirection: 'asc' } : { data: data.reverse(), nextCursor };
  }
}
