import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { StoredLooks } from '../sqlite/stored-looks.js';
import type { LookTable, PlainJson } from './kept-looks.js';

/** Of what JSON cannot carry nothing is left; what it can carry stays as it is. */
type Not<T> = [PlainJson<T>] extends [never] ? true : false;
interface Plain { readonly a?: string | undefined; readonly b: readonly { readonly c: number | null }[]; readonly d: Readonly<Record<string, boolean>> }

export const refused: readonly true[] = [true satisfies Not<bigint>, true satisfies Not<undefined>, true satisfies Not<unknown>, true satisfies Not<() => void>, true satisfies Not<symbol>];
export const kept = (look: Plain): PlainJson<Plain> => look;

// @ts-expect-error -- a map is none of JSON's
export const withMap = (look: { readonly inner: ReadonlyMap<string, Plain> }): PlainJson<typeof look> => look;
// @ts-expect-error -- a set is none
export const withSet = (look: { readonly inner: ReadonlySet<string> }): PlainJson<typeof look> => look;
// @ts-expect-error -- a date comes back as text
export const withDate = (look: { readonly at: Date }): PlainJson<typeof look> => look;
// @ts-expect-error -- a hole of a list comes back as null
export const withHole = (look: { readonly list: readonly (string | undefined)[] }): PlainJson<typeof look> => look;
// @ts-expect-error -- bytes come back as a record
export const withBytes = (look: { readonly bytes: Uint8Array }): PlainJson<typeof look> => look;

// @ts-expect-error -- nor can such a table be asked to take one
export const setMap = (table: LookTable<{ readonly inner: Map<string, string> }>): unknown => table.set('', { inner: new Map() });
// @ts-expect-error -- nor is a plain map of such looks stored
export const stored = ({ db }: SqliteStore): unknown => new StoredLooks(db).over({ looks: new Map<string, { readonly inner: Map<string, string> }>() });
