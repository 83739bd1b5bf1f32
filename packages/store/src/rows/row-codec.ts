import type { FactKey, LargeRef, Visibility } from '@tapefold/facts';
import type { Growth, Interval, ItemRow, ItemVersion, NoticeRow, RealtimeRow, RowBody, StepRow, TurnRow, Word } from '@tapefold/threads';
import { isEffective, newestWord, standingOf } from '@tapefold/threads';
import type { Positions } from './positions.js';

/*
 * Rows as text. Keys are positions, and what most rows have in common is left out: an item is its body, its address and little else.
 */

/** An item as columns: `state` is everything that is not a column, as JSON. */
export interface ItemColumns {
  readonly position: number;
  /** Position of the turn's first fact. */
  readonly turn: number | null;
  /** The native turn id, where the row stands in no turn. */
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
}

/** `shown`: in pages, unless its turn or step left the history; `kept`: not in pages now; `waiting`: an effective input that no record placed. */
export const ITEM_PLACE = { kept: 0, shown: 1, waiting: 2 } as const;
/** One of the three. */
export type ItemPlace = (typeof ITEM_PLACE)[keyof typeof ITEM_PLACE];

interface ItemState {
  v?: Visibility | undefined;
  o?: 1 | undefined;
  s?: number | undefined;
  c?: number | undefined;
  x?: number | FactKey | undefined;
  l?: readonly LargeRef[] | undefined;
  a?: 1 | undefined;
  t?: string | undefined;
  ti?: string | undefined;
  tk?: FactKey | undefined;
  sk?: FactKey | undefined;
  pa?: ItemRow['placedAs'] | undefined;
  ow?: ItemRow['otherwise'] | undefined;
  hf?: FactKey | undefined;
  e?: readonly Interval[] | undefined;
  er?: readonly ItemVersion[] | undefined;
  gr?: readonly Growth[] | undefined;
  to?: number | undefined;
  pl?: number | undefined;
}

const since = (effective: readonly Interval[], position: number): boolean => effective.length === 1 && effective[0]?.[0] === position && effective[0][1] === null;
const orUndefined = <T>(value: T | null): T | undefined => value ?? undefined;
const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

function itemState(row: ItemRow, keys: { turn: number | undefined; step: number | undefined }, positions: Positions): string | null {
  const { position } = row;
  const state: ItemState = {
    v: row.visibility === 'shown' ? undefined : row.visibility, o: row.isOpen ? 1 : undefined, s: row.startedAtMs, c: row.completedAtMs, x: row.context === undefined ? undefined : (positions.of(row.context) ?? row.context), l: unlessEmpty(row.large), a: row.isAdded ? 1 : undefined,
    t: row.at, ti: orUndefined(row.turnId), tk: keys.turn === undefined ? orUndefined(row.turn) : undefined, sk: keys.step === undefined ? orUndefined(row.step) : undefined,
    pa: orUndefined(row.placedAs), ow: orUndefined(row.otherwise), hf: orUndefined(row.heldFor), e: since(row.effective, position) ? undefined : row.effective, er: unlessEmpty(row.earlier), gr: unlessEmpty(row.growth),
    to: row.touched === position ? undefined : row.touched, pl: row.placedAt === position ? undefined : row.placedAt,
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
    position: row.position, turn: turn ?? null, turnId: turn === undefined ? row.turnId : null, itemId: row.id, step: step ?? null, order: row.order.length === 1 && row.order[0] === row.position ? null : row.order,
    place: placeOf(row), kind: row.body.kind, body: JSON.stringify(row.body), state: itemState(row, { turn, step }, positions),
  };
}

/** The columns that an item is read back from. */
export type ItemCells = Pick<ItemColumns, 'position' | 'turn' | 'itemId' | 'step' | 'order' | 'body' | 'state'>;

/** An item from its columns. */
export function decodeItem(cells: ItemCells, positions: Positions): ItemRow {
  const { position } = cells;
  const state = cells.state === null ? {} : (JSON.parse(cells.state) as ItemState);
  return {
    key: positions.key(position), id: cells.itemId, turn: cells.turn === null ? (state.tk ?? null) : positions.key(cells.turn), turnId: state.ti ?? null,
    step: cells.step === null ? (state.sk ?? null) : positions.key(cells.step), body: JSON.parse(cells.body) as RowBody, visibility: state.v ?? 'shown', isAdded: state.a === 1, isOpen: state.o === 1,
    startedAtMs: state.s, completedAtMs: state.c, context: typeof state.x === 'number' ? positions.key(state.x) : state.x, at: state.t, large: state.l ?? [], position, order: cells.order ?? [position], placedAt: state.pl ?? position,
    placedAs: state.pa ?? null, otherwise: state.ow ?? null, heldFor: state.hf ?? null, effective: state.e ?? [[position, null]], earlier: state.er ?? [], growth: state.gr ?? [], touched: state.to ?? position,
  };
}

/** A turn as columns. `lastWord`: the highest position of what was said of it; `endedAt`: that of the end that counts. */
export interface TurnColumns {
  readonly position: number;
  readonly turnId: string;
  readonly isLive: boolean;
  readonly lastWord: number | null;
  readonly endedAt: number | null;
  readonly state: string;
}

/** A turn as its columns. */
export function encodeTurn(row: TurnRow): TurnColumns {
  const { key: _key, id, tape: _tape, position, effective, ends, outlooks, compactions, usage, touched, ...header } = row;
  const words = [...ends, ...outlooks, ...compactions].map((word) => word.position);
  const state = {
    ...header, isImplicit: row.isImplicit ? true : undefined, effective: since(effective, position) ? undefined : effective, ends: unlessEmpty(ends.map(withoutKey)), outlooks: unlessEmpty(outlooks.map(withoutKey)),
    compactions: unlessEmpty(compactions.map(withoutKey)), usage: orUndefined(usage), touched: touched === position ? undefined : touched,
  };
  return { position, turnId: id, isLive: isEffective(effective), lastWord: words.length === 0 ? null : Math.max(...words), endedAt: newestWord(ends)?.position ?? null, state: JSON.stringify(state) };
}

/** A word's key is that of the fact at its position. */
function withoutKey<W extends Word>(word: W): Omit<W, 'key' | 'effective'> & { effective?: readonly Interval[] | undefined } {
  const { key: _, effective, ...rest } = word;
  return since(effective, word.position) ? rest : { ...rest, effective };
}

interface TurnState extends Omit<TurnRow, 'effective' | 'ends' | 'outlooks' | 'compactions' | 'isImplicit' | 'touched'> {
  isImplicit?: boolean;
  effective?: readonly Interval[];
  ends?: TurnRow['ends'];
  outlooks?: TurnRow['outlooks'];
  compactions?: TurnRow['compactions'];
  touched?: number;
}

/** A turn from its columns. */
export function decodeTurn({ position, turnId, state }: Pick<TurnColumns, 'position' | 'turnId' | 'state'>, positions: Positions): TurnRow {
  const kept = JSON.parse(state) as TurnState;
  const words = <W extends Word>(list: readonly W[] | undefined): W[] => (list ?? []).map((word) => ({ ...word, key: positions.key(word.position), effective: (word.effective as readonly Interval[] | undefined) ?? [[word.position, null]] }));
  return {
    ...kept, key: positions.key(position), id: turnId, tape: positions.tape(position), position, isImplicit: kept.isImplicit ?? false, effective: kept.effective ?? [[position, null]], ends: words(kept.ends),
    outlooks: words(kept.outlooks), compactions: words(kept.compactions), usage: (kept.usage as TurnRow['usage'] | undefined) ?? null, touched: kept.touched ?? position,
  };
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
