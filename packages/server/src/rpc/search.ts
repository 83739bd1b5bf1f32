import { type ListRow, type SearchHit, type ThreadSearchParams, type ThreadSearchResponse, clampedLimit, firstSnippet, rawPattern, searchAnswer, searchCandidates } from '@tapefold/threads';
import type { ThreadSummary } from '@tapefold/store';
import { SEARCH_BYTES } from '../limits.js';
import type { ThreadReader } from './thread-reader.js';

/** What of a thread to show; undefined where the term is not said in it, or where its files cannot be read: one bad file hides no others. `pattern`: looked for in the files first. */
async function snippetIn(reader: ThreadReader, threadId: string, { term, pattern }: { readonly term: string; readonly pattern: RegExp | undefined }): Promise<string | undefined> {
  try {
    if (pattern && !(await reader.source.hasLine(threadId, pattern))) return undefined;
    return await firstSnippet(await reader.history(threadId), term);
  } catch {
    return undefined;
  }
}

/** Answers `thread/search`: looks into threads in order until a page is full or the budget is used up; the cursor goes on behind the last one. */
export async function searchThreads(reader: ThreadReader, params: ThreadSearchParams): Promise<ThreadSearchResponse> {
  const rows: readonly (ListRow & Pick<ThreadSummary, 'sizeBytes'>)[] = await reader.all();
  const sizes = new Map<ListRow, number>(rows.map((row) => [row, row.sizeBytes]));
  const { searchTerm: term } = params;
  const pattern = rawPattern(term);
  const mayBeSaid = await reader.source.mayBeSaid?.(term);
  const hits: SearchHit[] = [];
  let left = SEARCH_BYTES;
  for (const row of searchCandidates(rows, params)) {
    const known = mayBeSaid?.(row.thread.id);
    if (known === false) continue;
    // What the index knows costs no look through the files.
    if (known === undefined) left -= sizes.get(row) ?? 0;
    const snippet = await snippetIn(reader, row.thread.id, { term, pattern: known ? undefined : pattern });
    if (snippet !== undefined) hits.push({ row, snippet });
    if (hits.length > clampedLimit(params.limit)) break;
    if (left <= 0) return searchAnswer(hits, params, row);
  }
  return searchAnswer(hits, params);
}
