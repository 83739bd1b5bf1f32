import type { FactDraft, FactKey, JsonObject, JsonValue, RecordSource } from '@tapefold/facts';
import { parseFactKey } from '@tapefold/facts';
import type { Pen } from '../../pen.js';
import { present } from '../../shape.js';
import type { KimiCodeState, StepState, TurnState } from './state.js';

/** One record under play: what the file says and what the player knows. */
export interface Play {
  readonly state: KimiCodeState;
  readonly pen: Pen;
  /** The agent whose log this is, and its session; either may be empty. */
  readonly agentId: string;
  readonly sessionId: string;
  /** Native id of the thread: the session's for its main agent. */
  readonly threadId: string;
  readonly raw: JsonObject;
  readonly type: string;
  /** Which of the records glued on the line. */
  readonly record: number;
  /** Number of the record in the file, from 1. */
  readonly line: number;
  readonly at: string | undefined;
  readonly timeMs: number | undefined;
  /** Set while a message is played that stands further up in the file. */
  readonly earlier?: RecordSource | undefined;
}

/** Writes a fact of this record, at its time. */
export function say(play: Play, draft: FactDraft): FactKey {
  return play.pen.write(present({ at: play.at, ...draft }) as FactDraft, play.earlier);
}

/** Writes facts that go by range when their branch is left. */
export function sayWord(play: Play, draft: FactDraft): FactKey {
  const { state, line } = play;
  const key = say(play, draft);
  const last = state.words.at(-1);
  const ordinal = ordinalOf(key);
  if (last && last.line === line && last.to === ordinal) last.to = ordinal + 1;
  else state.words.push({ line, from: ordinal, to: ordinal + 1 });
  return key;
}

export function ordinalOf(key: FactKey): number {
  return parseFactKey(key)?.ordinal ?? 0;
}

/** The turn that the conversation is in, ended or not. */
export function currentTurn({ state }: Play): number {
  return state.nodes[state.head]?.turn ?? -1;
}

/** The newest step of that turn. */
export function currentStep({ state }: Play): number {
  return state.nodes[state.head]?.last ?? -1;
}

export function turnAt({ state }: Play, index: number): TurnState | undefined {
  return state.turns[index];
}

export function stepAt({ state }: Play, index: number): StepState | undefined {
  return state.steps[index];
}

/** The references of what belongs to a step, or to a turn outside of any step. */
export function refs(play: Play, of: { turn?: number; step?: number }): { turn?: FactKey; step?: FactKey } {
  const step = stepAt(play, of.step ?? -1);
  const turn = turnAt(play, of.turn ?? step?.turn ?? -1);
  return present({ turn: turn?.key, step: step?.key });
}

/** The turn that something outside the conversation came in, while it runs. */
export function runningTurn(play: Play): { turn?: FactKey } {
  const turn = turnAt(play, currentTurn(play));
  return turn && turn.end === null ? { turn: turn.key } : {};
}

/** What the original hands on of a record for a mark in the timeline: the record without its type and time. */
export function payloadOf({ raw }: Play): JsonValue {
  const { type: _type, time: _time, ...payload } = raw;
  return payload;
}

const TIME_LIMIT = 8.64e15;

/** Milliseconds since 1970 as ISO-8601; undefined for what is no time. */
export function isoOf(timeMs: number | undefined): string | undefined {
  return timeMs !== undefined && Math.abs(timeMs) <= TIME_LIMIT ? new Date(timeMs).toISOString() : undefined;
}
