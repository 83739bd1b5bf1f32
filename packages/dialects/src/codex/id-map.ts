/**
 * What is known by ids that come from the file: a map, since an object files away for good each new id that it is only asked for; so no id is taken for what
 * every object inherits either. Looking up, putting and removing cost the same however large the table is. As JSON a list of pairs.
 */
export class IdMap<T> extends Map<string, T> {
  toJSON(): [string, T][] {
    return [...this];
  }
}

/** A map out of a checkpoint, as JSON has it; what is no pair of it is left out. */
export function idMapOf<T>(json: unknown): IdMap<T> {
  const pairs = Array.isArray(json) ? json.filter((pair): pair is [string, T] => Array.isArray(pair) && typeof pair[0] === 'string') : [];
  return new IdMap(pairs);
}
