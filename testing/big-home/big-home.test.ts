import { createCodexPlayer } from '@tapefold/dialects';
import { createFileSource } from '@tapefold/store';
import { playTape } from '@tapefold/tapes';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeBigThread, writeManyThreads } from './big-home.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tapefold-big-home-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['legacy', 'paginated'] as const)('a generated %s thread', (mode) => {
  it('has the same bytes for the same arguments, others for another seed', () => {
    const [one, same, other] = [1, 1, 2].map((seed, i) => readFileSync(writeBigThread(join(folder, `${mode}-${i}`), { mode, bytes: 400_000, seed }).path));
    expect(same?.equals(one as Buffer)).toBe(true);
    expect(other?.equals(one as Buffer)).toBe(false);
  });

  it('holds nothing that the player does not know, and as many turns and bytes as asked for', async () => {
    const written = writeBigThread(join(folder, `${mode}-played`), { mode, bytes: 2_000_000 });
    const { ledger } = await playTape(written.path, createCodexPlayer({ tape: 'codex/test' }));
    expect(ledger).toMatchObject({ linesTotal: written.lines, linesPlayed: written.lines, bytesTotal: written.bytes });
    expect(written.bytes).toBeGreaterThan(1_500_000);
    expect(written.bytes).toBeLessThan(2_500_000);
    const { thread } = await createFileSource([{ program: 'codex', path: join(folder, `${mode}-played`) }]).read('last');
    expect(thread.turns).toHaveLength(written.turns);
  });
});

describe('a generated home of many threads', () => {
  it('lists every one, archived ones and sub-agents too', async () => {
    const home = join(folder, 'many');
    const written = writeManyThreads(home, { threads: 30 });
    const { rows, problems } = await createFileSource([{ program: 'codex', path: home }]).list({ archived: 'too', hasSubAgents: true });
    expect(problems).toEqual([]);
    expect(rows).toHaveLength(30);
    expect(rows.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(written.bytes);
    expect(readdirSync(home)).toContain('session_index.jsonl');
  });
});
