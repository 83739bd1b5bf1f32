import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder, writeHome } from '../tape-bytes.suite.js';
import { watchHome } from './home-watch.js';
import { base64, otherProcess } from './other-process.suite.js';
import { type TreeChange, TreeWatch } from './tree-watch.js';

const folder = temporaryFolder();
const open: (() => Promise<void>)[] = [];
afterEach(async () => { for (const close of open.splice(0)) await close(); });

/** Takes all that a watch tells, as `kind path` below `home`. */
function told(watch: TreeWatch, home: string): { all: string[]; until: (...wanted: string[]) => Promise<void>; close: () => Promise<void> } {
  const all: string[] = [];
  const take = (batch: readonly TreeChange[]): void => void all.push(...batch.map(({ kind, path }) => `${kind} ${path.slice(home.length + 1)}`));
  const done = (async () => { for await (const batch of watch.changes()) take(batch); })();
  const close = async (): Promise<void> => { watch.close(); await done; };
  open.push(close);
  const until = async (...wanted: string[]): Promise<void> => {
    for (const start = Date.now(); !wanted.every((each) => all.includes(each)); await setTimeout(2)) if (Date.now() - start > 10_000) throw new Error(`did not come: ${wanted.filter((each) => !all.includes(each)).join()} in ${all.join()}`);
  };
  return { all, until, close };
}

const rollout = (day: string, n: number): string => `sessions/2026/01/${day}/rollout-2026-01-${day}T10-00-00-01990000-0000-7000-8000-00000000000${n}.jsonl`;

describe('a watched home', () => {
  it('[R-TAPE-4] tells files that are written to, that come and that go, also in folders that come', async () => {
    const home = writeHome(folder, { [rollout('02', 1)]: '{}\n' });
    const { all, until } = told(watchHome('codex', home), home);
    const other = otherProcess();
    await other({ do: 'append', path: join(home, rollout('02', 1)), base64: base64('{}\n') });
    await until(`file ${rollout('02', 1)}`);
    await other({ do: 'makeFolder', path: join(home, 'sessions/2026/01/03') }, { do: 'write', path: join(home, rollout('03', 2)), base64: base64('{}\n') }, { do: 'write', path: join(home, rollout('03', 3)), base64: base64('{}\n') });
    await until(`file ${rollout('03', 2)}`, `file ${rollout('03', 3)}`);
    all.length = 0;
    await other({ do: 'append', path: join(home, rollout('03', 3)), base64: base64('{}\n') });
    await until(`file ${rollout('03', 3)}`);
    await other({ do: 'makeFolder', path: join(home, 'archived_sessions') }, { do: 'rename', path: join(home, rollout('03', 3)), to: join(home, 'archived_sessions/a.jsonl') }, { do: 'remove', path: join(home, 'sessions/2026/01/02') });
    await until(`gone ${rollout('03', 3)}`, 'file archived_sessions/a.jsonl', 'gone sessions/2026/01/02');
    await other({ do: 'write', path: join(home, 'session_index.jsonl'), base64: base64('{}\n') }, { do: 'write', path: join(home, 'state_5.sqlite-wal'), base64: base64('x') });
    await until('file session_index.jsonl');
    await setTimeout(50);
    expect(all.filter((change) => change.includes('sqlite'))).toEqual([]);
  });

  it('[R-TAPE-4] a home that does not exist yet, and one that is replaced', async () => {
    const home = join(folder, 'later/home');
    const { all, until } = told(watchHome('claude', home), home);
    mkdirSync(join(home, 'projects/-w/5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508/tool-results'), { recursive: true });
    writeFileSync(join(home, 'projects/-w/a.jsonl'), '{}\n');
    await until('file projects/-w/a.jsonl');
    writeFileSync(join(home, 'projects/-w/5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508/tool-results/x.txt'), 'x');
    mkdirSync(join(home, 'projects/-w/5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508/subagents'));
    writeFileSync(join(home, 'projects/-w/5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508/subagents/agent-a.jsonl'), '{}\n');
    await until('file projects/-w/5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508/subagents/agent-a.jsonl');
    expect(all.join()).not.toContain('x.txt');
    renameSync(home, `${home}.old`);
    mkdirSync(join(home, 'projects/-w'), { recursive: true });
    writeFileSync(join(home, 'projects/-w/b.jsonl'), '{}\n');
    await until('gone projects', 'file projects/-w/b.jsonl');
    all.length = 0;
    appendFileSync(join(home, 'projects/-w/b.jsonl'), '{}\n');
    await until('file projects/-w/b.jsonl');
  });

  it('[R-TAPE-4] watches no more folders than it may, the newest first, and looks at the others from time to time', async () => {
    const days = Array.from({ length: 9 }, (_, i) => `0${i + 1}`);
    const home = writeHome(folder, Object.fromEntries(days.map((day) => [rollout(day, 1), '{}\n'])));
    const watch = watchHome('codex', home, { folders: 7, lookMs: 40 });
    const { all, until } = told(watch, home);
    expect(watch.watchedFolders).toBe(7);
    appendFileSync(join(home, rollout('09', 1)), '{}\n');
    await until(`file ${rollout('09', 1)}`);
    appendFileSync(join(home, rollout('01', 1)), '{}\n');
    await until('folder sessions/2026/01/01');
    // The day that has no watch from now on is looked through as well.
    expect(all.filter((change) => change.startsWith('folder')).sort()).toEqual(['folder sessions/2026/01/01', 'folder sessions/2026/01/07']);
    mkdirSync(join(home, 'sessions/2026/01/01/more'));
    writeFileSync(join(home, 'sessions/2026/01/01/more/a.jsonl'), '{}\n');
    await until('file sessions/2026/01/01/more/a.jsonl');
  });

  it('[R-TAPE-4] a folder that comes is watched at once also where there are as many as there may be: the one without news for the longest time is looked at instead', async () => {
    const home = writeHome(folder, Object.fromEntries(['01', '02', '03'].map((day) => [rollout(day, 1), '{}\n'])));
    const watch = watchHome('codex', home, { folders: 7, lookMs: 600_000 });
    const { all, until } = told(watch, home);
    mkdirSync(join(home, 'sessions/2026/01/04'));
    await until('folder sessions/2026/01/01');
    expect(watch.watchedFolders).toBe(7);
    writeFileSync(join(home, rollout('04', 1)), '{}\n');
    await until(`file ${rollout('04', 1)}`);
    all.length = 0;
    appendFileSync(join(home, rollout('04', 1)), '{}\n');
    appendFileSync(join(home, rollout('03', 1)), '{}\n');
    await until(`file ${rollout('04', 1)}`, `file ${rollout('03', 1)}`);
  });

  it('[R-TAPE-4] a folder without a watch in which something was found is watched from then on', async () => {
    const home = writeHome(folder, Object.fromEntries(['01', '02', '03'].map((day) => [rollout(day, 1), '{}\n'])));
    const { all, until } = told(watchHome('codex', home, { folders: 6, lookMs: 40 }), home);
    appendFileSync(join(home, rollout('01', 1)), '{}\n');
    await until('folder sessions/2026/01/01', 'folder sessions/2026/01/02');
    all.length = 0;
    appendFileSync(join(home, rollout('01', 1)), '{}\n');
    await until(`file ${rollout('01', 1)}`);
  });

  it('[R-TAPE-4] more changes than it keeps count of are told as a whole, and nothing is lost by it', async () => {
    const home = writeHome(folder, { 'sessions/a.jsonl': '' });
    const watch = watchHome('codex', home, { waiting: 10 });
    for (let n = 0; n < 60; n++) writeFileSync(join(home, `sessions/${n}.jsonl`), '{}\n');
    mkdirSync(join(home, 'sessions/later'));
    await setTimeout(50);
    const { all, until } = told(watch, home);
    await until('folder sessions');
    expect(all.length).toBeLessThan(20);
    writeFileSync(join(home, 'sessions/later/b.jsonl'), '{}\n');
    await until('file sessions/later/b.jsonl');
  });

  it('[R-TAPE-4] a folder that links lead to in a circle is watched once, and the watch ends when it is closed', async () => {
    const home = writeHome(folder, { 'sessions/in/a.jsonl': '' });
    symlinkSync(join(home, 'sessions'), join(home, 'sessions/in/circle'));
    const watch = watchHome('kimi', home);
    expect(watch.watchedFolders).toBe(3);
    const { all, until, close } = told(watch, home);
    appendFileSync(join(home, 'sessions/in/a.jsonl'), 'x');
    await until('file sessions/in/a.jsonl');
    await close();
    expect(watch.watchedFolders).toBe(0);
    const before = all.length;
    appendFileSync(join(home, 'sessions/in/a.jsonl'), 'x');
    await setTimeout(30);
    expect(all).toHaveLength(before);
    expect(readFileSync(join(home, 'sessions/in/a.jsonl'), 'utf8')).toBe('xx');
    rmSync(home, { recursive: true });
  });
});
