import type { FactKey } from '@tapefold/facts';
import type { ItemRow, TurnRow, Word } from '../fold/row.js';
import type { ThreadHead } from '../fold/thread-head.js';
import type { ThreadItem } from '../objects/thread-item.js';
import type { Turn } from '../objects/turn.js';
import { isEffective } from '../rows/interval.js';
import type { RowView } from '../rows/row-view.js';
import { withLeftovers } from './leftovers.js';
import { type SettleOptions, runningTurn } from './settle-thread.js';
import { type TurnRows, turnObject } from './turn-object.js';

/** The rows of a thread with those that are no part of the history any more. `ThreadRows` are such. */
export interface BranchedRows extends RowView {
  /** All turns in order. */
  allTurns(): readonly TurnRow[];
  /** All items of a turn in order. */
  allItems(turn: FactKey): readonly ItemRow[];
  /** Whether an item and its step are part of the history, whatever its turn. */
  isEffectiveItem(row: ItemRow): boolean;
}

/** The field, beside those of the protocol, that marks what a rollback, an undo, a revert or another branch took out of the history. */
const mark = { superseded: true } as const;

/** Whether a turn or an item of `settleBranches` is no part of the history any more. Items of a superseded turn are marked themselves only where they had gone before it. */
export function isSuperseded(value: Turn | ThreadItem): boolean {
  return 'superseded' in value;
}

const isCounted = (turn: TurnRow): boolean => isEffective(turn.effective);

/** The last position at which a turn that is superseded was part of the history. */
const lastPosition = (turn: TurnRow): number => (turn.effective.at(-1)?.[1] ?? turn.position + 1) - 1;

/** What ended the turn, though it went with the turn: words that count now, and those that counted last. */
function wordsOf<W extends Word>(words: readonly W[], asOf: number): W[] {
  return words.filter(({ effective }) => isEffective(effective) || isEffective(effective, asOf)).map((word) => ({ ...word, effective: [[word.position, null]] }));
}

/** A superseded turn as it was when it was one: with all that is known of it, whenever it was said. */
function supersededTurn(turn: TurnRow): TurnRow {
  const asOf = lastPosition(turn);
  return { ...turn, ends: wordsOf(turn.ends, asOf), outlooks: wordsOf(turn.outlooks, asOf), compactions: wordsOf(turn.compactions, asOf) };
}

interface BranchRows extends TurnRows { readonly isSuperseded: boolean }

function rowsOfAll(rows: BranchedRows, running: SettleOptions['running']): { all: BranchRows[]; runs: FactKey | undefined } {
  const counted = rows.allTurns().filter(isCounted);
  const runs = runningTurn(counted, running);
  const placed = withLeftovers(counted.map((turn) => ({ turn, items: rows.allItems(turn.key) })), rows.leftovers(), runs).map((each) => ({ ...each, isSuperseded: false }));
  const superseded = rows.allTurns().filter((turn) => !isCounted(turn)).map((turn) => ({ turn: supersededTurn(turn), items: rows.allItems(turn.key), isSuperseded: true }));
  return { all: [...placed, ...superseded].sort((a, b) => a.turn.position - b.turn.position), runs };
}

/** An item whose own history, or whose step's, ended before that of its turn. */
function isGone(rows: BranchedRows, item: ItemRow, { turn, isSuperseded }: BranchRows): boolean {
  if (!rows.isEffectiveItem(item)) return !isSuperseded || !isEffective(item.effective, lastPosition(turn));
  return false;
}

/**
 * The settled turns of every branch, in order of the records that began them, what is no part of the history any more marked: also a turn that no record opened and of which
 * nothing is left. What carries no mark is what `settleThread` gives. Pure.
 */
export function settleBranches(head: ThreadHead, rows: BranchedRows, options: Omit<SettleOptions, 'view'> = {}): Turn[] {
  const { all, runs } = rowsOfAll(rows, options.running);
  return all.flatMap((each): Turn[] => {
    const phase = each.turn.key === runs ? 'running' : 'over';
    const object = turnObject(head, each, { phase, readPiece: options.readPiece });
    if (!object) return [];
    const left = each.items.filter((item) => !isGone(rows, item, each));
    const isShown = !each.isSuperseded && turnObject(head, { turn: each.turn, items: left }, { phase, view: 'notLoaded' }) !== undefined;
    const shown = each.items.filter(({ visibility }) => visibility === 'shown');
    const items = object.items.map((item, i): ThreadItem => (shown[i] && isGone(rows, shown[i], each) ? { ...item, ...mark } : item));
    return [{ ...object, items, ...(isShown ? {} : mark) }];
  });
}
