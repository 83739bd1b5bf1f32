import { recordedHomes } from '@tapefold/testing';
import { type Turn, settleThread } from '@tapefold/threads';
import { describe, expect, it } from 'vitest';
import { readCatalog } from './catalog.js';
import { openThread, readingOf } from '../read-thread.js';
import type { NewestQuery, ShelfThread } from '../shelf.js';
import { CodexShelf } from './codex-shelf.js';

/** Ids that need counting from the start are provisional in a page, so they compare as one. */
function comparable(turns: readonly Turn[]): unknown {
  return turns.map((turn) => ({
    ...turn, id: turn.id.replace(/^~?rollout.*$/, 'counted'), items: turn.items.map((item) => ({ ...item, id: item.id.replace(/^(?:~item.*|item-\d+)$/, 'counted') })),
  }));
}

/** All turns of a thread by pages from the newest on; undefined where a page was given up. */
function byPages(thread: ShelfThread, turns: number, view: 'full' | 'summary' = 'full'): Turn[] | undefined {
  const all: Turn[] = [];
  let newer: NewestQuery['newer'];
  for (let before: NewestQuery['before']; ;) {
    const page = thread.openNewest({ turns, budgetBytes: 16 * 1024 * 1024, wholeBytes: 0, before, newer, isSummary: view === 'summary' });
    if (!page) return undefined;
    all.unshift(...settleThread(page.head, page.rows, { readPiece: page.readPiece, view }));
    if (!page.older) return all;
    before = page.older;
    newer = page;
  }
}

describe('the newest turns from the end of a file', () => {
  it('[R-STO-3] page after page they are the turns of the whole thread, or the page is given up', async () => {
    let chains = 0;
    let givenUp = 0;
    for (const { home, name } of recordedHomes()) {
      const shelf = new CodexShelf(await readCatalog([{ program: 'codex', path: home }]));
      for (const thread of shelf.threads()) {
        const opened = await openThread(thread, {});
        const whole = comparable(readingOf(opened).thread.turns);
        const summaries = comparable(settleThread(opened.head, opened.rows, { readPiece: opened.readPiece, view: 'summary' }));
        for (const size of [1, 2, 5]) {
          const paged = byPages(thread, size);
          chains += 1;
          if (paged) expect(comparable(paged), `${name} ${thread.threadId} by ${size}`).toEqual(whole);
          else givenUp += 1;
          const summed = byPages(thread, size, 'summary');
          expect(summed === undefined).toBe(paged === undefined);
          if (summed) expect(comparable(summed), `summaries of ${name} ${thread.threadId} by ${size}`).toEqual(summaries);
        }
      }
    }
    expect(chains).toBeGreaterThan(700);
    expect(givenUp).toBeLessThan(chains / 20);
  }, 60_000);

  it('[R-STO-3] reads no more than the budget, the head of the file and what late records need', async () => {
    const home = recordedHomes().find(({ name }) => name === 'recorded/0.171/big-300-turns')!;
    const reads: number[] = [];
    const shelf = new CodexShelf(await readCatalog([{ program: 'codex', path: home.home }]), { onRead: (bytes) => void reads.push(bytes) });
    const [thread] = shelf.threads();
    reads.length = 0;
    const page = thread!.openNewest({ turns: 5, budgetBytes: 1024 * 1024, wholeBytes: 0, onRead: (bytes) => void reads.push(bytes) });
    expect(settleThread(page!.head, page!.rows)).toHaveLength(5);
    expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * 1024 * 1024);
  });

  it('[R-STO-5] a rollback that reaches out of the window gives the page up', async () => {
    const home = recordedHomes().find(({ name }) => name === 'handmade/4-rollback')!;
    const shelf = new CodexShelf(await readCatalog([{ program: 'codex', path: home.home }]));
    const thread = shelf.matching('01990000-0000-7000-8000-000000000006', 'names')[0]!.open();
    expect(thread.openNewest({ turns: 1, budgetBytes: 1024 * 1024, wholeBytes: 0 })).toBeDefined();
    expect(thread.openNewest({ turns: 2, budgetBytes: 1024 * 1024, wholeBytes: 0 })).toBeUndefined();
  });
});
