import { type JsonValue, type TapeId, factKey, parseFactKey } from '@tapefold/facts';
import { present } from '../shape.js';
import { IdMap, idMapOf } from './id-map.js';
import { type CodexState, type ContextTurn, type TurnState, initialState } from './state.js';

/*
 * Law: a checkpoint, through JSON, gives the state again. What there is of every turn is kept as a few cells, since threads have tens of thousands of turns
 * and checkpoints are written every few MB.
 */

/** Format of checkpoints written now: one of another format is none. */
const CHECKPOINT_FORMAT = 2;

const statuses = ['open', 'completed', 'interrupted', 'failed'] as const;
const IMPLICIT = 1;
const CONTENT = 2;
const INPUT = 4;
const STATUS = 8;

/** `standing`: what is so of the turn, by bits, and its status behind them. Items are left out where there are none. */
type TurnCells = readonly [ordinal: number, id: string, standing: number, items?: number, named?: readonly string[]];

function cellsOfTurn({ key, id, items, named, isImplicit, hasContent, hasInput, status }: TurnState): TurnCells {
  const standing = (isImplicit ? IMPLICIT : 0) + (hasContent ? CONTENT : 0) + (hasInput ? INPUT : 0) + STATUS * statuses.indexOf(status);
  const ordinal = parseFactKey(key)?.ordinal ?? 0;
  return named && named.size > 0 ? [ordinal, id, standing, items, [...named.keys()]] : items > 0 ? [ordinal, id, standing, items] : [ordinal, id, standing];
}

function turnOfCells([ordinal, id, standing, items = 0, named]: TurnCells, tape: TapeId): TurnState {
  const has = (bit: number): boolean => Math.floor(standing / bit) % 2 === 1;
  return {
    key: factKey(tape, ordinal), id, items, named: named ? new IdMap(named.map((name) => [name, true])) : null, isImplicit: has(IMPLICIT), hasContent: has(CONTENT), hasInput: has(INPUT), status: statuses[Math.floor(standing / STATUS)] ?? 'completed',
  };
}

/** A number where a person's message alone begins it, as most of them. */
type ContextCells = number | readonly [from: number, message: number | null, injected?: readonly [from: number, to: number, count: number]];

function cellsOfContext({ from, message, injected }: ContextTurn): ContextCells {
  if (injected) return [from, message ?? null, [injected.from, injected.to, injected.count]];
  return message === from ? from : [from, message ?? null];
}

function contextOfCells(cells: ContextCells): ContextTurn {
  if (typeof cells === 'number') return { from: cells, message: cells };
  const [from, message, injected] = cells;
  return present({ from, message: message ?? undefined, injected: injected && { from: injected[0], to: injected[1], count: injected[2] } });
}

/** What a checkpoint has in place of what is kept as cells. */
interface Checkpoint extends Omit<CodexState, 'turns' | 'turnsById' | 'contextTurns'> {
  readonly format: typeof CHECKPOINT_FORMAT;
  readonly turns: readonly TurnCells[];
  readonly contextTurns: readonly ContextCells[];
}

/** The state as JSON, which it shares nothing with that changes. */
export function checkpointOf(state: CodexState): JsonValue {
  const { turns, turnsById: _, contextTurns, ...rest } = state;
  const cells = { format: CHECKPOINT_FORMAT, turns: turns.map(cellsOfTurn), contextTurns: contextTurns.map(cellsOfContext) };
  return { ...(JSON.parse(JSON.stringify(rest)) as { [key: string]: JsonValue }), ...(cells as unknown as { [key: string]: JsonValue }) };
}

/** Checks what came out of a stored checkpoint as far as a foreign one could do harm. */
function isCheckpoint(value: unknown): value is Checkpoint {
  const state = value as Partial<Checkpoint> | null;
  return typeof state === 'object' && state !== null && state.format === CHECKPOINT_FORMAT && typeof state.mode === 'string' && typeof state.nextOrdinal === 'number' && Array.isArray(state.turns) && Array.isArray(state.contextTurns) && typeof state.calls === 'object';
}

/** The state that a stored checkpoint says, or a new one where it is none. */
export function stateOf(checkpoint: unknown, tape: TapeId): CodexState {
  if (!isCheckpoint(checkpoint)) return initialState();
  const { format: _, turns, contextTurns, ...rest } = JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;
  const state: CodexState = { ...rest, turns: turns.map((cells) => turnOfCells(cells, tape)), turnsById: new IdMap(), contextTurns: contextTurns.map(contextOfCells), shown: idMapOf(rest.shown), calls: idMapOf(rest.calls), background: idMapOf(rest.background) };
  state.turns.forEach(({ id }, i) => { if (!state.turnsById.has(id)) state.turnsById.set(id, i); });
  return state;
}

/** Whether turns from before the place where play began were wanted; undefined where the checkpoint is none. */
export function lacksTurns(checkpoint: unknown): boolean | undefined {
  return isCheckpoint(checkpoint) ? checkpoint.lacksTurns : undefined;
}
