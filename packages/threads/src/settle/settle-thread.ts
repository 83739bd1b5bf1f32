import { type FactKey, type PieceReader, parseFactKey } from '@tapefold/facts';
import type { ItemRow, TurnRow } from '../fold/row.js';
import type { ThreadHead } from '../fold/thread-head.js';
import type { ItemsView, Turn } from '../objects/turn.js';
import type { RowView } from '../rows/row-view.js';
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
  const newest = turns.filter((turn, i) => turn.ends.length === 0 && (!turn.isImplicit || i === turns.length - 1)).at(-1);
  return newest && (running.turn ?? newest.key) === newest.key ? newest.key : undefined;
}

/** A turn for an input that was received and never placed: nothing tells what became of it, but it was said. */
export function leftoverTurn(input: ItemRow): TurnRows {
  const key = parseFactKey(input.key);
  const turn = {
    key: input.key, id: `input-${key?.ordinal ?? 0}`, tape: key?.tape ?? '', position: input.position, isImplicit: true, at: input.at, effective: input.effective, ends: [], markedAt: null, usage: null,
    touched: input.touched,
  };
  return { turn, items: [input] };
}

/** Leftover inputs from before the running turn; later ones still wait for their turn. */
function leftoverTurns(rows: RowView, runningFrom: number | undefined): TurnRows[] {
  const isOver = (row: ItemRow): boolean => runningFrom === undefined || row.position < runningFrom;
  return rows.leftovers().filter((row) => row.visibility === 'shown' && isOver(row)).map(leftoverTurn);
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
  const runningFrom = turns.find(({ turn }) => turn.key === running)?.turn.position;
  const all = [...turns, ...leftoverTurns(rows, runningFrom)].sort((a, b) => a.turn.position - b.turn.position);
  return all.flatMap((each) => {
    const phase: TurnPhase = each.turn.key === running ? 'running' : 'over';
    return turnObject(head, each, { phase, view: options.view, readPiece: options.readPiece }) ?? [];
  });
}

/** The turns as the records have them: open turns and items in progress, inputs that no record placed left out. */
export function unsettledThread(head: ThreadHead, rows: RowView, options: ViewOptions = {}): Turn[] {
  return turnsOf(rows).flatMap((each) => turnObject(head, each, { ...options, phase: 'unsettled' }) ?? []);
}
