import { cpSync, mkdtempSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RpcAnswer } from './rpc-client.js';

const root = fileURLToPath(new URL('../../fixtures/codex/', import.meta.url));

/** A request as it was written, and what the real program answered; undefined where it gave no answer. */
export interface Probe {
  readonly index: number;
  readonly line: string;
  readonly method: string | undefined;
  readonly answer: RpcAnswer | undefined;
}

interface Recorded { readonly send: string; readonly recv: RpcAnswer & { readonly NO_ANSWER?: true } }

function methodOf(line: string): string | undefined {
  try {
    const message = JSON.parse(line) as { method?: string };
    return message.method;
  } catch {
    return undefined;
  }
}

/** The requests of one file of `fixtures/codex/probes`. */
export function recordedProbes(file: string): Probe[] {
  const all = JSON.parse(readFileSync(join(root, 'probes', `${file}.json`), 'utf8')) as Recorded[];
  return all.map(({ send, recv }, index) => ({ index, line: send, method: methodOf(send), answer: recv.NO_ANSWER ? undefined : recv }));
}

interface ShownThread { readonly path: string; readonly createdAt: number; readonly updatedAt: number }

const isThread = (value: object): value is ShownThread => 'path' in value && typeof value.path === 'string' && 'createdAt' in value && 'updatedAt' in value;

function* threadsIn(value: unknown): Generator<ShownThread> {
  if (typeof value !== 'object' || value === null) return;
  if (isThread(value)) yield value;
  else for (const inner of Object.values(value)) yield* threadsIn(inner);
}

/** A copy of a recorded home, to be removed by the caller. */
export function copyOfHome(name: string): string {
  const home = mkdtempSync(join(tmpdir(), 'tapefold-home-'));
  cpSync(join(root, name, 'home'), home, { recursive: true });
  return home;
}

/** Gives files of a home the times that answers say of them: version control keeps none. Where answers differ, the last one counts. */
export function setTimes(home: string, answers: unknown): void {
  // A read without turns says the time of creation instead.
  const threads = [...threadsIn(answers)].filter(({ createdAt, updatedAt }) => createdAt !== updatedAt).reverse();
  for (const file of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    const thread = threads.find(({ path }) => path.endsWith(`/${file}`));
    if (thread) utimesSync(join(home, file), thread.updatedAt, thread.updatedAt);
  }
}

/** What the real program listed in a recorded home. */
export function recordedLists(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name, 'golden', 'thread-list.json'), 'utf8')) as unknown;
}
