import type { FactKey, LargeRef, Visibility } from '@tapefold/facts';
import type { Interval, ItemRow, NoticeRow, RealtimeRow, RowBody, StepRow } from '@tapefold/threads';
import { isEffective, standingOf } from '@tapefold/threads';
import { longTime, shortTime } from './iso-time.js';
import { decodePast, encodePast, longKey, shortKey } from './item-past.js';
import type { Positions } from './positions.js';
import { orUndefined, unlessEmpty, unlessSince, unlessZero } from './sparse.js';

/*
 * Rows as text. Keys are positions, positions and times are told from the row's own, and what most rows have in common is left out: an item is its body, its address
 * and little else.
 */

/** An item as columns: `past` is what only as-of reads need, `state` everything else that is not a column, each as JSON. */
export interface ItemColumns {
  readonly position: number;
  /** Position of the turn's first fact. */
  readonly turn: number | null;
  /** The native turn id, where the row stands in no turn; empty where it names none. */
  readonly turnId: string | null;
  readonly itemId: string;
  readonly step: number | null;
  /** The row's order where that is not just its position. */
  readonly order: readonly number[] | null;
  /** What stands in pages and what does not, as far as the row itself tells: `place` says it in full. */
  readonly place: ItemPlace;
  readonly kind: RowBody['kind'];
  readonly body: string;
  readonly state: string | null;
  readonly past: string | null;
}

/** `shown`: in pages, unless its turn or step left the history; `kept`: not in pages now; `waiting`: an effective input that no record placed. */
export const ITEM_PLACE = { kept: 0, shown: 1, waiting: 2 } as const;
/** One of the three. */
export type ItemPlace = (typeof ITEM_PLACE)[keyof typeof ITEM_PLACE];

/** `s`, `c`: when it started, and how much later it was completed. `t`: when it was recorded, from `s` on. `x`, `to`, `pl`: from the row's position on. */
interface ItemState {
  v?: Visibility | undefined;
  o?: 1 | undefined;
  s?: number | undefined;
  c?: number | undefined;
  x?: number | FactKey | undefined;
  l?: readonly LargeRef[] | undefined;
  a?: 1 | undefined;
  t?: number | string | undefined;
  ti?: string | undefined;
  tk?: FactKey | undefined;
  sk?: FactKey | undefined;
  pa?: ItemRow['placedAs'] | undefined;
  ow?: ItemRow['otherwise'] | undefined;
  hf?: FactKey | undefined;
  e?: readonly Interval[] | undefined;
  to?: number | undefined;
  pl?: number | undefined;
}

function itemState(row: ItemRow, keys: { turn: number | undefined; step: number | undefined }, positions: Positions): string | null {
  const { position, startedAtMs, completedAtMs } = row;
  const fromMs = startedAtMs ?? 0;
  const state: ItemState = {
    v: row.visibility === 'shown' ? undefined : row.visibility, o: row.isOpen ? 1 : undefined, s: startedAtMs, c: completedAtMs === undefined ? undefined : completedAtMs - fromMs, x: shortKey(row.context, positions, position), l: unlessEmpty(row.large),
    a: row.isAdded ? 1 : undefined, t: shortTime(row.at, fromMs), ti: orUndefined(row.turnId), tk: keys.turn === undefined ? orUndefined(row.turn) : undefined, sk: keys.step === undefined ? orUndefined(row.step) : undefined,
    pa: orUndefined(row.placedAs), ow: orUndefined(row.otherwise), hf: orUndefined(row.heldFor), e: unlessSince(row.effective, position), to: unlessZero(row.touched - position), pl: unlessZero(row.placedAt - position),
  };
  const text = JSON.stringify(state);
  return text === '{}' ? null : text;
}

function placeOf(row: ItemRow): ItemPlace {
  if (!isEffective(row.effective)) return ITEM_PLACE.kept;
  const standing = standingOf(row);
  if (standing === 'waiting') return ITEM_PLACE.waiting;
  return standing === 'placed' && row.visibility === 'shown' ? ITEM_PLACE.shown : ITEM_PLACE.kept;
}

/** An item as its columns. */
export function encodeItem(row: ItemRow, positions: Positions): ItemColumns {
  const turn = row.turn === null ? undefined : positions.of(row.turn);
  const step = row.step === null ? undefined : positions.of(row.step);
  return {
    position: row.position, turn: turn ?? null, turnId: turn === undefined ? row.turnId ?? '' : null, itemId: row.id, step: step ?? null, order: row.order.length === 1 && row.order[0] === row.position ? null : row.order,
    place: placeOf(row), kind: row.body.kind, body: JSON.stringify(row.body), state: itemState(row, { turn, step }, positions), past: encodePast(row, positions),
  };
}

/** The columns that an item is read back from; without `past` it knows nothing of how it was. */
export type ItemCells = Pick<ItemColumns, 'position' | 'turn' | 'itemId' | 'step' | 'order' | 'body' | 'state'> & Partial<Pick<ItemColumns, 'past'>>;

/** Rows share it. Not for `growth`, which a row that grows adds to. */
const none: readonly never[] = [];
const noState: ItemState = {};

/** An item from its columns. */
export function decodeItem({ position, turn, step, itemId, order, body: text, state: stateText, past }: ItemCells, positions: Positions): ItemRow {
  const state = stateText === null ? noState : (JSON.parse(stateText) as ItemState);
  const fromMs = state.s ?? 0;
  const body = JSON.parse(text) as RowBody;
  const { earlier, growth } = past ? decodePast(past, { body, position }, positions) : { earlier: none, growth: [] };
  return {
    key: positions.key(position), id: itemId, turn: turn === null ? (state.tk ?? null) : positions.key(turn), turnId: state.ti ?? null,
    step: step === null ? (state.sk ?? null) : positions.key(step), body, visibility: state.v ?? 'shown', isAdded: state.a === 1, isOpen: state.o === 1,
    startedAtMs: state.s, completedAtMs: state.c === undefined ? undefined : state.c + fromMs, context: longKey(state.x, positions, position), at: longTime(state.t, fromMs), large: state.l ?? none, position, order: order ?? [position],
    placedAt: position + (state.pl ?? 0), placedAs: state.pa ?? null, otherwise: state.ow ?? null, heldFor: state.hf ?? null, effective: state.e ?? [[position, null]], earlier, growth, touched: position + (state.to ?? 0),
  };
}

/** What an item's object is written from besides its body; `hasLarge`: the body holds stand-ins for whole texts. */
export interface ItemFace {
  readonly visibility: Visibility;
  readonly isOpen: boolean;
  readonly startedAtMs: number | undefined;
  readonly completedAtMs: number | undefined;
  readonly hasLarge: boolean;
}

/** States that most items have: with times and places, and nothing else that a face tells. */
const plainState = /^\{(?:"s":(\d+),)?(?:"c":(\d+),)?(?:"x":-?\d+,)?(?:"a":1,)?"t":-?\d+(?:,"pa":"\w+")?(?:,"to":\d+)?(?:,"pl":\d+)?\}$/;

function plainFace([, s, c]: RegExpExecArray): ItemFace {
  const startedAtMs = s === undefined ? undefined : Number(s);
  return { visibility: 'shown', isOpen: false, startedAtMs, completedAtMs: c === undefined ? undefined : Number(c) + (startedAtMs ?? 0), hasLarge: false };
}

/** The same from the state of an item; empty where it has none. */
export function faceOf(stateText: string): ItemFace {
  const plain = plainState.exec(stateText);
  if (plain) return plainFace(plain);
  const { v, o, s, c, l } = stateText === '' ? noState : (JSON.parse(stateText) as ItemState);
  return { visibility: v ?? 'shown', isOpen: o === 1, startedAtMs: s, completedAtMs: c === undefined ? undefined : c + (s ?? 0), hasLarge: l !== undefined };
}

/** A step that a history fact named, as columns; undefined where it is of no tape of the history. */
export function encodeStep(row: StepRow, positions: Positions): { position: number; isLive: boolean; state: string } | undefined {
  const position = positions.of(row.key);
  return position === undefined ? undefined : { position, isLive: isEffective(row.effective), state: JSON.stringify(row.effective) };
}

/** A step from its columns. */
export function decodeStep({ position, state }: { position: number; state: string }, positions: Positions): StepRow {
  return { key: positions.key(position), effective: JSON.parse(state) as readonly Interval[] };
}

/** A notice, or a spoken record, as text. */
export function encodePlain(row: NoticeRow | RealtimeRow): string {
  return JSON.stringify({ ...row, key: undefined });
}

/** A notice, or a spoken record, from its text. */
export function decodePlain<R extends NoticeRow | RealtimeRow>(state: string, positions: Positions): R {
  const row = JSON.parse(state) as R;
  return { ...row, key: positions.key(row.position) };
}
