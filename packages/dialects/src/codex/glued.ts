import type { Fact, FactKey } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { present } from '../shape.js';
import type { Pen } from './pen.js';
import type { CodexState } from './state.js';
import { anchorTurn } from './turns.js';

/*
 * A legacy line on which more follows behind its first record. Had the file ended right there, that record would have been read as any other, so its facts
 * stand (the facts of a prefix are a prefix of the facts). But the original reads nothing of such a line and gives its numbers to what comes next. So
 * what the record showed is taken back by new facts, shown again as added, and the numbering goes back to where it was.
 */

/** The numbering before a record. */
export interface Numbering {
  readonly retained: number;
  readonly nextItem: number;
  readonly turns: number;
  readonly current: number | null;
  readonly lastReasoning: string | null;
}

export function numberingOf(state: CodexState): Numbering {
  const { retained, nextItem, current, lastReasoning } = state;
  return { retained, nextItem, turns: state.turns.length, current, lastReasoning };
}

const isNumbered = (id: string): boolean => /^item-\d+$/.test(id);

function hide(pen: Pen, shown: { turn: FactKey | undefined; id: string; at: string | undefined }): void {
  pen.write(present({ type: 'item.changed' as const, at: shown.at, turn: shown.turn, id: shown.id, visibility: 'control' as const }));
}

/** Takes back an implicit turn that the record opened. */
function takeBackTurn(pen: Pen, before: Numbering): void {
  const opened = pen.state.turns[before.turns];
  if (!opened?.isImplicit) return;
  pen.state.turns.splice(before.turns, 1);
  pen.state.current = before.current;
  pen.write({ type: 'history.superseded', reason: 'replaced', turns: [opened.key], context: [] });
}

function showAgain(pen: Pen, fact: Fact, index: number): void {
  const id = `line@${pen.line.offset}.0${index ? `.${index}` : ''}`;
  const { tape: _tape, ordinal: _ordinal, line: _line, turn: _turn, ...rest } = fact;
  const turn = anchorTurn(pen.state)?.key;
  if (rest.type === 'item.completed') pen.write(present({ ...rest, turn, id, isAdded: true }));
  if (rest.type !== 'input.received') return;
  const input = pen.write(present({ ...rest, turn, id, isAdded: true }));
  pen.write(present({ type: 'input.placed' as const, at: rest.at, turn, input, as: 'steers' as const }));
}

/** Takes back what `facts` (the first record's) numbered, and shows it again as added. */
export function renumber(pen: Pen, facts: readonly Fact[], before: Numbering): void {
  const { state } = pen;
  const numbered = facts.filter((fact) => (fact.type === 'item.completed' || fact.type === 'input.received') && isNumbered(fact.id));
  for (const fact of numbered) {
    if (fact.type === 'item.completed') hide(pen, { turn: fact.turn, id: fact.id, at: fact.at });
    else if (fact.type === 'input.received') pen.write(present({ type: 'input.placed' as const, at: fact.at, turn: fact.turn, input: factKey(fact.tape, fact.ordinal), as: 'twin' as const }));
  }
  for (const turn of state.turns) if (numbered.some((fact) => fact.turn === turn.key)) turn.numbered -= numbered.length;
  takeBackTurn(pen, before);
  Object.assign(state, { retained: before.retained, nextItem: numbered.length ? before.nextItem : state.nextItem, lastReasoning: numbered.length ? before.lastReasoning : state.lastReasoning });
  numbered.forEach((fact, index) => showAgain(pen, fact, index));
}
