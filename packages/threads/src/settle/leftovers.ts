import { type FactKey, parseFactKey } from '@tapefold/facts';
import type { ItemRow } from '../fold/row.js';
import { compareOrder } from '../rows/order.js';
import type { TurnRows } from './turn-object.js';

/** A turn for an input that no record placed: nothing tells what became of it, but it was said. */
export function leftoverTurn(input: ItemRow): TurnRows {
  const key = parseFactKey(input.key);
  const turn = {
    key: input.key, id: `input-${key?.ordinal ?? 0}`, tape: key?.tape ?? '', position: input.position, isImplicit: true, at: input.at, effective: input.effective, ends: [], outlooks: [],
    compactions: [], usage: null, touched: input.touched,
  };
  return { turn, items: [input] };
}

/** The turn that a steer or a notification was held back for, which it joins when nothing more comes. */
function joinedTurn(input: ItemRow): FactKey | undefined {
  const joins = input.otherwise === 'steers' || input.otherwise === 'notifies';
  return joins ? (input.heldFor ?? undefined) : undefined;
}

function joined(rows: TurnRows, inputs: readonly ItemRow[]): TurnRows {
  if (inputs.length === 0) return rows;
  return { ...rows, items: [...rows.items, ...inputs].sort((a, b) => compareOrder(a.order, b.order)) };
}

/**
 * Places the inputs that no record placed: in the turn they were held back for, or in one of their own, in order of receipt. Those that came since
 * the running turn began still wait; those that count as dropped were never said to the agent. Pure.
 */
export function withLeftovers(turns: readonly TurnRows[], leftovers: readonly ItemRow[], running: FactKey | undefined): TurnRows[] {
  const runningFrom = turns.find(({ turn }) => turn.key === running)?.turn.position;
  const isOver = (row: ItemRow): boolean => runningFrom === undefined || row.position < runningFrom;
  const inputs = leftovers.filter((row) => row.visibility === 'shown' && row.otherwise !== 'dropped' && isOver(row));
  const known = new Set(turns.map(({ turn }) => turn.key));
  const joining = new Map<FactKey | undefined, ItemRow[]>();
  for (const row of inputs) {
    const turn = joinedTurn(row);
    const joins = turn !== undefined && known.has(turn) ? turn : undefined;
    const together = joining.get(joins);
    if (together) together.push(row);
    else joining.set(joins, [row]);
  }
  const own = (joining.get(undefined) ?? []).map(leftoverTurn);
  return [...turns.map((rows) => joined(rows, joining.get(rows.turn.key) ?? [])), ...own].sort((a, b) => a.turn.position - b.turn.position);
}
