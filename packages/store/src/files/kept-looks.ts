import type { JsonValue } from '@tapefold/facts';
import type { ShelfFile } from './shelf.js';

/**
 * What JSON carries and gives back as it was; anything else of `T` is `never`: maps, sets, dates, instances with methods, functions, big integers, values of no known type, and lists with holes. A property that is
 * `undefined` comes back as none, which reads the same.
 */
export type PlainJson<T> = T extends JsonValue ? T
  : T extends (...given: never) => unknown ? never
    : T extends readonly unknown[] ? { [K in keyof T]: PlainJson<T[K]> }
      : T extends object ? { [K in keyof T]: PlainJson<Exclude<T[K], undefined>> | Extract<T[K], undefined> }
        : never;

/** What was looked up in files, by path or tape. It outlives the process as JSON, so what JSON cannot carry does not compile. */
export type LookTable<L> = Map<string, PlainJson<L>>;

/** The tables of a `Known`: a map of anything else is none. */
export type LookTables<K> = { [P in keyof K]: K[P] extends Map<string, infer L> ? Map<string, PlainJson<L>> : LookTables<K[P]> };

/** A look at a file. */
interface Look<F> {
  readonly file: F;
  /** The file could not be read, which may pass although nothing of it changes: such a look is not kept. */
  readonly hasFailed?: true | undefined;
}

/** Whether all that `a` says `b` says as well; what is `undefined` is not said. Asked for every file of every list, so it makes nothing. */
function saysAll(a: object, b: object): boolean {
  for (const name in a) {
    const one: unknown = a[name as never];
    const other: unknown = b[name as never];
    if (one === other) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null || !saysAll(one, other) || !saysAll(other, one)) return false;
  }
  return true;
}

/** Whether nothing else is known of a file than before: size, time, place, and what its home says of it. */
export function isSameFile(a: ShelfFile, b: ShelfFile): boolean {
  return saysAll(a, b) && saysAll(b, a);
}

/** The look at a file that is kept under a key while the file is the same; else a new one. */
export function keptLook<F extends ShelfFile, L extends Look<F>>(kept: Map<string, L> | undefined, { key, file }: { readonly key: string; readonly file: F }, lookAt: () => L): L {
  const before = kept?.get(key);
  if (before && isSameFile(before.file, file)) return before;
  const look = lookAt();
  if (look.hasFailed !== true) kept?.set(key, look);
  return look;
}

/** The value of a key that a record has itself: keys come out of files, and `constructor` may be one. */
export function ownValue<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
