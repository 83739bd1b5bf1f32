const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Own keys that hold something: JSON carries no undefined, so an undefined field is an absent one. */
function carriedKeys(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** The pairs of parts that have to be equal for `a` and `b` to be equal; undefined where their shapes differ already. */
function partsOf(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): [unknown, unknown][] | undefined {
  if (Array.isArray(a) !== Array.isArray(b)) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length ? a.map((value, index) => [value, b[index]]) : undefined;
  const keys = carriedKeys(a);
  if (keys.length !== carriedKeys(b).length) return undefined;
  return keys.every((key) => Object.hasOwn(b, key)) ? keys.map((key) => [a[key], b[key]]) : undefined;
}

/**
 * Whether two JSON values say the same, in whatever order their keys stand; an undefined field counts as absent. Never throws, however deep they are:
 * it walks with a list instead of the stack.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const open: [unknown, unknown][] = [[a, b]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [left, right] = pair;
    if (left === right || (left !== left && right !== right)) continue;
    if (!isObject(left) || !isObject(right)) return false;
    const parts = partsOf(left, right);
    if (!parts) return false;
    for (const part of parts) open.push(part);
  }
  return true;
}
