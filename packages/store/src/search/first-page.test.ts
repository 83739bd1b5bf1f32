import type { Statement } from 'better-sqlite3';
import { randomFrom } from '@tapefold/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowSearch } from './search-rows.js';
import type { SearchHit, SearchResult } from './search-result.js';
import { type Searched, type WrittenThread, numbersOf, searched, timeOf } from './written-home.suite.js';

const words = ['the', 'parser', 'Parser', 'of', 'src/x.ts', '数据', 'cursor', 'a', 'tests'];

const TURNS = 20;
const FEW = 60;

function threadOf(n: number, seed: number): WrittenThread {
  const random = randomFrom(seed);
  const text = (): string => Array.from({ length: 2 + random.below(random.below(4) === 0 ? 80 : 6) }, () => words[random.below(words.length)]).join(' ');
  return { n, turns: Array.from({ length: TURNS }, () => [{ user: `the ${text()}` }, { command: ['cat', text()], output: `parser ${text()}` }]) };
}

/** Threads of which many texts have the words that are looked for; the newest say the same, however many there are. */
const manyThreads = (count: number): WrittenThread[] => Array.from({ length: count }, (_, n) => threadOf(n, count - n));

const QUERIES = ['the', 'parser', '数据', 'the parser', '"the parser"', 'src/x.ts cursor'];
const placesOf = ({ hits }: SearchResult): string[] => hits.map(({ thread, turnId, itemId, source, score }: SearchHit) => `${thread.thread.id} ${turnId} ${itemId} ${source} ${score.toFixed(9)}`);

/** Rows that a search takes from the database, but for the list of threads; the text of items among them. */
function rowsTaken({ store, home }: Searched, text: string): { readonly rows: number; readonly texts: number } {
  const counts = { rows: 0, texts: 0 };
  const prepare = store.db.prepare.bind(store.db);
  const counted = <S extends Statement>(statement: S, sql: string): S => {
    const count = (rows: number): void => {
      counts.rows += rows;
      if (sql.includes('i.body')) counts.texts += rows;
    };
    const [get, all] = [statement.get.bind(statement), statement.all.bind(statement)];
    const get1: Statement['get'] = (...values) => { const row = get(...values); count(row === undefined ? 0 : 1); return row; };
    const all1: Statement['all'] = (...values) => { const rows = all(...values); count(sql.includes('FROM threads') ? 0 : rows.length); return rows; };
    return Object.assign(statement, { get: get1, all: all1 });
  };
  store.db.prepare = ((sql: string) => counted(prepare(sql), sql)) as typeof store.db.prepare;
  try {
    expect(createRowSearch(store, { homes: [home], nowMs: () => 0 }).search({ text }).hits).toHaveLength(25);
  } finally {
    store.db.prepare = prepare;
  }
  return counts;
}

describe('[R-STO-6] the first page where the index names too much', () => {
  let few: Searched;
  let many: Searched;
  beforeAll(async () => { [few, many] = [await searched(manyThreads(FEW)), await searched(manyThreads(2 * FEW))]; }, 120_000);
  afterAll(async () => { for (const { store } of [few, many]) await store.close(); });

  it.each(QUERIES)('%s: is that of all there is in the threads that were looked through, the newest ones', (text) => {
    for (const hasToolOutput of [false, true]) {
      const page = many.rows.search({ text, hasToolOutput });
      expect(page.incomplete).toMatchObject({ isOverBudget: true });
      const looked = many.rows.search({ text, hasToolOutput, limit: 500 });
      const oldest = Math.min(...numbersOf(looked));
      const exhaustive = many.rows.search({ text, hasToolOutput, sinceMs: timeOf(oldest), budgetTexts: 100_000 });
      expect(exhaustive.incomplete).toBeNull();
      expect(page.matches).toBe(exhaustive.matches);
      expect(placesOf(page)).toEqual(placesOf(exhaustive));
      expect(oldest).toBeGreaterThan(FEW);
    }
  });

  it('is cut short by the clock, too, while the index is asked', () => {
    let now = 0;
    const rows = createRowSearch(many.store, { homes: [many.home], nowMs: () => (now += 2_000) });
    expect(rows.search({ text: 'the' })).toEqual({ hits: [], matches: 0, incomplete: { isUnknown: false, threads: 0, waitingTexts: 0, cutTexts: 0, isOverBudget: true } });
  });

  it.each(QUERIES)('%s: takes no more rows from twice as many threads', (text) => {
    const taken = rowsTaken(many, text);
    expect(taken.texts).toBe(rowsTaken(few, text).texts);
    expect(taken.texts).toBeGreaterThan(25);
    expect(taken.texts).toBeLessThanOrEqual(500);
    // What the index names at once at most, of some threads at a time, and the rows that are looked at.
    expect(taken.rows).toBeLessThanOrEqual(3_000);
  });
});
