import type { ClaudeLineSign } from '@tapefold/dialects';

/** What names a session: titles of its own, and the newest lines of it by which a summary in another file may name it. */
export interface Titles {
  readonly own: string | undefined;
  readonly newestUuids: readonly string[];
}

/** A summary names the line that was the last when it was written. */
const NEWEST_LINES = 64;

type Signs = readonly (readonly ClaudeLineSign[])[];

/** `newest`: the lines of the end of the file; `all`: every line that was looked at. A title that a person gave goes before one that a model made (claude-history §6.4). */
export function titlesOf(newest: Signs, all: Signs): Titles {
  const titleOf = (wanted: string): string | undefined => all.flat().filter(({ type, title }) => type === wanted && title !== undefined && title !== '').at(-1)?.title;
  const newestUuids = newest.flat().flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])).slice(-NEWEST_LINES);
  return { own: titleOf('custom-title') ?? titleOf('ai-title'), newestUuids };
}

/** The summary that names one of the lines, the newest line's first. */
export function summaryFor(newestUuids: readonly string[], summaries: readonly { readonly leafUuid: string; readonly text: string }[]): string | undefined {
  const byLeaf = new Map(summaries.map(({ leafUuid, text }) => [leafUuid, text]));
  const leaf = byLeaf.size === 0 ? undefined : newestUuids.filter((uuid) => byLeaf.has(uuid)).at(-1);
  return leaf === undefined ? undefined : byLeaf.get(leaf);
}
