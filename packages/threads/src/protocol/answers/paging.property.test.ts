import { type Fact, factKey } from '@tapefold/facts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { threadFacts } from '../../fold/facts.suite.js';
import { foldThread } from '../../fold/fold-thread.js';
import { type ThreadHead, emptyThreadHead } from '../../fold/thread-head.js';
import { ThreadRows } from '../../rows/thread-rows.js';
import { History } from './history.js';
import { itemsPage } from './items-page.js';
import { type Anchor, type SortDirection, keysetPage } from './keyset.js';
import { type PlaceOf, RecordIndex } from './record-index.js';
import { timelinePage } from './timeline-page.js';
import { turnsPage } from './turns-page.js';

type Mode = 'legacy' | 'paginated';
/** How many facts a record gives, one after the other and round again. */
const grouping = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
const cases = fc.record({ facts: threadFacts, sizes: grouping, historyMode: fc.constantFrom<Mode>('legacy', 'paginated'), size: fc.integer({ min: 1, max: 5 }) });

/** A thread that grows: facts are applied up to a length, and a history is built of the rows as they are. */
class GrowingThread {
  readonly #rows = new ThreadRows();
  readonly #facts: readonly Fact[];
  readonly #placeOf: PlaceOf;
  #head: ThreadHead = emptyThreadHead;
  #applied = 0;

  constructor(facts: readonly Fact[], sizes: readonly number[]) {
    this.#facts = facts;
    const records = new RecordIndex();
    for (let position = 0, i = 0; position < facts.length; i++) {
      records.add(position);
      position += sizes[i % sizes.length] ?? 1;
      if (sizes.every((size) => size === 0)) position += 1;
    }
    this.#placeOf = records.placeOf;
  }

  growTo(length: number): void {
    for (; this.#applied < Math.min(length, this.#facts.length); this.#applied++) {
      const folded = foldThread(this.#head, this.#facts[this.#applied] as Fact, this.#applied);
      this.#head = folded.head;
      this.#rows.apply(folded.changes);
    }
  }

  history(historyMode: Mode): History {
    return new History({ thread: { id: 'thread', historyMode }, head: this.#head, rows: this.#rows, placeOf: this.#placeOf });
  }
}

function historyOf(facts: readonly Fact[], sizes: readonly number[], historyMode: Mode): History {
  const thread = new GrowingThread(facts, sizes);
  thread.growTo(facts.length);
  return thread.history(historyMode);
}

interface Page<T> { readonly data: Iterable<T>; readonly nextCursor: string | null; readonly backwardsCursor: string | null }

/** All pages of a list, in order, and the cursor that turns round at each. */
async function chain<T>(page: (cursor: string | null) => Promise<Page<T>>): Promise<{ rows: T[]; pages: { rows: T[]; back: string | null }[] }> {
  const pages: { rows: T[]; back: string | null }[] = [];
  for (let cursor: string | null = null; ;) {
    const { data, nextCursor, backwardsCursor }: Page<T> = await page(cursor);
    pages.push({ rows: [...data], back: backwardsCursor });
    if (nextCursor === null) return { rows: pages.flatMap(({ rows }) => rows), pages };
    cursor = nextCursor;
    if (pages.length > 500) throw new Error('the chain does not end');
  }
}

describe('laws of paging', () => {
  it('[R-THR-5] turns: any page size, both ways, each once; a backward cursor gives its page\'s first row and what lies before', async () => {
    await fc.assert(fc.asyncProperty(cases, async ({ facts, sizes, historyMode, size }) => {
      const history = historyOf(facts, sizes, historyMode);
      const expected = history.turns.map((turn) => history.turnObject(turn, 'full'));
      const pages = (sortDirection: SortDirection) => (cursor: string | null) => turnsPage(history, { threadId: 'thread', cursor, limit: size, sortDirection, itemsView: 'full' });
      const forward = await chain(pages('asc'));
      expect(forward.rows).toEqual(expected);
      expect((await chain(pages('desc'))).rows).toEqual([...expected].reverse());
      let before = 0;
      for (const { rows, back } of forward.pages) {
        expect(back === null).toBe(rows.length === 0);
        if (back !== null) expect([...(await turnsPage(history, { threadId: 'thread', cursor: back, limit: 100, sortDirection: 'desc', itemsView: 'full' })).data]).toEqual(expected.slice(0, before + 1).reverse());
        before += rows.length;
      }
    }));
  });

  it('[R-THR-5] items: any page size, both ways, of all turns and of one, each once', async () => {
    await fc.assert(fc.asyncProperty(cases, async ({ facts, sizes, historyMode, size }) => {
      const history = historyOf(facts, sizes, historyMode);
      const all = [...(await itemsPage(history, { threadId: 'thread', limit: 100 })).data];
      expect(all.length).toBe(Math.min(history.items.length, 100));
      for (const turnId of [undefined, ...new Set(all.map((entry) => entry.turnId))]) {
        const expected = all.filter((entry) => turnId === undefined || entry.turnId === turnId);
        const pages = (sortDirection: SortDirection) => (cursor: string | null) => itemsPage(history, { threadId: 'thread', turnId, cursor, limit: size, sortDirection });
        const forward = await chain(pages('asc'));
        expect(forward.rows).toEqual(expected);
        expect((await chain(pages('desc'))).rows).toEqual([...expected].reverse());
      }
    }));
  });

  it('[R-RPC-4] timeline: pages from the newest on, each oldest first, are the timeline', async () => {
    await fc.assert(fc.asyncProperty(cases, async ({ facts, sizes, historyMode, size }) => {
      const history = historyOf(facts, sizes, historyMode);
      const { data: expected } = await timelinePage(history, { threadId: 'thread', limit: 100 });
      const found: unknown[] = [];
      for (let cursor: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof timelinePage>> = await timelinePage(history, { threadId: 'thread', cursor, limit: size });
        found.unshift(...page.data);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      expect(found.slice(-100)).toEqual(expected);
    }));
  });

  it('[R-THR-5] while a thread grows and is rolled back, a chain meets each row that stays exactly once, and none twice that stayed in its place', () => {
    fc.assert(fc.property(cases, fc.constantFrom<SortDirection>('asc', 'desc'), fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 6 }), ({ facts, sizes, size }, direction, steps) => {
      const thread = new GrowingThread(facts, sizes);
      let length = Math.floor(facts.length / 2);
      thread.growTo(length);
      const placesOf = (): Map<string, string> => new Map(thread.history('paginated').items.map(({ row, place }) => [row.key, JSON.stringify(place)]));
      const first = placesOf();
      const staying = new Map(first);
      const met = new Map<string, string[]>();
      for (let anchor: Anchor | undefined, i = 0; ;) {
        const page = keysetPage(thread.history('paginated').items, { anchor, direction, limit: size });
        for (const { row, place } of page.rows) met.set(row.key, [...(met.get(row.key) ?? []), JSON.stringify(place)]);
        if (!page.next) break;
        anchor = page.next;
        length += steps[i % steps.length] ?? 0;
        i += 1;
        thread.growTo(length);
        const now = placesOf();
        for (const [key, place] of staying) if (now.get(key) !== place) staying.delete(key);
      }
      for (const [key, places] of met) expect(new Set(places).size, key).toBe(places.length);
      for (const [key, place] of staying) expect(met.get(key)?.filter((each) => each === place), key).toHaveLength(1);
    }));
  });

  it('places are unique and stand in the order of records', () => {
    fc.assert(fc.property(threadFacts, grouping, (facts, sizes) => {
      const history = historyOf(facts, sizes, 'paginated');
      for (const rows of [history.turns, history.items]) {
        const places = rows.map(({ place }) => JSON.stringify(place));
        expect(new Set(places).size).toBe(places.length);
        const ordinals = rows.map(({ place }) => place.ordinal);
        expect(ordinals).toEqual([...ordinals].sort((a, b) => a - b));
      }
      expect(new Set(history.items.map(({ row }) => row.key)).size, factKey('a', 0)).toBe(history.items.length);
    }));
  });
});
