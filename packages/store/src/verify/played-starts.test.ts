import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, index, newStore, put, verified } from '../indexing/grown-home.suite.js';
import type { HomeRef } from '../thread-source.js';

/** A session of about 14 MB. */
function largeHome(): HomeRef {
  const home: HomeRef = { program: 'codex', path: folder() };
  const id = '01990000-0000-7000-8000-0000000000ab';
  const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })}\n`;
  const lines = Array.from({ length: 140 }, (_, i) => line('event_msg', { type: 'agent_message', message: `${i} ${'word '.repeat(20_000)}` }));
  const text = line('session_meta', { id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' }) + line('event_msg', { type: 'user_message', message: 'words' }) + lines.join('');
  put(join(home.path, `sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`), text, Date.UTC(2026, 0, 1));
  return home;
}

describe('[R-STO-2] verify demands places to play from', () => {
  it('at the distances at which the indexer writes them, each of them', async () => {
    const store = await newStore();
    const home = largeHome();
    await index(store, [home]);
    expect((await verified(store, [home])).wrong).toEqual([]);
    const starts = store.db.prepare<[], { id: number; byte: number }>('SELECT id, byte FROM starts ORDER BY id').all();
    expect(starts.length).toBeGreaterThan(3);
    for (const [i, { id }] of starts.entries()) {
      store.db.exec('BEGIN');
      store.db.prepare('DELETE FROM starts WHERE id = ?').run(id);
      const named = i === 0 ? 'the place to play from at the beginning of file 1 is missing in the index' : `a place to play from is missing in the index, behind byte ${starts[i - 1]?.byte ?? 0} of file 1`;
      expect((await verified(store, [home])).wrong, `${i}`).toMatchObject([{ state: 'differs', difference: named }]);
      store.db.exec('ROLLBACK');
    }
    await store.close();
  }, 120_000);
});
