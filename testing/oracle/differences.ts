/** One place where two values of a kind differ. `path`: of what kind of thing, `#` for an element of a list; `added`: only in the second. */
export interface Difference {
  readonly path: string;
  readonly change: 'added' | 'missing' | 'changed';
  readonly values: readonly [first: unknown, second: unknown];
}

/** A difference that stands: why, and in which cases alone where it does not stand in all. A path that ends in `/**` is of a thing and all that is in it. */
export interface KnownDifference extends Pick<Difference, 'path' | 'change'> {
  readonly why: string;
  readonly cases?: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const idNames = ['turnId', 'stepId', 'frameId', 'markerId', 'refId', 'taskId', 'interactionId', 'attachmentId', 'todoId', 'promptId', 'id'];
/** Things that carry ids of others beside their own. */
const ownIds: Readonly<Record<string, string>> = { step: 'stepId', text: 'frameId', thinking: 'frameId', tool: 'frameId', notice: 'frameId' };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function idOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const id = value[ownIds[String(value['kind'])] ?? idNames.find((name) => typeof value[name] === 'string') ?? ''];
  return typeof id === 'string' ? id : undefined;
}

/** Where two JSON values differ. Elements of lists are paired by their ids, where all have one; the same ones in another order are one change of the list. */
export function differencesOf(first: unknown, second: unknown, path = ''): readonly Difference[] {
  if (Object.is(first, second)) return [];
  const values = [first, second] as const;
  if (first === undefined || second === undefined) return [{ path, change: first === undefined ? 'added' : 'missing', values }];
  if (Array.isArray(first) && Array.isArray(second)) return listDifferences(first, second, path);
  if (!isObject(first) || !isObject(second)) return [{ path, change: 'changed', values }];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((key) => differencesOf(first[key], second[key], `${path}/${key}`));
}

function listDifferences(first: readonly unknown[], second: readonly unknown[], path: string): readonly Difference[] {
  const [ids, others] = [first.map(idOf), second.map(idOf)];
  const isPaired = [ids, others].every((all) => !all.includes(undefined) && new Set(all).size === all.length);
  if (!isPaired) return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => differencesOf(first[i], second[i], `${path}/#`)).flat();
  const [common, inOther] = [ids.filter((id) => others.includes(id)), others.filter((id) => ids.includes(id))];
  return [
    ...(common.some((id, i) => id !== inOther[i]) ? [{ path, change: 'changed' as const, values: [common, inOther] as const }] : []),
    ...ids.flatMap((id, i) => differencesOf(first[i], others.includes(id) ? second[others.indexOf(id)] : undefined, `${path}/#`)),
    ...others.flatMap((id, i) => (ids.includes(id) ? [] : differencesOf(undefined, second[i], `${path}/#`))),
  ];
}

function covers(known: string, path: string): boolean {
  return known.endsWith('/**') ? `${path}/`.startsWith(known.slice(0, -2)) : known === path;
}

/** Which differences a list does not know, with an example, and which of its entries (per case, where they name some) were never met. Both empty: the list is exact. */
export function againstKnown(found: ReadonlyMap<string, readonly Difference[]>, known: readonly KnownDifference[]): { readonly unknown: readonly string[]; readonly unmet: readonly string[] } {
  const met = new Set<string>();
  const unknown = new Map<string, string>();
  for (const [name, differences] of found) for (const { path, change, values } of differences) {
    const entries = known.filter((entry) => entry.change === change && covers(entry.path, path) && (entry.cases?.includes(name) ?? true));
    for (const { cases, path: of } of entries) met.add(`${cases ? name : 'any'} ${change} ${of}`);
    if (entries.length === 0) unknown.set(`${name} ${change} ${path}`, values.map((value) => JSON.stringify(value)?.slice(0, 80)).join(' | '));
  }
  const unmet = known.flatMap(({ path, change, cases = ['any'] }) => cases.map((name) => `${name} ${change} ${path}`)).filter((entry) => !met.has(entry));
  return { unknown: [...unknown].map((entry) => entry.join(': ')), unmet };
}
