import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { index, verified } from '../indexing/grown-home.suite.js';
import type { SearchResult } from './search-result.js';
import { indexTexts, waitingTexts } from './text-indexer.js';
import { type Searched, type WrittenThread, numbersOf, pathOf, searched, threadId, timeOf, writeThreads } from './written-home.suite.js';

let opened: Searched | undefined;
afterEach(async () => {
  await opened?.store.close();
  opened = undefined;
});

async function over(...threads: WrittenThread[]): Promise<Searched> {
  opened = await searched(threads);
  return opened;
}

/** The threads of hits, by number. */
const sorted = (result: SearchResult): number[] => numbersOf(result).sort((a, b) => a - b);
const said = (n: number, ...words: string[]): WrittenThread => ({ n, turns: words.map((word) => [{ user: word }]) });

describe('[R-STO-6] what is searched', () => {
  it('what a person and an agent said, commands and paths; what tools put out by option; not what is hidden', async () => {
    const { search } = await over({ n: 1, turns: [[{ user: 'Please fix alpha' }, { agent: 'Fixed beta.\n::git-commit{cwd="/hidden/place"}' }, { command: ['cat', 'src/foo_bar.ts'], output: 'gamma output' }]] });
    expect(search('alpha')).toMatchObject({ matches: 1, incomplete: null, hits: [{ source: 'user', turnId: 't0', thread: { thread: { id: threadId(1) } } }] });
    expect(search('BETA').hits).toMatchObject([{ source: 'agent' }]);
    expect(search('foo_bar.ts').hits).toMatchObject([{ source: 'action', itemId: 't0.2' }]);
    expect(search('o_ba').hits).toMatchObject([{ source: 'action' }]);
    expect(search('cat').hits).toMatchObject([{ source: 'action' }]);
    expect(search('gamma')).toMatchObject({ matches: 0, incomplete: null });
    expect(search('gamma', { hasToolOutput: true }).hits).toMatchObject([{ source: 'output', itemId: 't0.2' }]);
    expect(search('hidden/place')).toMatchObject({ matches: 0, incomplete: null });
  });

  it('words anywhere in one text, phrases as they stand, whatever blank is between', async () => {
    const { search } = await over(said(1, 'the quick brown fox'), said(2, 'brown\nquick'), said(3, 'quick'), said(4, 'say "hello'));
    expect(sorted(search('quick brown'))).toEqual([1, 2]);
    expect(numbersOf(search('"quick brown"'))).toEqual([1]);
    expect(numbersOf(search('"brown quick"'))).toEqual([2]);
    expect(numbersOf(search('"hello'))).toEqual([4]);
  });

  it('one and two characters of any script', async () => {
    const { search } = await over(said(1, '数据库连接失败'), said(2, '日本語のテスト'), said(3, '데이터베이스'), said(4, 'ok 🎉 done'), said(5, 'naïve Ünïcode'), said(6, 'x'));
    expect([search('库'), search('接失'), search('据库连'), search('の'), search('テス'), search('베'), search('🎉'), search('üN'), search('X')].map(numbersOf)).toEqual([[1], [1], [1], [2], [2], [3], [4], [5], [6]]);
    expect(search('库接')).toMatchObject({ matches: 0, incomplete: null });
  });

  it('a large output whole, though the rows hold both ends alone', async () => {
    const output = `${'x'.repeat(30_000)} needle ${'y'.repeat(30_000)}`;
    const { search } = await over({ n: 1, turns: [[{ user: 'go' }, { command: ['run'], output }]] });
    expect(search('needle', { hasToolOutput: true })).toMatchObject({ matches: 1, incomplete: null });
  });

  it('text behind a megabyte is not searched, and that is said', async () => {
    const { search } = await over({ n: 1, turns: [[{ user: 'go' }, { command: ['run'], output: `${'x '.repeat(600_000)} needle` }]] });
    expect(search('needle', { hasToolOutput: true })).toMatchObject({ matches: 0, incomplete: { cutTexts: 1, threads: 0, isOverBudget: false } });
  });
});

describe('[R-STO-6] hits', () => {
  it('carry a snippet with ranges in UTF-16 units, at edges that cut no character', async () => {
    const { search } = await over(said(1, `${'😀'.repeat(100)} Find me and ME ${'😀'.repeat(100)}`));
    const [hit] = search('me find').hits;
    const { text, ranges, isCutBefore, isCutAfter } = hit?.snippet ?? { text: '', ranges: [] };
    expect(ranges.map(({ start, end }) => text.slice(start, end))).toEqual(['Find', 'me', 'ME']);
    expect([isCutBefore, isCutAfter, text.length <= 201]).toEqual([true, true, true]);
    expect(/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(text)).toBe(false);
  });

  it('come in an order of relevance and recency', async () => {
    const { search } = await over(said(1, 'parser'), said(2, 'the parsers of old'), said(3, `${'other words '.repeat(2_000)} parser`), { n: 4, turns: [[{ user: 'x' }, { command: ['parser'], output: '' }]] }, said(5, 'parser'));
    expect(numbersOf(search('parser'))).toEqual([5, 1, 2, 4, 3]);
    const { search: again } = await searched([said(1, 'parser'), said(400, 'parser')]);
    expect(numbersOf(again('parser'))).toEqual([400, 1]);
  });

  it('of one thread do not fill a page, and pages are cut from one order', async () => {
    const { search } = await over(said(1, ...Array.from({ length: 30 }, (_, i) => `word ${i}`)), said(2, 'a longer text that has the word in it, too'));
    expect(numbersOf({ hits: search('word').hits.slice(0, 5) })).toContain(2);
    const all = search('word').hits.map(({ itemId, turnId }) => `${turnId} ${itemId}`);
    expect([...search('word', { limit: 7 }).hits, ...search('word', { limit: 100, offset: 7 }).hits].map(({ itemId, turnId }) => `${turnId} ${itemId}`)).toEqual(all);
    expect(search('word', { limit: 7 }).matches).toBe(31);
  });

  it('are of the history as it stands; what was taken back comes marked, where it is asked for', async () => {
    const thread: WrittenThread = { n: 1, turns: [[{ user: 'kept word' }], [{ user: 'dropped word' }], [{ rollback: 1 }], [{ user: 'new word' }]] };
    const { search } = await over(thread);
    expect(new Set(search('word').hits.map(({ snippet, isSuperseded }) => `${snippet.text} ${String(isSuperseded)}`))).toEqual(new Set(['kept word false', 'new word false']));
    expect(search('dropped')).toMatchObject({ matches: 0, incomplete: null });
    expect(search('dropped', { hasSuperseded: true }).hits).toMatchObject([{ isSuperseded: true, snippet: { text: 'dropped word' } }]);
  });
});

describe('[R-STO-6] filters', () => {
  it('agent, folder, time, last turn, thread', async () => {
    const { search } = await over({ ...said(1, 'word'), cwd: '/a' }, { ...said(2, 'word'), cwd: '/b' }, { ...said(3, 'word'), cwd: '/a', isOpen: true });
    expect(sorted(search('word'))).toEqual([1, 2, 3]);
    expect(sorted(search('word', { cwd: '/a' }))).toEqual([1, 3]);
    expect(sorted(search('word', { status: 'completed' }))).toEqual([1, 2]);
    expect(sorted(search('word', { sinceMs: timeOf(2) }))).toEqual([2, 3]);
    expect(numbersOf(search('word', { untilMs: timeOf(2) }))).toEqual([1]);
    expect(numbersOf(search('word', { threadId: threadId(2) }))).toEqual([2]);
    expect(search('word', { program: 'claude' })).toEqual({ hits: [], matches: 0, incomplete: null });
  });
});

describe('[R-STO-6] never an empty lie', () => {
  it('homes that were never indexed, threads that are not whole, text that waits', async () => {
    const { search, store, home, update } = await over(said(1, 'word'));
    writeThreads(home, [said(2, 'word')]);
    await index(store, [home]);
    expect(waitingTexts(store.db)).toBeGreaterThan(0);
    expect(search('word')).toMatchObject({ matches: 1, incomplete: { threads: 0, waitingTexts: 1, isOverBudget: false, isUnknown: false } });
    expect(search('word', { threadId: threadId(1) }).incomplete).toBeNull();
    await update();
    expect(search('word')).toMatchObject({ matches: 2, incomplete: null });
    writeThreads(home, [said(3, 'word')]);
    await index(store, [home], { isStopped: () => true });
    expect(search('word')).toMatchObject({ matches: 2, incomplete: { threads: 1 } });
    const elsewhere = await searched([]);
    expect(elsewhere.search('word')).toEqual({ hits: [], matches: 0, incomplete: { isUnknown: true, threads: 0, waitingTexts: 0, cutTexts: 0, isOverBudget: false } });
    await elsewhere.store.close();
  });

  it('budgets of texts and time end a search, the newest threads first', async () => {
    const { rows, search } = await over(...Array.from({ length: 40 }, (_, n) => said(n, 'word one', 'word two')));
    const few = search('word', { budgetTexts: 10 });
    expect(few.incomplete).toMatchObject({ isOverBudget: true });
    expect(few.matches).toBeLessThanOrEqual(10);
    expect(numbersOf(few)[0]).toBe(39);
    expect(Math.min(...numbersOf(few))).toBeGreaterThan(30);
    expect(search('word').incomplete).toBeNull();
    expect(rows.search({ text: 'word', limit: 3 })).toMatchObject({ matches: 80, incomplete: null });
  });
});

describe('[R-STO-6] hostile queries', () => {
  const hostile = ['"', '""""', "'", 'a OR b', 'NOT word', 'NEAR(word one)', '*', 'wo*', '^word', 'text:word', '{word}', '(word', 'word)', '-word', '+', 'word AND', '\\', '%', '_', ';DROP TABLE items', '!!!', '…', '\u202e', 'wört\u0301', '-- x', '/*', '\uffff', '\u{10ffff}'];
  it.each(hostile.map((text) => [JSON.stringify(text), text] as const))('%s is taken literally', async (_, text) => {
    const { search } = await over(said(1, 'word one or two'), said(2, `it says ${text} here`));
    const phrase = /\s/.test(text) ? `"${text}"` : text;
    expect(numbersOf(search(phrase))).toContain(2);
    expect(numbersOf(search(phrase))).not.toContain(1);
    expect(search(phrase).incomplete).toBeNull();
  });

  it.each(['\ud800', '\udc00x', 'a\0b', '\u0000', '\u001b[31m'].map((text) => [JSON.stringify(text), text] as const))('%s is found nowhere: no text that a person sees holds it', async (_, text) => {
    const { search } = await over(said(1, 'word one or two ab x [31m'), said(2, `it says ${text} here`));
    expect(search(text)).toEqual({ hits: [], matches: 0, incomplete: null });
  });

  it('10 kB, and more than is taken', async () => {
    const long = Array.from({ length: 1_000 }, (_, i) => `part${i}-x`).join(',');
    const { search } = await over(said(1, `before ${long} behind`), said(2, long.slice(0, -1)));
    expect(numbersOf(search(long))).toEqual([1]);
    expect(search(long).hits[0]?.snippet.ranges).toHaveLength(1);
    expect(() => search('x'.repeat(20_000))).toThrowError(expect.objectContaining({ code: 'queryTooLong' }) as Error);
    expect(() => search(Array.from({ length: 40 }, (_, i) => `w${i}`).join(' '))).toThrowError(expect.objectContaining({ code: 'queryTooLong' }) as Error);
    for (const text of ['', '  \n', '""']) expect(() => search(text)).toThrowError(expect.objectContaining({ code: 'emptyQuery' }) as Error);
  });
});

describe('[R-STO-2] [R-STO-6] the index of text', () => {
  it('follows files that grow, are rewritten and go', async () => {
    const { search, home, update, store } = await over(said(1, 'first words'), said(2, 'second words'));
    const path = pathOf(home, 1);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify({ timestamp: '2026-01-03T00:00:00Z', type: 'event_msg', payload: { type: 'agent_message', message: 'grown words' } })}\n`);
    await update();
    expect([search('first').matches, search('grown').matches, search('words').matches]).toEqual([1, 1, 3]);
    writeThreads(home, [said(1, 'other things')]);
    await update();
    expect([search('first').matches, search('grown').matches, search('other').matches, search('words').matches]).toEqual([0, 0, 1, 1]);
    expect(await verified(store, [home])).toEqual({ threads: 2, wrong: [] });
    rmSync(pathOf(home, 2));
    await update();
    expect(search('words')).toMatchObject({ matches: 0, incomplete: null });
    expect(store.db.prepare('SELECT (SELECT COUNT(*) FROM search_text_docsize) AS texts, (SELECT COUNT(*) FROM search_queue) AS queue').get()).toEqual({ texts: 1, queue: 0 });
    await store.clear();
    expect(store.db.prepare('SELECT COUNT(*) AS texts FROM search_text_docsize').get()).toEqual({ texts: 0 });
  });

  it('is verified: text that is missing, too much, or another is named', async () => {
    const { store, home } = await over(said(1, 'some words'));
    const wrong = async (sql: string): Promise<string | undefined> => {
      store.db.exec(sql);
      return (await verified(store, [home])).wrong[0]?.difference;
    };
    const id = store.db.prepare('SELECT id FROM items').pluck().get() as number;
    expect(await wrong(`INSERT OR REPLACE INTO search_text (rowid, text) VALUES (${id}, 'other words\n\n')`)).toMatch(/does not have "som" of item/);
    expect(await wrong(`DELETE FROM search_text WHERE rowid = ${id}`)).toMatch(/is not in the search index/);
    expect(await wrong(`INSERT INTO search_queue VALUES (${id})`)).toBeUndefined();
    expect(await wrong(`INSERT INTO search_output (rowid, text) VALUES (${id + 100}, 'nobody')`)).toMatch(/an item that there is not/);
  });

  it('is of the rows between any two transactions: what waits is told, what does not is found', async () => {
    const { search, store, home } = await over(...Array.from({ length: 12 }, (_, n) => said(n, `word ${n}`)));
    await store.clear();
    await index(store, [home]);
    for (let left = 12; left > 0;) {
      let stops = 0;
      await indexTexts(store, { batchRows: 5, isStopped: () => stops++ > 0 });
      left = waitingTexts(store.db);
      const { matches, incomplete } = search('word');
      expect([matches, incomplete?.waitingTexts ?? 0]).toEqual([12 - left, left]);
    }
  });
});
