import { type Ledger, ledgerAddsUp } from '@tapefold/facts';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileSource } from '../file-source.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tapefold-claude-corpus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A home whose project folders are links to folders of session files, which are so read in place. */
function homeOver(name: string, folders: readonly string[]): string {
  const home = join(folder, name);
  mkdirSync(join(home, 'projects'), { recursive: true });
  for (const [i, target] of folders.entries()) symlinkSync(target, join(home, 'projects', `-${i}`));
  return home;
}

/** Folders named `projects` below a recorded corpus: one for each scenario. */
const recordedFolders = (path: string): string[] => (existsSync(path) ? readdirSync(path).map((scenario) => join(path, scenario, 'home/projects')) : []);
const lineFiles = (path: string): number => readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl') && !name.includes('golden')).length;

const corpora: readonly (readonly [name: string, path: string, folders: readonly string[]])[] = [
  ['fixtures/claude/handmade', join(root, 'fixtures/claude/handmade'), [join(root, 'fixtures/claude/handmade')]],
  ['fixtures/claude/recorded', join(root, 'fixtures/claude/recorded'), recordedFolders(join(root, 'fixtures/claude/recorded/2.1.197'))],
  ['shared/corpus/claude/handmade', join(root, '../shared/corpus/claude/handmade'), [join(root, '../shared/corpus/claude/handmade')]],
  ['shared/corpus/claude/recorded', join(root, '../shared/corpus/claude/recorded'), recordedFolders(join(root, '../shared/corpus/claude/recorded/2.1.197'))],
  ['shared/corpus/real/claude', join(root, '../shared/corpus/real/claude'), [join(root, '../shared/corpus/real/claude')]],
];

describe.each(corpora)('%s', (name, path, folders) => {
  it.skipIf(!existsSync(path))('[R-DIA-3] [R-TAPE-2] every file opens through the source, and its ledger adds up (skipped where the corpus is not there)', async () => {
    const home = homeOver(name.replaceAll('/', '-'), folders);
    const source = createFileSource([{ program: 'claude', path: home }]);
    const ledgers: Ledger[] = [];
    const ids = new Set<string>();
    for await (const { ledger, threadId, problem } of source.report()) {
      expect(problem).toBeUndefined();
      expect(ledgerAddsUp(ledger)).toBe(true);
      ledgers.push(ledger);
      ids.add(threadId ?? '');
    }
    expect(ledgers).toHaveLength(lineFiles(path));
    expect(ids.size).toBe(ledgers.length);
    for (const id of ids) {
      const { thread, program } = await source.read(id);
      expect([thread.id, program]).toEqual([id, 'claude']);
    }
  }, 60_000);

  it.skipIf(!existsSync(path))('[R-TAPE-6] every listed thread tells in a list what reading it whole tells, where the list says it', async () => {
    const source = createFileSource([{ program: 'claude', path: homeOver(`${name.replaceAll('/', '-')}-list`, folders) }]);
    const { rows, problems } = await source.list({ hasSubAgents: true });
    expect(problems).toEqual([]);
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows) {
      const { thread: { turns, ...whole } } = await source.read(row.thread.id);
      const last = turns.at(-1);
      const told = [row.turnCount ?? turns.length, row.lastTurn ?? 'unsaid'];
      expect(told, row.path).toEqual([turns.length, row.lastTurn === undefined ? 'unsaid' : last?.status ?? 'empty']);
      // A summary in the middle of a large file, which names a line in its middle, is not looked at.
      const name = row.turnCount === undefined ? row.thread.name ?? whole.name : row.thread.name;
      expect({ ...row.thread, name, turns: null }, row.path).toEqual({ ...whole, turns: null });
    }
  }, 60_000);
});
