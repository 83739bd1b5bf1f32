import type { ItemRow } from '@tapefold/threads';
import { rangeOf, rowIdOf } from '../sqlite/schema.js';
import { type SharedRows, sharedView } from '../sqlite/shared-view.js';
import type { HistoryId } from '../thread-store.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { foldText } from './fold-text.js';
import { indexedTexts, stampedPieces } from './row-texts.js';
import { textTables } from './tables.js';
import { gramExpression } from './trigrams.js';

/** Trigrams of a text that are looked for: at its beginning, in its middle, at its end. */
function samplesOf(text: string): string[] {
  const chars = Array.from(foldText(text));
  const last = chars.length - 3;
  return last < 0 ? [] : [...new Set([0, Math.floor(last / 2), last].map((at) => chars.slice(at, at + 3).join('')))];
}

/** Compares the index of text with the rows of a history, but for what waits in the queue: which items are in it, and samples of what they say. The first difference, as a sentence. */
export function differentTexts({ db, shared }: SharedRows, history: HistoryId, { items, segments }: { readonly items: readonly ItemRow[]; readonly segments: readonly SegmentStamp[] }): string | undefined {
  const range = rangeOf(history);
  const view = sharedView(shared, history);
  const readPiece = stampedPieces(segments);
  const waits = db.prepare<[number], number>('SELECT 1 FROM search_queue WHERE id = ?').pluck();
  const isWaiting = (id: number): boolean => waits.get(id) !== undefined;
  const storedId = (id: number): number => view?.storedId('items', id) ?? id;
  const texts = items.map((row) => ({ row, id: storedId(rowIdOf(history, row.position)) })).filter(({ id }) => !isWaiting(id)).map(({ row, id }) => ({ row, id, texts: indexedTexts(row, readPiece) }));
  for (const table of textTables) {
    const unknown = new Set(db.prepare<[number, number], number>(`SELECT id FROM ${table}_docsize WHERE id >= ? AND id < ?`).pluck().all(...range));
    const indexed = db.prepare<[number], number>(`SELECT 1 FROM ${table}_docsize WHERE id = ?`).pluck();
    const holds = db.prepare<[string, number], number>(`SELECT 1 FROM ${table} WHERE ${table} MATCH ? AND rowid = ?`).pluck();
    for (const { row, id, texts: { text, output } } of texts) {
      const wanted = table === 'search_text' ? text : output;
      unknown.delete(id);
      if ((indexed.get(id) !== undefined) !== wanted.length > 0) return `the text of item ${row.id} ${wanted.length > 0 ? 'is not in the search index' : 'is in the search index, and it has none'}`;
      const missing = wanted.flatMap((each) => samplesOf(each.text)).find((gram) => holds.get(gramExpression(gram), id) === undefined);
      if (missing !== undefined) return `the search index does not have ${JSON.stringify(missing)} of item ${row.id}`;
    }
    const [left] = [...unknown].filter((id) => !isWaiting(id));
    if (left !== undefined) return `the search index has text of an item that there is not, at position ${left - range[0]}`;
  }
  return undefined;
}
