import { contentDigest } from '@tapefold/facts';

/**
 * A table by ids that come from the file, as plain JSON. Each key has a mark before it, so that no id is taken for what every object inherits (`__proto__`)
 * and none for an index. Looking up, putting and removing cost the same however large the table is.
 */
export type IdTable<T> = Record<string, T>;

/** What stands under an id; undefined where nothing does. */
export function lookUp<T>(table: IdTable<T>, id: string): T | undefined {
  return table[`$${id}`];
}
/** Writes in place; what stood under the id before is replaced. */
export function put<T>(table: IdTable<T>, id: string, value: T): void {
  table[`$${id}`] = value;
}
/** Removes in place; an id that is not there changes nothing. */
export function remove(table: IdTable<unknown>, id: string): void {
  delete table[`$${id}`];
}

/** Longer texts are remembered by length and digest, so that the player does not hold on to them. */
const REMEMBERED_CHARS = 1_000;

/** What is kept of a text that is only to be recognised again. */
export function markOf(text: string): string {
  return text.length <= REMEMBERED_CHARS ? text : `\u0000${text.length} ${contentDigest(text)}`;
}
