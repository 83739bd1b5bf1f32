import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { everyHome, folder, newStore, picker, put, verified } from '../indexing/grown-home.suite.js';
import type { HomeRef } from '../thread-source.js';

const program = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** A process that indexes homes with a commit after every few lines. */
function indexer(path: string, homes: readonly HomeRef[]): ReturnType<typeof spawn> {
  const order = { path, homes, isWatching: false, isFresh: false, steps: { commitBytes: 1, chunkBytes: 2_000 } };
  const script = `import(${JSON.stringify(program)}).then(({ startIndexing }) => startIndexing(${JSON.stringify(order)}, { onProgress: () => process.stdout.write('.') }).done).then((result) => process.exit(result ? 0 : 7), (error) => { console.error(error); process.exit(1); });`;
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A home with some sessions of one recorded home of each agent, whose files are appended to between the kills. */
function homesToKill(): { readonly homes: readonly HomeRef[]; readonly grow: (n: number) => void } {
  const names = ['handmade/12-paginated', 'handmade/4-rollback', 'claude/handmade'];
  const homes = everyHome().filter(({ name }) => names.includes(name)).map(({ home: { program: agent, path } }): HomeRef => {
    const copy = folder();
    cpSync(path, copy, { recursive: true });
    return { program: agent, path: copy };
  });
  const time = '2026-01-01T00:00:00.000Z';
  const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: time, type, payload })}\n`;
  const id = '01990000-0000-7000-8000-0000000000aa';
  let text = line('session_meta', { id, timestamp: time, cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' });
  const grow = (n: number): void => {
    for (let i = 0; i < 40; i++) text += line('event_msg', { type: 'user_message', message: `${n}.${i}` }) + line('event_msg', { type: 'agent_message', message: `re: ${n}.${i}` });
    put(join(homes[0]?.path ?? '', `sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`), text, Date.UTC(2026, 0, 1) + n * 1_000);
  };
  return { homes, grow };
}

/**
 * Kills an indexing process again and again, each time at another moment, and looks at what it left: rows of every thread that has some are those of its files up
 * to the checkpoint. Answers how many kills met a process at work.
 */
export async function killed(times: number, seed: number): Promise<{ readonly midway: number; readonly wrong: readonly unknown[] }> {
  const random = picker(seed);
  const { homes, grow } = homesToKill();
  const path = join(folder(), 'index.db');
  let midway = 0;
  const wrong: unknown[] = [];
  for (let n = 0; n < times; n++) {
    grow(n);
    const child = indexer(path, homes);
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
    const timer = setTimeout(() => child.kill('SIGKILL'), random.pick(400));
    const [, signal] = (await ended) as [number | null, string | null];
    clearTimeout(timer);
    if (signal === 'SIGKILL') midway += 1;
    const store = await newStore({}, path);
    for (const home of homes) wrong.push(...(await verified(store, [home])).wrong.filter(({ state }) => state === 'differs'));
    if (store.db.pragma('integrity_check', { simple: true }) !== 'ok') wrong.push('the database is broken');
    await store.release();
    await store.close();
    if (wrong.length > 0) break;
  }
  const child = indexer(path, homes);
  const [code] = (await once(child, 'exit')) as [number | null];
  const store = await newStore({}, path);
  wrong.push(...(code === 0 ? [] : [`the last run ended with ${code}`]));
  for (const home of homes) wrong.push(...(await verified(store, [home])).wrong);
  await store.close();
  return { midway, wrong };
}

