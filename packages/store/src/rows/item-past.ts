import type { FactKey, LargeRef, Visibility } from '@tapefold/facts';
import type { Growth, ItemRow, ItemState, ItemVersion, RowBody } from '@tapefold/threads';
import type { Positions } from './positions.js';
import { unlessEmpty } from './sparse.js';

/*
 * What of an item only an as-of read needs: its earlier states, and how it grew. An earlier state is told by what its next one has changed.
 */

/** `w`: fields of the body that are those of the next state's. */
interface VersionCells {
  u: number;
  b: object;
  w?: readonly string[] | undefined;
  v?: Visibility | undefined;
  o?: 1 | undefined;
  s?: number | undefined;
  c?: number | undefined;
  x?: number | FactKey | undefined;
  l?: readonly LargeRef[] | undefined;
  g?: readonly Growth[] | undefined;
}

interface PastCells {
  e?: readonly VersionCells[] | undefined;
  g?: readonly Growth[] | undefined;
}

/** Texts and lists below this many units are not worth a comparison. */
const SHARED_CHARS = 48;

type Fields = Readonly<Record<string, unknown>>;

function isShared(value: unknown, next: unknown): boolean {
  if (typeof value === 'string') return value.length >= SHARED_CHARS && value === next;
  if (typeof value !== 'object' || value === null || typeof next !== 'object') return false;
  const text = JSON.stringify(value);
  return text.length >= SHARED_CHARS && text === JSON.stringify(next);
}

function cellsOf(version: ItemVersion, next: RowBody, { position, positions }: { readonly position: number; readonly positions: Positions }): VersionCells {
  const fields: [string, unknown][] = Object.entries(version.body);
  const shared = fields.filter(([name, value]) => isShared(value, (next as unknown as Fields)[name])).map(([name]) => name);
  const { until, visibility, isOpen, startedAtMs, completedAtMs, context, large, growth } = version;
  return {
    u: until - position, b: shared.length === 0 ? version.body : Object.fromEntries(fields.filter(([name]) => !shared.includes(name))), w: unlessEmpty(shared), v: visibility === 'shown' ? undefined : visibility, o: isOpen ? 1 : undefined,
    s: startedAtMs, c: completedAtMs, x: shortKey(context, positions, position), l: unlessEmpty(large), g: unlessEmpty(growth),
  };
}

/** A key of the history by how far it stands from a position. */
export function shortKey(key: FactKey | undefined, positions: Positions, position: number): number | FactKey | undefined {
  const at = key === undefined ? undefined : positions.of(key);
  return at === undefined ? key : at - position;
}

/** The key again. */
export function longKey(key: number | FactKey | undefined, positions: Positions, position: number): FactKey | undefined {
  return typeof key === 'number' ? positions.key(position + key) : key;
}

function versionOf(cells: VersionCells, next: RowBody, { position, positions }: { readonly position: number; readonly positions: Positions }): ItemVersion {
  const shared = Object.fromEntries((cells.w ?? []).map((name) => [name, (next as unknown as Fields)[name]]));
  const state: ItemState = {
    body: { ...cells.b, ...shared } as unknown as RowBody, visibility: cells.v ?? 'shown', isOpen: cells.o === 1, startedAtMs: cells.s, completedAtMs: cells.c, context: longKey(cells.x, positions, position), large: cells.l ?? [],
  };
  return { until: cells.u + position, ...state, growth: cells.g ?? [] };
}

/** As text; null where there is none. */
export function encodePast({ earlier, growth, body, position }: ItemRow, positions: Positions): string | null {
  if (earlier.length === 0 && growth.length === 0) return null;
  const cells: PastCells = { e: unlessEmpty(earlier.map((version, i) => cellsOf(version, earlier[i + 1]?.body ?? body, { position, positions }))), g: unlessEmpty(growth) };
  return JSON.stringify(cells);
}

/** From its text. `body`: the row's own. */
export function decodePast(text: string, { body, position }: Pick<ItemRow, 'body' | 'position'>, positions: Positions): Pick<ItemRow, 'earlier' | 'growth'> {
  const { e = [], g = [] } = JSON.parse(text) as PastCells;
  const newestFirst: ItemVersion[] = [];
  for (const cells of [...e].reverse()) newestFirst.push(versionOf(cells, newestFirst.at(-1)?.body ?? body, { position, positions }));
  return { earlier: newestFirst.reverse(), growth: g };
}
