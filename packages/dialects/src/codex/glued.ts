import type { Fact } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { present } from '../shape.js';
import type { Pen } from './pen.js';
import type { CodexState } from './state.js';
import { anchorTurn, countItems, currentTurn, takeBackTurn, turnByKey } from './turns.js';

/*
 * A legacy line on which more follows behind its first record. Had the file ended right there, that record would have been read as any other, so its facts
 * stand (the facts of a prefix are a prefix of the facts). But the original reads nothing of such a line and gives its numbers to what comes next. So
 * what the record showed is taken back by new facts, shown again as added, and the numbering goes back to where it was.
 */

/** The numbering before a record. */
export interface Numbering {
  readonly retained: number;
  readonly nextItem: number;
  readonly items: number;
  readonly turns: number;
  readonly current: number | null;
  readonly lastReasoning: CodexState['lastReasoning'];
  /** Of the open turn. */
  readonly hasContent: boolean;
  readonly hasInput: boolean;
}

/** Taken before a record is played; O(1), whatever was numbered so far. */
export function numberingOf(state: CodexState): Numbering {
  const { retained, nextItem, items, current, lastReasoning } = state;
  const { hasContent, hasInput } = currentTurn(state) ?? { hasContent: false, hasInput: false };
  return { retained, nextItem, items, turns: state.turns.length, current, lastReasoning, hasContent, hasInput };
}

type Shown = Extract<Fact, { type: 'item.completed' | 'input.received' }>;

/** Ids that the original counts, also provisional ones. */
const isNumbered = (fact: Shown): boolean => /^(?:item-\d+$|~item@)/.test(fact.id);
/** What the original would show, had the line ended here. */
const isShown = (fact: Fact): fact is Shown => (fact.type === 'item.completed' || fact.type === 'input.received') && !fact.isAdded;

function hide(pen: Pen, fact: Shown): void {
  if (fact.type === 'item.completed') pen.write(present({ type: 'item.changed' as const, at: fact.at, turn: fact.turn, id: fact.id, visibility: 'control' as const }));
  else pen.write(present({ type: 'input.placed' as const, at: fact.at, turn: fact.turn, input: factKey(fact.tape, fact.ordinal), as: 'twin' as const }));
}

/** Takes back an implicit turn that the record opened. */
function takeBackOpened(pen: Pen, before: Numbering): void {
  const opened = pen.state.turns[before.turns];
  if (!opened?.isImplicit) return;
  takeBackTurn(pen.state, before.current);
  pen.write({ type: 'history.superseded', reason: 'replaced', turns: [opened.key], context: [] });
}

function showAgain(pen: Pen, fact: Shown, index: number): void {
  const { state } = pen;
  const id = isNumbered(fact) ? `line@${pen.line.offset}.0${index ? `.${index}` : ''}` : fact.id;
  const { tape: _tape, ordinal: _ordinal, line: _line, turn: _turn, ...rest } = fact;
  const isThere = fact.turn !== undefined && turnByKey(state, fact.turn) !== undefined;
  const turn = isThere ? fact.turn : anchorTurn(state)?.key;
  const key = pen.write(present({ ...rest, turn, id, isAdded: true }));
  if (rest.type === 'input.received') pen.write(present({ type: 'input.placed' as const, at: rest.at, turn, input: key, as: 'steers' as const }));
  else if (state.awaitedTwin?.key === factKey(fact.tape, fact.ordinal)) state.awaitedTwin = { ...state.awaitedTwin, key };
}

/** Takes the counts of what the record showed back, as far as its turn is still there. */
function uncount(state: CodexState, shown: readonly Shown[], before: Numbering): void {
  let counted = state.items - before.items;
  for (const fact of shown) {
    const turn = fact.turn === undefined ? undefined : turnByKey(state, fact.turn);
    if (!turn || counted <= 0) continue;
    countItems(state, turn, -1);
    turn.named?.delete(fact.id);
    counted -= 1;
  }
  const open = before.current === null ? undefined : state.turns[before.current];
  if (open && shown.length) Object.assign(open, { hasContent: before.hasContent, hasInput: before.hasInput });
}

/** Takes back what `facts` (the first record's) count, and shows it again as added. */
export function renumber(pen: Pen, facts: readonly Fact[], before: Numbering): void {
  const { state } = pen;
  const shown = facts.filter(isShown);
  const numbered = shown.filter(isNumbered);
  for (const fact of numbered) hide(pen, fact);
  uncount(state, shown, before);
  takeBackOpened(pen, before);
  state.retained = before.retained;
  if (numbered.length) Object.assign(state, { nextItem: before.nextItem, lastReasoning: before.lastReasoning });
  shown.forEach((fact, index) => showAgain(pen, fact, index));
}
