import { createNativePlayer } from '@tapefold/dialects';
import { openTape } from '@tapefold/tapes';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../errors.js';
import { folder, newStore } from '../indexing/grown-home.suite.js';
import { indexHomes } from '../indexing/indexer.js';
import type { AgentProgram, HomeRef } from '../thread-source.js';
import { failedAt } from './apart.js';
import { fileSourceOver } from './file-source.js';
import { type Known, nothingKnown, readShelves } from './shelves.js';

const samples = fileURLToPath(new URL('../../../../samples/', import.meta.url));

function homesOf(...programs: readonly AgentProgram[]): HomeRef[] {
  return programs.map((program) => {
    const path = join(folder(), program);
    cpSync(join(samples, program), path, { recursive: true });
    return { program, path };
  });
}

/** Looks that are kept, of which one does what nobody expected: as a bug in a shelf that one file brings out. */
class Trapped<V> extends Map<string, V> {
  trap: string | undefined;

  override get(key: string): V | undefined {
    if (this.trap !== undefined && key.includes(this.trap)) throw new TypeError('not expected');
    return super.get(key);
  }
}

/** What is known, with a trap in what each agent's shelf asks for. */
function trapped(): { readonly known: Known; readonly traps: Record<'codex' | 'claude' | 'kimi', Trapped<never>> } {
  const traps = { codex: new Trapped<never>(), claude: new Trapped<never>(), kimi: new Trapped<never>() };
  const known = nothingKnown();
  return { known: { ...known, codex: traps.codex, claude: { ...known.claude, looks: traps.claude }, kimi: { ...known.kimi, looks: traps.kimi } }, traps };
}

describe('what fails by itself', () => {
  it.each(['codex', 'claude', 'kimi'] as const)('[R-TAPE-6] a file of %s that cannot be looked at is named, and hides no others in lists and look-ups', async (program) => {
    const homes = homesOf('codex', 'claude', 'kimi');
    const { known, traps } = trapped();
    const source = fileSourceOver(homes, { known });
    const all = { hasSubAgents: true, archived: 'too' } as const;
    const before = (await source.list(all)).rows;
    const bad = before.find((row) => row.program === program && !row.isSubAgent);
    const shelves = await readShelves(homes, { known });
    const badFile = shelves.threads().find(({ threadId }) => threadId === bad?.thread.id)?.file;
    traps[program].trap = program === 'codex' ? badFile?.tape : badFile?.path;
    const { rows, problems } = await source.list(all);
    const named = problems.filter(({ reason }) => reason === 'failed (not expected)');
    expect(named).toHaveLength(1);
    expect(badFile?.path.startsWith(named[0]?.path ?? '?')).toBe(true);
    expect(rows.map(({ thread }) => thread.id)).not.toContain(bad?.thread.id);
    const left = new Set(rows.map(({ thread }) => thread.id));
    for (const { program: other, path, thread } of before) if (other !== program || !path.startsWith(named[0]?.path ?? '')) expect(left, path).toContain(thread.id);
    for (const id of left) expect((await source.summary(id)).thread.id).toBe(id);
  });

  it.each(['codex', 'claude', 'kimi'] as const)('[R-STO-2] a pass goes on with all others, and drops no rows of a thread of %s that failed', async (program) => {
    const homes = homesOf('codex', 'claude', 'kimi');
    const { known, traps } = trapped();
    const store = await newStore();
    const pass = async () => indexHomes({ store, homes, shelves: await readShelves(homes, { known }), nowMs: () => Date.now() });
    await pass();
    const before = await store.histories();
    const bad = (await readShelves(homes, { known })).threads(program).find(({ file }) => !file.isArchived)?.file;
    traps[program].trap = program === 'codex' ? bad?.tape : bad?.path;
    const failed = await pass();
    expect(failed).toMatchObject({ dropped: 0, built: 0, isComplete: true });
    expect(failed.problems.map(({ reason }) => reason)).toContain('failed (not expected)');
    expect(failed.kept).toBeGreaterThan(0);
    expect((await store.histories()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    traps[program].trap = undefined;
    expect(await pass()).toMatchObject({ built: 0, dropped: 0, problems: [] });
    await store.close();
  });

  it('[R-TAPE-6] of two homes of an agent one that cannot be looked through is named, and the other one is listed', async () => {
    const homes: HomeRef[] = [1, 2].map(() => ({ program: 'native', path: join(folder(), 'tapes') }));
    for (const { path } of homes) {
      const tape = await openTape({ home: path, createPlayer: createNativePlayer, agent: { name: 'a' } });
      tape.turn('one').end();
      await tape.close();
    }
    const known = nothingKnown();
    const headers = new Trapped<never>();
    headers.trap = homes[0]?.path;
    const { rows, problems } = await fileSourceOver(homes, { known: { ...known, native: { ...known.native, headers } } }).list({ hasSubAgents: true });
    expect(problems).toEqual([{ path: homes[0]?.path, reason: 'failed (not expected)' }]);
    expect(rows.length).toBeGreaterThan(0);
    for (const { path } of rows) expect(path).toContain(homes[1]?.path);
  });

  it('[R-STO-2] what is wrong with the index is no matter of a file', () => {
    expect(() => failedAt('/x', new StoreError('storeDamaged', { path: '/index' }))).toThrow(/is damaged/);
    expect(() => failedAt('/x', Object.assign(new Error('disk I/O error'), { name: 'SqliteError' }))).toThrow('disk I/O');
    expect(failedAt('/x', new TypeError('y'))).toEqual({ path: '/x', reason: 'failed (y)' });
  });
});

describe('a home that is away', () => {
  it('[R-TAPE-6] is an error at first, and named when it was there before', async () => {
    const homes = homesOf('codex', 'claude');
    const away: HomeRef = { program: 'kimi', path: join(folder(), 'away') };
    await expect(fileSourceOver([...homes, away], {}).list()).rejects.toMatchObject({ code: 'homeNotFound' });
    const { rows, problems } = await fileSourceOver([...homes, away], { wereFound: true }).list();
    expect(rows.length).toBeGreaterThan(0);
    expect(problems).toContainEqual({ path: away.path, reason: 'is not there now' });
  });
});
