import { Buffer } from 'node:buffer';
import { type HistoryReader, type TurnsListParams, itemsPage, timelinePage, turnsPage } from '@tapefold/threads';
import { firstDifference, plain } from './first-difference.js';

/** Pages of a chain that are compared. */
const PAGES = 8;

/** Pages of a history, as answers give them. */
async function pagesOf(history: HistoryReader): Promise<unknown[]> {
  const { threadId } = history;
  const pages: unknown[] = [];
  for (const sortDirection of ['asc', 'desc'] as const) {
    for (const itemsView of ['full', 'summary', 'notLoaded'] as const) {
      const params: TurnsListParams = { threadId, sortDirection, itemsView, limit: 7 };
      for (let cursor: string | null = null, left = PAGES; left > 0; left--) {
        const { data, nextCursor, backwardsCursor }: Awaited<ReturnType<typeof turnsPage>> = await turnsPage(history, { ...params, cursor });
        pages.push({ data: [...data], nextCursor, backwardsCursor });
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
    }
    for (let cursor: string | null = null, left = PAGES; left > 0; left--) {
      const { data, nextCursor, backwardsCursor }: Awaited<ReturnType<typeof itemsPage>> = await itemsPage(history, { threadId, sortDirection, limit: 9, cursor });
      pages.push({ data: [...data], nextCursor, backwardsCursor });
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
  }
  for (let cursor: string | null = null, left = PAGES; left > 0; left--) {
    const page: Awaited<ReturnType<typeof timelinePage>> = await timelinePage(history, { threadId, limit: 9, cursor });
    pages.push(page);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return pages;
}

/** No turn has this key: where one may be running, texts are made of the rows, and not taken from those that are kept. */
const NO_TURN = '';

/** All turns as text, where a reader has them so, beside their objects: as it answers them, and as it makes them of its rows. */
async function differentTexts(expected: HistoryReader, actual: HistoryReader): Promise<string | undefined> {
  if (!actual.turnChunks) return undefined;
  const turns: unknown[] = [];
  for await (const turn of expected.eachTurn()) turns.push(expected.turnObject(turn, 'full'));
  const written = JSON.stringify(turns);
  for (const running of [undefined, NO_TURN]) {
    const chunks: Buffer[] = [];
    for await (const chunk of actual.turnChunks(running)) chunks.push(Buffer.from(chunk));
    const text = `[${Buffer.concat(chunks).toString('utf8')}]`;
    if (text !== written) return firstDifference(plain(turns), JSON.parse(text) as unknown, 'texts of turns') ?? 'texts of turns: the same otherwise written';
  }
  return undefined;
}

/** Compares the pages of two readers of one history, and their turns as text: the first difference, as a sentence. */
export async function differentPages(expected: HistoryReader, actual: HistoryReader): Promise<string | undefined> {
  const pages = plain(await pagesOf(actual));
  return firstDifference(plain(await pagesOf(expected)), pages, 'pages') ?? differentTexts(expected, actual);
}
