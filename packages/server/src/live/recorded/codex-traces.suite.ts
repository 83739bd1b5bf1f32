import { recordedHomes } from '@tapefold/testing';
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TracedLine } from './codex-adapter.suite.js';

/** A thread whose running was recorded: all that client and app-server said meanwhile, and the home as it was when all was over. */
export interface TracedThread {
  /** Version and scenario, for example `0.171/fork`, with a number from the second thread of a scenario on. */
  readonly name: string;
  readonly home: string;
  readonly threadId: string;
  readonly lines: readonly TracedLine[];
}

function linesOf(path: string): TracedLine[] {
  return readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as TracedLine);
}

/** Every thread of every recorded scenario of which turns were told. */
export function tracedThreads(): TracedThread[] {
  return recordedHomes().flatMap(({ name, home }) => {
    const trace = join(home, '../live.jsonl');
    if (!existsSync(trace)) return [];
    const lines = linesOf(trace);
    const told = lines.flatMap(({ msg: { method, params } }) => (method === 'turn/started' ? [String(params!['threadId'])] : []));
    return [...new Set(told)].map((threadId, i) => ({ name: `${name.slice('recorded/'.length)}${i > 0 ? ` ${i + 1}` : ''}`, home, threadId, lines }));
  });
}

/** The lines of a file before its first turn. */
function headOf(text: string, turnId: string): string {
  const lines = text.split(/(?<=\n)/);
  const first = lines.findIndex((line) => line.includes(turnId));
  return lines.slice(0, first < 0 ? lines.length : first).join('');
}

/** A home as it was when the first turn of a thread began, but for other threads, which are whole: of its own files only the first is there, with what stands before the turn. */
export function homeBefore({ home, threadId, lines }: TracedThread, to: string): string {
  const turn = lines.find(({ msg: { method, params } }) => method === 'turn/started' && params!['threadId'] === threadId)!.msg.params!['turn'] as { readonly id: string };
  const isOwn = (path: string): boolean => basename(path).includes(threadId);
  cpSync(home, to, { recursive: true, filter: (path) => !isOwn(path) });
  const first = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => isOwn(path) && path.endsWith(`${threadId}.jsonl`));
  for (const path of first) {
    const into = join(to, path.replace(/^archived_sessions\//, 'sessions/2026/11/30/'));
    cpSync(join(home, path), into);
    writeFileSync(into, headOf(readFileSync(join(home, path), 'utf8'), turn.id));
  }
  return to;
}
