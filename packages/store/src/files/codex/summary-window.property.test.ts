import { type Turn, settleThread } from '@tapefold/threads';
import { codexFiles, eventRecord, legacyRecords, metaRecord } from '@tapefold/testing';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCatalog } from './catalog.js';
import { CodexShelf } from './codex-shelf.js';

const home = mkdtempSync(join(tmpdir(), 'tapefold-summary-'));
const folder = join(home, 'sessions/2026/01/02');
const id = '01990000-0000-7000-8000-00000000000a';
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(home, { recursive: true }));

const begun = (turn: number): unknown => eventRecord('task_started', { turn_id: `begun-${turn}` });
const text = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
/** A legacy file of turns with anything in them, in the last of which even damage and files of other kinds may stand. */
const files = fc.tuple(fc.array(legacyRecords, { minLength: 2, maxLength: 5 }), fc.option(codexFiles, { nil: new Uint8Array() })).map(([turns, rest]) =>
  Buffer.concat([Buffer.from(text([metaRecord({ id }), ...turns.flatMap((records, i) => [begun(i), ...records])])), rest]));

async function newest(bytes: Uint8Array, isSummary: boolean, turns: number): Promise<Turn[] | undefined> {
  writeFileSync(join(folder, `rollout-2026-01-02T03-04-05-${id}.jsonl`), bytes);
  const shelf = new CodexShelf(await readCatalog([{ program: 'codex', path: home }]));
  const page = shelf.threads()[0]?.openNewest({ turns, budgetBytes: 1024 * 1024, wholeBytes: 0, isSummary });
  return page && settleThread(page.head, page.rows, { view: 'summary', readPiece: page.readPiece });
}

describe('a page for summaries', () => {
  it('[R-STO-3] shows of each turn what a page of whole turns shows of it, whatever stands in the file', async () => {
    let pages = 0;
    await fc.assert(fc.asyncProperty(files, fc.integer({ min: 1, max: 3 }), async (bytes, turns) => {
      const whole = await newest(bytes, false, turns);
      expect(await newest(bytes, true, turns)).toEqual(whole);
      if (whole?.some(({ items }) => items.length > 0)) pages += 1;
    }));
    expect(pages).toBeGreaterThan(10);
  });
});
