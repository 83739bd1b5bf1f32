import type { FactKey, TurnError, TurnStatus } from '@tapefold/facts';
import { present } from '../shape.js';
import type { Pen } from './pen.js';
import type { CodexRecord, CodexState, TurnState } from './state.js';

/** The one place that opens, finds, closes and drops turns. Turns are few beside lines, so all of a tape's are remembered, with little each. */
export interface TurnOpening {
  readonly id: string;
  readonly isImplicit: boolean;
  readonly startedAt?: number | undefined;
  readonly rootTurnId?: string | undefined;
  readonly replacesOlder: boolean;
}

export function currentTurn(state: CodexState): TurnState | undefined {
  return state.current === null ? undefined : state.turns[state.current];
}

/** The open turn, else the newest one: where an added item stands that has no turn of its own. */
export function anchorTurn(state: CodexState): TurnState | undefined {
  return currentTurn(state) ?? state.turns.at(-1);
}

/** The newest turn of this native id. */
export function turnById(state: CodexState, id: string): TurnState | undefined {
  const current = currentTurn(state);
  if (current?.id === id) return current;
  for (let i = state.turns.length - 1; i >= 0; i--) if (state.turns[i]?.id === id) return state.turns[i];
  return undefined;
}

export function turnByKey(state: CodexState, key: FactKey): TurnState | undefined {
  for (let i = state.turns.length - 1; i >= 0; i--) if (state.turns[i]?.key === key) return state.turns[i];
  return undefined;
}

export function openTurn(pen: Pen, record: CodexRecord, opening: TurnOpening): TurnState {
  const { state } = pen;
  const key = pen.write(present({
    type: 'turn.started' as const, at: record.at, id: opening.id, isImplicit: opening.isImplicit, replacesOlder: opening.replacesOlder, startedAt: opening.startedAt, rootTurnId: opening.rootTurnId,
  }));
  const turn: TurnState = { key, id: opening.id, numbered: 0, named: [], isImplicit: opening.isImplicit, hasContent: false, hasInput: false, status: opening.isImplicit ? 'completed' : 'open' };
  state.turns.push(turn);
  state.current = state.turns.length - 1;
  leaveItems(state);
  return turn;
}

/** No item of the turn before may be continued any more. */
function leaveItems(state: CodexState): void {
  state.shown = [];
  state.lastReasoning = null;
}

export function closeTurn(state: CodexState): void {
  state.current = null;
  leaveItems(state);
}

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
  const dropped = state.turns.splice(Math.max(0, state.turns.length - count));
  const items = state.turns.reduce((sum, turn) => sum + turn.numbered + turn.named.length, 0);
  state.nextItem = items + 1;
  return dropped.map((turn) => turn.key);
}
