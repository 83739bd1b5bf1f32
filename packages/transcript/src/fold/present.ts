/** Leaves out undefined fields: operations are JSON, and a field that is absent is absent after JSON too. */
export function present<T extends object>(fields: T): T {
  const kept: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as T;
}
