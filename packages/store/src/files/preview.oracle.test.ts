import { recordedHomes } from '@tapefold/testing';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCatalog } from './codex/catalog.js';
import { CodexShelf } from './codex/codex-shelf.js';
import { previewOfOpened, scanPreview } from './preview.js';
import { openThread } from './read-thread.js';

/** What both ways show; how a preview ended may differ where a budget did. */
async function previews(home: string): Promise<{ scanned: unknown; whole: unknown }[]> {
  const shelf = new CodexShelf(await readCatalog([{ program: 'codex', path: home }]));
  return Promise.all(shelf.threads().map(async (thread) => ({ scanned: scanPreview(thread), whole: previewOfOpened(await openThread(thread, {})) })));
}

const time = '2026-01-02T03:04:05.000Z';
const id = '01990000-0000-7000-8000-000000000001';
const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: time, type, payload })}\n`;
const event = (type: string, payload: object = {}): string => line('event_msg', { type, ...payload });

/** Pieces of a legacy history: turns, messages between turns, late records, rollbacks, aborts. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat(3), fc.constantFrom('one line', 'two\nlines', '', '   ')).map(([n, text]) => event('task_started', { turn_id: `t${n}` }) + event('user_message', { message: `ask ${n}` }) + event('agent_message', { message: text }) + event('task_complete', { turn_id: `t${n}` })) },
  { weight: 2, arbitrary: fc.nat(3).map((n) => event('task_started', { turn_id: `t${n}` }) + event('user_message', { message: `open ${n}` })) },
  { weight: 2, arbitrary: fc.nat(4).map((n) => event('thread_rolled_back', { num_turns: n })) },
  { weight: 1, arbitrary: fc.nat(3).map((n) => event('turn_aborted', { turn_id: `t${n}`, reason: 'interrupted' })) },
  { weight: 1, arbitrary: fc.constant(event('user_message', { message: 'between' }) + event('agent_message', { message: 'between, too' })) },
  { weight: 1, arbitrary: fc.nat(3).map((n) => event('patch_apply_end', { call_id: `c${n}`, turn_id: `t${n}`, stdout: '', stderr: '', success: true, status: 'completed', changes: {} })) },
);

describe('the preview by a scan from the end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-preview-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[R-STO-5] equals the whole thread\'s wherever it is not given up, for every recorded thread', async () => {
    const all = (await Promise.all(recordedHomes().map(({ home }) => previews(home)))).flat();
    const scanned = all.filter((each) => each.scanned !== undefined);
    for (const each of scanned) expect(each.scanned).toEqual(each.whole);
    expect(scanned.length).toBeGreaterThan(150);
  }, 60_000);

  it('[R-STO-5] equals the whole thread\'s wherever it is not given up, for any history with rollbacks', async () => {
    let kept = 0;
    await fc.assert(fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 14 }), fc.uuid(), async (pieces, name) => {
      const home = join(folder, name);
      mkdirSync(join(home, 'sessions/2026/01/02'), { recursive: true });
      const meta = line('session_meta', { id, timestamp: time, cwd: '/w', originator: 'o', cli_version: '1', source: 'cli' });
      writeFileSync(join(home, `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`), meta + pieces.join(''));
      const [preview] = await previews(home);
      rmSync(home, { recursive: true });
      if (preview?.scanned === undefined) return;
      kept += 1;
      expect(preview.scanned).toEqual(preview.whole);
    }));
    expect(kept).toBeGreaterThan(10);
  }, 60_000);
});
