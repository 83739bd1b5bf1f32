import type { ModelItem } from '@tapefold/facts';
import type { ContextEntry, Passage } from './arrange.js';

/** What makes two entries the same: all that the model reads of them. */
function contentOf(item: ModelItem): string {
  const { native: _, ...neutral } = item;
  return JSON.stringify(neutral);
}

/**
 * Entries that a compaction put in and that say what an entry before it said: the program wrote the kept ones down once more. By key of the copy; of equal
 * entries the newest is the one that was kept. `resolve`: reads large texts back, so that stand-ins do not pass for each other.
 */
export function carriedOver({ before, after }: Passage, resolve: (entry: ContextEntry) => ContextEntry): Map<string, ContextEntry> {
  const kept = new Set(after.map(({ key }) => key));
  const waiting = new Map<string, ContextEntry[]>();
  for (const entry of before) {
    if (kept.has(entry.key)) continue;
    const content = contentOf(resolve(entry).item);
    const same = waiting.get(content);
    if (same) same.push(entry);
    else waiting.set(content, [entry]);
  }
  const carried = new Map<string, ContextEntry>();
  const known = new Set(before.map(({ key }) => key));
  for (const copy of [...after].reverse()) {
    const original = known.has(copy.key) ? undefined : waiting.get(contentOf(resolve(copy).item))?.pop();
    if (original) carried.set(copy.key, original);
  }
  return carried;
}
