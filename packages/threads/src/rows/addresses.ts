import type { FactKey, OrdinalRange } from '@tapefold/facts';
import type { ItemTarget } from '../fold/row.js';
import type { RowChange } from '../fold/row-change.js';
import type { ThreadRows } from './thread-rows.js';

/** Rows that changes read or change, however they name them. */
export interface RowAddresses {
  /** Turns by first fact. */
  readonly turns: ReadonlySet<FactKey>;
  /** All copies of turns of these ids. */
  readonly turnIds: ReadonlySet<string>;
  /** Items and inputs by first fact. */
  readonly rows: ReadonlySet<FactKey>;
  /** Items by turn and id, as `itemAddress` writes them. */
  readonly items: ReadonlyMap<string, ItemTarget>;
  /** Items that name these ids and stand in no turn. */
  readonly orphansOf: ReadonlySet<string>;
  readonly steps: ReadonlySet<FactKey>;
  /** Turns and notices with words in these ranges. */
  readonly words: readonly OrdinalRange[];
}

/** One text for an item's address: by its turn, else by the turn id that it names. */
export function itemAddress({ turn, turnId, id }: ItemTarget): string {
  // The length before a name says where it ends: names may hold anything.
  return turn === null ? `id ${turnId === null ? '' : `${turnId.length} ${turnId}`} ${id}` : `turn ${turn.length} ${turn} ${id}`;
}

class Addresses implements RowAddresses {
  readonly turns = new Set<FactKey>();
  readonly turnIds = new Set<string>();
  readonly rows = new Set<FactKey>();
  readonly items = new Map<string, ItemTarget>();
  readonly orphansOf = new Set<string>();
  readonly steps = new Set<FactKey>();
  readonly words: OrdinalRange[] = [];
  readonly #known: ThreadRows;

  constructor(known: ThreadRows) {
    this.#known = known;
  }

  #turn(turn: FactKey | null, turnId: string | null): void {
    if (turn !== null) this.turns.add(turn);
    else if (turnId !== null) this.turnIds.add(turnId);
  }

  #item(target: ItemTarget): void {
    this.#turn(target.turn, target.turnId);
    const named = target.turn ?? (target.turnId === null ? null : this.#known.turnOfId(target.turnId)?.key ?? null);
    const resolved = { turn: named, turnId: target.turnId, id: target.id };
    this.items.set(itemAddress(resolved), resolved);
  }

  add(change: RowChange): void {
    switch (change.op) {
      case 'turn.upsert': this.orphansOf.add(change.turn.id); this.turnIds.add(change.turn.id); return;
      case 'turn.end': this.#turn(change.turn, change.turnId); return;
      case 'turn.expect': case 'turn.compact': case 'turn.usage': this.turns.add(change.turn); return;
      case 'turn.hideOlder': this.turnIds.add(change.id); return;
      case 'history.close': case 'history.open': this.#history(change); return;
      case 'item.upsert': this.#item(change.item); if (change.place.kind === 'after') this.rows.add(change.place.fact); return;
      case 'item.revise': this.#item(change.target); return;
      case 'input.receive': this.#turn(null, change.input.turnId); return;
      case 'input.place': this.#placing(change); return;
      default:
    }
  }

  #history(change: Extract<RowChange, { op: 'history.close' | 'history.open' }>): void {
    for (const key of change.turns) this.turns.add(key);
    for (const key of change.steps) this.steps.add(key);
    for (const key of change.items) this.rows.add(key);
    this.words.push(...change.facts);
  }

  #placing({ input, turn, place }: Extract<RowChange, { op: 'input.place' }>): void {
    this.rows.add(input);
    if (place.kind === 'after') this.rows.add(place.fact);
    this.#turn(turn, this.#known.item(input)?.turnId ?? null);
  }
}

/**
 * The rows that must be there before changes are applied to a part of a thread's rows, so that it comes to the same as with all. What is named by id is found through
 * rows: where this names rows that were not there, take them up and ask again, until nothing new is named.
 */
export function addressesOf(changes: readonly RowChange[], known: ThreadRows): RowAddresses {
  const addresses = new Addresses(known);
  for (const change of changes) addresses.add(change);
  return addresses;
}
