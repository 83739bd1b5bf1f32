import { describe, expect, it } from 'vitest';
import { factsOf } from '../../fold/sketch.suite.js';
import { foldThread } from '../../fold/fold-thread.js';
import { emptyThreadHead } from '../../fold/thread-head.js';
import { ThreadRows } from '../../rows/thread-rows.js';
import { History } from '../answers/history.js';
import { itemsPage, itemsRead } from '../answers/items-page.js';
import { searchOccurrences } from '../answers/occurrences.js';
import { RecordIndex } from '../answers/record-index.js';
import { timelinePage } from '../answers/timeline-page.js';
import { turnsPage } from '../answers/turns-page.js';
import { RPC_CODE, RpcError } from '../wire/rpc-error.js';
import { readListCursor, writeListCursor } from './list-cursor.js';

type Mode = 'legacy' | 'paginated';

/** Two turns with a question and an answer each; the second is rolled back where asked for. */
function historyOf(historyMode: Mode, { id = 'one', isRolledBack = false } = {}): History {
  const facts = factsOf([
    { type: 'thread.opened', threadId: id, sessionId: id, program: 'codex', origin: { kind: 'cli' }, historyMode, details: {} },
    ...[1, 2].flatMap((n) => [
      { type: 'turn.started' as const, id: `turn-${n}`, isImplicit: false, replacesOlder: false },
      { type: 'item.completed' as const, turn: `a#${n * 3 - 2}`, id: `item-${n}`, body: { kind: 'agentMessage', text: `Ärger ${n}, ärger` }, visibility: 'shown', isAdded: false },
      { type: 'turn.ended' as const, turn: `a#${n * 3 - 2}`, status: 'completed' },
    ]),
    ...(isRolledBack ? [{ type: 'history.superseded' as const, reason: 'rollback', turns: ['a#4'], context: [] }] : []),
  ]);
  const rows = new ThreadRows();
  const records = new RecordIndex();
  const head = facts.reduce((before, fact, position) => {
    records.add(position);
    const folded = foldThread(before, fact, position);
    rows.apply(folded.changes);
    return folded.head;
  }, emptyThreadHead);
  return new History({ thread: { id, historyMode }, head, rows, placeOf: records.placeOf });
}

async function refusal(run: () => unknown): Promise<[number, string]> {
  try {
    await run();
  } catch (error) {
    if (error instanceof RpcError) return [error.code, error.message];
    throw error;
  }
  throw new Error('nothing was refused');
}

const methods: Readonly<Record<string, (history: History, cursor: string) => Promise<unknown>>> = {
  turns: (history, cursor) => turnsPage(history, { threadId: history.threadId, cursor, limit: 1 }),
  items: (history, cursor) => itemsPage(history, { threadId: history.threadId, cursor, limit: 1 }),
  timeline: (history, cursor) => timelinePage(history, { threadId: history.threadId, cursor, limit: 1 }),
  occurrences: (history, cursor) => searchOccurrences(history, { threadId: history.threadId, searchTerm: 'ärger', cursor, limit: 1 }),
};

async function cursorsOf(history: History): Promise<Record<string, string>> {
  const { threadId } = history;
  const pages = { turns: turnsPage(history, { threadId, limit: 1 }), items: itemsPage(history, { threadId, limit: 1 }), timeline: timelinePage(history, { threadId, limit: 1 }), occurrences: searchOccurrences(history, { threadId, searchTerm: 'ärger', limit: 1 }) };
  const cursors: Record<string, string> = {};
  for (const [name, page] of Object.entries(pages)) cursors[name] = (await page).nextCursor ?? '';
  return cursors;
}

describe('cursors of a history', () => {
  it('[R-THR-5] belong to a thread and to a method: any other, and garbage, is the recorded error', async () => {
    for (const mode of ['legacy', 'paginated'] as const) {
      const history = historyOf(mode);
      const own = await cursorsOf(history);
      const foreign = await cursorsOf(historyOf(mode, { id: 'other' }));
      for (const [name, call] of Object.entries(methods)) {
        expect(own[name]).not.toBe('');
        await call(history, own[name] ?? '');
        const wrong = ['', 'garbage', '{}', '[]', 'null', '1', ...Object.entries(own).filter(([other]) => other !== name).map(([, cursor]) => cursor)];
        if (mode === 'paginated' || name !== 'turns') wrong.push(foreign[name] ?? '');
        for (const cursor of wrong) expect(await refusal(() => call(history, cursor)), `${mode} ${name} ${cursor}`).toEqual([RPC_CODE.invalidRequest, `invalid cursor: ${cursor}`]);
      }
    }
  });

  it('[R-THR-5] of a turn that was rolled back meanwhile: told in legacy threads, a place like any other in paginated ones', async () => {
    const anchor = (await turnsPage(historyOf('legacy'), { threadId: 'one', limit: 1 })).backwardsCursor ?? '';
    expect(anchor).toBe('{"turnId":"turn-2","includeAnchor":true}');
    expect(await refusal(() => turnsPage(historyOf('legacy', { isRolledBack: true }), { threadId: 'one', cursor: anchor }))).toEqual([RPC_CODE.invalidRequest, 'invalid cursor: anchor turn is no longer present']);
    const ordinal = (await turnsPage(historyOf('paginated'), { threadId: 'one', limit: 1 })).nextCursor ?? '';
    expect(ordinal).toBe('{"requestedThreadId":"one","rolloutOrdinal":4,"includeAnchor":false,"scope":{"kind":"turns"}}');
    expect([...(await turnsPage(historyOf('paginated', { isRolledBack: true }), { threadId: 'one', cursor: ordinal })).data].map(({ id }) => id)).toEqual(['turn-1']);
  });

  it('an item as cursor needs its turn, and must be in it', async () => {
    const history = historyOf('paginated');
    const cursor = { type: 'item', itemId: 'item-2' } as const;
    expect(await refusal(() => itemsPage(history, { threadId: 'one', cursor }))).toEqual([RPC_CODE.invalidParams, 'turnId is required when cursor is an item anchor']);
    expect(await refusal(() => itemsPage(history, { threadId: 'one', turnId: 'turn-1', cursor }))).toEqual([RPC_CODE.invalidParams, 'cursor.itemId does not identify an item in the requested history scope']);
    expect((await refusal(() => itemsRead(history, { threadId: 'one', turnId: 'turn-1', itemIds: Array.from({ length: 101 }, () => 'x') })))[1]).toBe('itemIds must contain 1 to 100 IDs');
  });

  it('finds each occurrence once, in any case, also where case changes lengths', async () => {
    const history = historyOf('legacy');
    const whole = await searchOccurrences(history, { threadId: 'one', searchTerm: 'ÄRGER' });
    expect(whole.data.map(({ itemId, snippetMatchRange, turnCursor }) => [itemId, snippetMatchRange.start, snippetMatchRange.end, turnCursor])).toEqual([1, 2].flatMap((n) => [
      [`item-${n}`, 0, 5, `{"turnId":"turn-${n}","includeAnchor":true}`], [`item-${n}`, 9, 14, `{"turnId":"turn-${n}","includeAnchor":true}`],
    ]));
    const found = [];
    for (let cursor: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof searchOccurrences>> = await searchOccurrences(history, { threadId: 'one', searchTerm: 'ÄRGER', limit: 1, cursor });
      found.push(...page.data);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(found).toEqual(whole.data);
  });
});

describe('cursors of a list', () => {
  it('[R-THR-5] take the accepted forms of a time, and nothing else', async () => {
    const at = Date.UTC(2025, 11, 1, 10, 1, 0);
    const threadId = '01990000-0000-7000-8000-000000001060';
    expect(readListCursor('2025-12-01T10:01:00Z')).toEqual({ timeMs: at, threadId: undefined });
    expect(readListCursor('2025-12-01T12:01:00.5+02:00')).toEqual({ timeMs: at + 500, threadId: undefined });
    expect(readListCursor('2025-12-01T10-01-00')).toEqual({ timeMs: at, threadId: undefined });
    expect(readListCursor(`2025-12-01T10:01:00Z|{${threadId.toUpperCase()}}`)).toEqual({ timeMs: at, threadId });
    for (const cursor of ['', '|', 'garbage', '2025-12-01', '2025-13-01T10:01:00Z', '2025-12-01T10:01:00', '1764583260', `|${threadId}`, '2025-12-01T10:01:00Z|x', `2025-12-01T10:01:00Z|${threadId}|`]) {
      expect(await refusal(() => readListCursor(cursor)), cursor).toEqual([RPC_CODE.invalidRequest, `invalid cursor: ${cursor}`]);
    }
    for (const anchor of [{ timeMs: at, threadId }, { timeMs: at - 1, threadId: undefined }]) expect(readListCursor(writeListCursor(anchor))).toEqual(anchor);
  });
});
