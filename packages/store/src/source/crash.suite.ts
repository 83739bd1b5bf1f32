import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GrowingHome, everyHome, folder, newStore, picker, put, verified } from '../indexing/grown-home.suite.js';
import type { HomeRef } from '../thread-source.js';

/** So many forks the written thread comes to have. */
const FORKS = 3;
const program = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** A process that indexes homes with a commit after every few lines. */
function indexer(path: string, homes: readonly HomeRef[]): ReturnType<typeof spawn> {
  const order = { path, homes, isWatching: false, isFresh: false, steps: { commitBytes: 1, chunkBytes: 2_000 } };
  const script = `import(${JSON.stringify(program)}).then(({ startIndexing }) => startIndexing(${JSON.stringify(order)}, { onProgress: () => process.stdout.write('.') }).done).then((result) => process.exit(result ? 0 : 7), (error) => { console.error(error); process.exit(1); });`;
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

type Picker = ReturnType<typeof picker>;

const time = '2026-01-01T00:00:00.000Z';
const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: time, type, payload })}\n`;
const idOf = (n: number): string => `01990000-0000-7000-8000-0000000000${String(10 + n)}`;

/** A thread of Codex that is written between the kills, and forks of it at cuts anywhere. */
class WrittenThread {
  readonly #home: string;
  readonly #texts: string[] = [this.#meta(0)];

  constructor(home: string) {
    this.#home = home;
  }

  #meta(n: number, more: object = {}): string {
    return line('session_meta', { id: idOf(n), timestamp: time, cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli', ...more });
  }

  grow(n: number, random: Picker): void {
    const [base = ''] = this.#texts;
    // At the end of a line, not the first one's.
    const cut = base.indexOf('\n', random.pick(base.length)) + 1;
    if (n % 4 === 1 && this.#texts.length <= FORKS) this.#texts.push(this.#meta(this.#texts.length, { forked_from_id: idOf(0), history_base: { thread_id: idOf(0), end_byte_offset: cut } }));
    this.#texts.forEach((text, i) => {
      const turns = i === 0 ? 40 : 10;
      const said = Array.from({ length: turns }, (_, k) => line('event_msg', { type: 'user_message', message: `${i}.${n}.${k}` }) + line('event_msg', { type: 'agent_message', message: `re: ${i}.${n}.${k}` }));
      this.#texts[i] = text + said.join('');
      put(join(this.#home, `sessions/2026/01/01/rollout-2026-01-01T00-00-0${i}-${idOf(i)}.jsonl`), this.#texts[i] as string, Date.UTC(2026, 0, 1) + n * 1_000 + i);
    });
  }
}

/** A home of each agent, one of Codex with forks among them; sessions of Codex and of Kimi are appended to between the kills. */
function homesToKill(random: Picker): { readonly homes: readonly HomeRef[]; readonly grow: (n: number) => void } {
  const names = ['handmade/12-paginated', 'handmade/4-rollback', 'recorded/0.171/fork', 'claude/handmade', 'native/v1'];
  const copies = everyHome().filter(({ name }) => names.includes(name)).map(({ home: { program: agent, path } }): HomeRef => {
    const copy = folder();
    cpSync(path, copy, { recursive: true });
    return { program: agent, path: copy };
  });
  const kimi = everyHome().filter(({ name }) => ['kimi/handmade/home', 'kimi/recorded/2.1.0/subagent/home'].includes(name)).map(({ home }) => new GrowingHome(home));
  const written = new WrittenThread(copies[0]?.path ?? '');
  const grow = (n: number): void => {
    written.grow(n, random);
    for (const each of kimi) if (!each.isWhole) each.grow(random);
  };
  return { homes: [...copies, ...kimi.map(({ home }) => home)], grow };
}

/** Before a run was seen to its end. */
const FIRST_SPAN_MS = 400;
/** What a killed process leaves undone is added to what the next one does: so that its last steps are met as well, it is given more time after each kill, until one comes to its end. */
const LONGER = 1.1;

/** Starts an indexing process and kills it at some moment of the span after its first word. Answers how long it went on where it ended by itself before that. */
async function killedWithin(spanMs: number, { path, homes, random }: { readonly path: string; readonly homes: readonly HomeRef[]; readonly random: Picker }): Promise<number | undefined> {
  const child = indexer(path, homes);
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  const startedMs = performance.now();
  const timer = setTimeout(() => child.kill('SIGKILL'), random.pick(Math.max(1, Math.floor(spanMs))));
  const [, signal] = (await ended) as [number | null, string | null];
  clearTimeout(timer);
  return signal === 'SIGKILL' ? undefined : performance.now() - startedMs;
}

/** What is wrong with what a killed process left; threads that are not whole yet are right. */
async function wrongIn(path: string, homes: readonly HomeRef[]): Promise<unknown[]> {
  const store = await newStore({}, path);
  const wrong: unknown[] = [];
  for (const home of homes) wrong.push(...(await verified(store, [home])).wrong.filter(({ state }) => state === 'differs'));
  if (store.db.pragma('integrity_check', { simple: true }) !== 'ok') wrong.push('the database is broken');
  await store.release();
  await store.close();
  return wrong;
}

/** What is wrong when the next process was left in peace. */
async function wrongAtTheEnd(path: string, homes: readonly HomeRef[]): Promise<unknown[]> {
  const [code] = (await once(indexer(path, homes), 'exit')) as [number | null];
  const store = await newStore({}, path);
  const wrong: unknown[] = code === 0 ? [] : [`the last run ended with ${code}`];
  for (const home of homes) wrong.push(...(await verified(store, [home])).wrong);
  await store.release();
  await store.close();
  return wrong;
}

/**
 * Kills an indexing process again and again, each time at another moment, and looks at what it left: rows of every thread that has some are those of its files up
 * to the checkpoint. Answers how many kills met a process at work.
 */
export async function killed(times: number, seed: number): Promise<{ readonly midway: number; readonly wrong: readonly unknown[] }> {
  const random = picker(seed);
  const { homes, grow } = homesToKill(random);
  const path = join(folder(), 'index.db');
  let midway = 0;
  let spanMs = FIRST_SPAN_MS;
  for (let n = 0; n < times; n++) {
    grow(n);
    const wholeMs = await killedWithin(spanMs, { path, homes, random });
    if (wholeMs === undefined) midway += 1;
    spanMs = wholeMs ?? spanMs * LONGER;
    const wrong = await wrongIn(path, homes);
    if (wrong.length > 0) return { midway, wrong };
  }
  return { midway, wrong: await wrongAtTheEnd(path, homes) };
}
