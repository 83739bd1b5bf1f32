/** Leaves out what is undefined: states compare as their copies through JSON do. */
export function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
