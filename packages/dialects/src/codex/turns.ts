import type { FactKey, TurnError, TurnStatus } from '@tapefold/facts';
import { parseFactKey } from '@tapefold/facts';
import { present } from '../shape.js';
import { IdMap } from './id-map.js';
import type { Pen } from './pen.js';
import type { CodexRecord, CodexState, TurnState } from './state.js';

/* The one place that opens, finds, closes and drops turns. Turns are few beside lines, so all of a tape's are remembered, with little each. */

/** What opens a turn, in the fields of `turn.started`. */
export interface TurnOpening {
  readonly id: string;
  readonly isImplicit: boolean;
  readonly startedAt?: number | undefined;
  readonly rootTurnId?: string | undefined;
  readonly replacesOlder: boolean;
}

/** The open turn, if one is open. */
export function currentTurn(state: CodexState): TurnState | undefined {
  return state.current === null ? undefined : state.turns[state.current];
}

/** The open turn, else the newest one: where an added item stands that has no turn of its own. */
export function anchorTurn(state: CodexState): TurnState | undefined {
  return currentTurn(state) ?? state.turns.at(-1);
}

/** The turn of this native id: the open one, else the first that has it, which is where the original looks. */
export function turnById(state: CodexState, id: string): TurnState | undefined {
  const current = currentTurn(state);
  return current?.id === id ? current : state.turns[state.turnsById.get(id) ?? -1];
}

const ordinalOf = (key: FactKey | undefined): number => parseFactKey(key ?? '')?.ordinal ?? -1;

/** The turn that this fact began, unless it was dropped. Turns stand in the order of their facts, so halving finds it. */
export function turnByKey(state: CodexState, key: FactKey): TurnState | undefined {
  const current = currentTurn(state);
  if (current?.key === key) return current;
  const ordinal = ordinalOf(key);
  let from = 0;
  let to = state.turns.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ordinalOf(state.turns[middle]?.key) < ordinal) from = middle + 1;
    else to = middle;
  }
  return state.turns[from]?.key === key ? state.turns[from] : undefined;
}

/** Counts items of a turn as the original does; below zero it takes back. */
export function countItems(state: CodexState, turn: TurnState, count: number): void {
  turn.items += count;
  state.items += count;
}

/** Counts an item under an id of its own, once; false where the turn has it already. */
export function nameItem(state: CodexState, turn: TurnState, id: string): boolean {
  if (turn.named?.has(id)) return false;
  (turn.named ??= new IdMap()).set(id, true);
  countItems(state, turn, 1);
  return true;
}

/** What was shown so far the original does not show: its counting begins here. */
export function beginCounting(state: CodexState): void {
  closeTurn(state);
  for (const turn of state.turns) Object.assign(turn, { items: 0, named: null });
  Object.assign(state, { items: 0, nextItem: 1, uncountedTurns: state.turns.length });
}

/** Takes the newest turn back. */
function dropLast(state: CodexState): TurnState | undefined {
  const turn = state.turns.pop();
  if (!turn) return undefined;
  state.items -= turn.items;
  if (state.turnsById.get(turn.id) === state.turns.length) state.turnsById.delete(turn.id);
  return turn;
}

/** The turn that was opened last never was; `current` is the open one again. */
export function takeBackTurn(state: CodexState, current: number | null): void {
  dropLast(state);
  state.current = current;
}

/** Writes `turn.started` and opens the turn. One that is open is left without an end: no record ended it. */
export function openTurn(pen: Pen, record: CodexRecord, opening: TurnOpening): TurnState {
  const { state } = pen;
  const key = pen.write(present({
    type: 'turn.started' as const, at: record.at, id: opening.id, isImplicit: opening.isImplicit, replacesOlder: opening.replacesOlder, startedAt: opening.startedAt, rootTurnId: opening.rootTurnId,
  }));
  const turn: TurnState = {
    key, id: opening.id, items: 0, named: null, isImplicit: opening.isImplicit, hasContent: false, hasInput: false, status: opening.isImplicit ? 'completed' : 'open',
  };
  if (state.turnsById.get(opening.id) === undefined) state.turnsById.set(opening.id, state.turns.length);
  state.turns.push(turn);
  state.current = state.turns.length - 1;
  leaveItems(state);
  return turn;
}

/** No item of the turn before may be continued any more. */
function leaveItems(state: CodexState): void {
  state.shown = new IdMap();
  state.lastReasoning = null;
}

/** No turn is open from here on. Writes nothing: `endTurn` writes the end. */
export function closeTurn(state: CodexState): void {
  state.current = null;
  leaveItems(state);
}

/** How a record ends a turn, in the fields of `turn.ended`. */
export interface TurnEnd {
  readonly status: TurnStatus;
  readonly reason?: string | undefined;
  readonly error?: TurnError | undefined;
  readonly startedAt?: number | null | undefined;
  readonly rootTurnId?: string | null | undefined;
  readonly completedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly timeToFirstTokenMs?: number | undefined;
}

/** Ends a turn; an interrupted one stays interrupted, whatever a later record says. Closes it where it is the open one. */
export function endTurn(pen: Pen, record: CodexRecord, ending: { turn: TurnState; end: TurnEnd }): void {
  const { turn, end } = ending;
  const status = turn.status === 'interrupted' ? 'interrupted' : end.status;
  turn.status = status;
  pen.write(present({ type: 'turn.ended' as const, at: record.at, turn: turn.key, ...end, status }));
  if (currentTurn(pen.state) === turn) closeTurn(pen.state);
}

/** Drops the newest `count` turns from what the player counts, and returns their keys, oldest first. */
export function dropTurns(state: CodexState, count: number): FactKey[] {
  closeTurn(state);
  const dropped: FactKey[] = [];
  for (let left = Math.min(count, state.turns.length - state.uncountedTurns); left > 0; left--) dropped.unshift(dropLast(state)?.key ?? '');
  state.nextItem = state.items + 1;
  return dropped;
}
