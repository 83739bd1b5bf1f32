import type { ThreadItem } from '../../objects/thread-item.js';
import { type OccurrenceAnchor, readOrdinalCursor, writeOrdinalCursor } from '../cursors/history-cursor.js';
import type { SearchOccurrencesParams } from '../schemas/history-params.js';
import type { Occurrence, SearchOccurrencesResponse } from '../schemas/history-results.js';
import { RpcError } from '../wire/rpc-error.js';
import type { HistoryItem, HistoryReader } from './history-reader.js';
import { type Anchor, clampedLimit } from './keyset.js';
import { type LiteralMatch, literalMatches, literalPattern } from './literal-search.js';
import { comparePlaces } from './record-index.js';
import { turnCursorOf } from './turns-page.js';

/** What a search looks through: what the person and the agent said. */
export function spokenText(item: ThreadItem): string | undefined {
  if (item.type === 'agentMessage') return item.text;
  return item.type === 'userMessage' ? item.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : undefined;
}

interface Found { readonly item: HistoryItem; readonly match: LiteralMatch; readonly anchor: OccurrenceAnchor }

async function* found(history: HistoryReader, searchTerm: string, after: (Anchor & { readonly match: number | undefined }) | undefined): AsyncGenerator<Found> {
  const from = after && { ordinal: after.ordinal, part: after.part ?? [] };
  const pattern = literalPattern(searchTerm);
  for await (const item of (await history.saying?.(searchTerm)) ?? history.eachItem(from)) {
    const { ordinal, part } = item.place;
    const order = from ? comparePlaces(item.place, from) : 1;
    if (order < 0 || (item.row.body.kind !== 'input' && item.row.body.kind !== 'agentMessage')) continue;
    let match = 0;
    for (const hit of literalMatches(spokenText(history.itemObject(item)) ?? '', pattern)) {
      if (order > 0 || match > (after?.match ?? -1)) yield { item, match: hit, anchor: { ordinal, part, match, includeAnchor: false } };
      match += 1;
    }
  }
}

async function occurrence(history: HistoryReader, { item, match }: Found): Promise<Occurrence> {
  const [turn] = await history.turnsOfId(item.turnId);
  const turnCursor = turn ? await turnCursorOf(history, turn, { ordinal: turn.place.ordinal, part: undefined, includeAnchor: true }) : null;
  return { turnId: item.turnId, itemId: item.row.id, snippet: match.snippet, snippetMatchRange: match.range, turnCursor };
}

/** Answers `thread/searchOccurrences`: each place where a person's or the agent's words hold the term, oldest first. Pure. */
export async function searchOccurrences(history: HistoryReader, params: SearchOccurrencesParams): Promise<SearchOccurrencesResponse> {
  if (params.searchTerm === '') throw new RpcError('emptySearchTerm', { about: 'thread/searchOccurrences' });
  const scope = { threadId: history.threadId, scope: 'occurrences' } as const;
  const after = params.cursor === null || params.cursor === undefined ? undefined : readOrdinalCursor(scope, params.cursor);
  const limit = clampedLimit(params.limit);
  const kept: Found[] = [];
  for await (const each of found(history, params.searchTerm, after)) {
    kept.push(each);
    if (kept.length > limit) break;
  }
  const last = kept.length > limit ? kept[limit - 1] : undefined;
  const data: Occurrence[] = [];
  for (const each of kept.slice(0, limit)) data.push(await occurrence(history, each));
  return { data, nextCursor: last ? writeOrdinalCursor(scope, last.anchor) : null };
}
