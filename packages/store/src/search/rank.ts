import type { TextSource } from './item-texts.js';
import type { TextMatch } from './match-text.js';
import type { FoundItem, ThreadLook } from './row-look.js';
import type { SearchedThread } from './threads.js';

/** A text that holds the terms. */
export interface Match {
  readonly match: TextMatch;
  readonly thread: SearchedThread;
  readonly look: ThreadLook;
  readonly item: FoundItem;
  readonly source: TextSource;
  readonly atMs: number;
}

/** A match in its place. `alsoIn`: other threads that hold the same record. */
export interface RankedMatch {
  readonly match: Match;
  readonly score: number;
  readonly alsoIn: readonly string[];
}

/** After so long a match counts half of what time can add. */
const HALF_LIFE_MS = 60 * 24 * 3_600_000;
/** What a match is worth however old it is. */
const AGELESS = 0.4;
/** What each further match of one thread is worth beside the one before: a page shows more than one thread. */
const REPEATED = 0.85;
const SUPERSEDED = 0.6;

/** The same record stands in a thread and in its forks: it is one match, of the newest thread. */
function distinct(matches: readonly Match[]): Map<string, { match: Match; alsoIn: string[] }> {
  const records = new Map<string, { match: Match; alsoIn: string[] }>();
  for (const match of matches) {
    const key = `${match.source} ${match.item.row.key}`;
    const known = records.get(key);
    if (!known) records.set(key, { match, alsoIn: [] });
    else if (!known.match.item.isShown && match.item.isShown) records.set(key, { match, alsoIn: [known.match.thread.threadId, ...known.alsoIn] });
    else if (known.match.thread !== match.thread) known.alsoIn.push(match.thread.threadId);
  }
  return records;
}

const byScore = (a: { score: number; match: Match }, b: { score: number; match: Match }): number =>
  b.score - a.score || b.match.atMs - a.match.atMs || a.match.thread.place - b.match.thread.place || b.match.item.row.position - a.match.item.row.position;

/** Matches by relevance and recency, the best first; the order of the input decides nothing but which of several forks is named. Pure. */
export function ranked(matches: readonly Match[]): RankedMatch[] {
  const newestMs = matches.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const scored = [...distinct(matches).values()].map(({ match, alsoIn }) => {
    const recency = AGELESS + (1 - AGELESS) * 2 ** (-(newestMs - match.atMs) / HALF_LIFE_MS);
    return { match, alsoIn, score: match.match.relevance * recency * (match.item.isShown ? 1 : SUPERSEDED) };
  }).sort(byScore);
  const counts = new Map<SearchedThread, number>();
  return scored.map((each) => {
    const count = counts.get(each.match.thread) ?? 0;
    counts.set(each.match.thread, count + 1);
    return { ...each, score: each.score * REPEATED ** count };
  }).sort(byScore);
}
