import type { FactKey } from '@tapefold/facts';
import { type ItemRow, type TurnRow, type TurnRows, withLeftovers } from '@tapefold/threads';

/** Inputs that no record placed, placed: in turns that they join, and in turns of their own. There are few of them in any thread. */
export class Leftovers {
  /** Turns of their own, in order. */
  readonly own: readonly TurnRows[];
  /** Those that join a turn. */
  readonly joined: ReadonlyMap<FactKey, readonly ItemRow[]>;
  readonly #turnIds = new Map<FactKey, string>();

  /** `turnOf`: an effective turn by key. */
  constructor(inputs: readonly ItemRow[], turnOf: (turn: FactKey) => TurnRow | undefined) {
    const held = new Map([...new Set(inputs.flatMap(({ heldFor }) => heldFor ?? []))].flatMap((key): [FactKey, TurnRow][] => { const row = turnOf(key); return row ? [[key, row]] : []; }));
    const placed = withLeftovers([...held.values()].map((turn) => ({ turn, items: [] })), inputs, undefined);
    this.own = placed.filter(({ turn }) => !held.has(turn.key) || held.get(turn.key) !== turn);
    this.joined = new Map(placed.filter(({ turn }) => held.get(turn.key) === turn).map(({ turn, items }) => [turn.key, items]));
    for (const { turn } of placed) this.#turnIds.set(turn.key, turn.id);
  }

  /** All of them, each with the id of its turn. */
  items(): { readonly row: ItemRow; readonly turnId: string }[] {
    const joined = [...this.joined].flatMap(([turn, rows]) => rows.map((row) => ({ row, turnId: this.#turnIds.get(turn) ?? '' })));
    return [...joined, ...this.own.flatMap(({ turn, items }) => items.map((row) => ({ row, turnId: turn.id })))];
  }
}
