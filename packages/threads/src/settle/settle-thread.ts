import type { FactKey, PieceReader } from '@tapefold/facts';
import type { TurnRow } from '../fold/row.js';
import type { ThreadHead } from '../fold/thread-head.js';
import type { ItemsView, Turn } from '../objects/turn.js';
import type { RowView } from '../rows/row-view.js';
import { isOpenTurn } from '../rows/turn-as-of.js';
import { withLeftovers } from './leftovers.js';
import { type TurnPhase, type TurnRows, turnObject } from './turn-object.js';

/** How much of each turn, and where whole texts come from. */
export interface ViewOptions {
  /** `full` where absent. */
  readonly view?: ItemsView | undefined;
  readonly readPiece?: PieceReader | undefined;
}

/** `running`: the thread runs, in `turn` where the host knows it. Absent: nothing runs. */
export interface SettleOptions extends ViewOptions {
  readonly running?: { readonly turn?: FactKey | undefined } | undefined;
}

/**
 * The turn that runs: at most the newest open one, and the one that the host names where it names one. A turn that no record opened ends with the
 * next turn, so it runs only as the last.
 */
export function runningTurn(turns: readonly TurnRow[], running: SettleOptions['running']): FactKey | undefined {
  if (!running) return undefined;
  const newest = turns.filter((turn, i) => isOpenTurn(turn) && (!turn.isImplicit || i === turns.length - 1)).at(-1);
  return newest && (running.turn ?? newest.key) === newest.key ? newest.key : undefined;
}

function turnsOf(rows: RowView): TurnRows[] {
  return rows.turns().map((turn) => ({ turn, items: rows.items(turn.key) }));
}

/**
 * The settled view of a thread: what is open outside the running turn ends as what it is, a call as unknown, a turn as interrupted, a leftover input
 * in a turn of its own. Pure: it reads rows and changes none.
 */
export function settleThread(head: ThreadHead, rows: RowView, options: SettleOptions = {}): Turn[] {
  const turns = turnsOf(rows);
  const running = runningTurn(turns.map(({ turn }) => turn), options.running);
  return withLeftovers(turns, rows.leftovers(), running).flatMap((each) => {
    const phase: TurnPhase = each.turn.key === running ? 'running' : 'over';
    return turnObject(head, each, { phase, view: options.view, readPiece: options.readPiece }) ?? [];
  });
}

/** The turns as the records have them: open turns and items in progress, inputs that no record placed left out. */
export function unsettledThread(head: ThreadHead, rows: RowView, options: ViewOptions = {}): Turn[] {
  return turnsOf(rows).flatMap((each) => turnObject(head, each, { ...options, phase: 'unsettled' }) ?? []);
}
