import { type Probe, type RpcAnswer, RpcServer, copyOfHome, recordedLists, recordedProbes, setTimes } from '@tapefold/testing';
import { type RpcMethod, methods } from '@tapefold/threads';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const writing = /^thread\/(archive|unarchive|delete|resume|name\/set|revert)$|^turn\//;
const homes: string[] = [];
afterEach(() => { for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true }); });

interface Run {
  readonly file: string;
  readonly home: string;
  /** Folder of the recording machine. */
  readonly folder: string;
  readonly stable?: true;
  /** Requests whose answer differs on purpose, with the D-number. */
  readonly differs?: Readonly<Record<number, string>>;
  /** The files were written while they were probed: times of change mean nothing. */
  readonly hasOtherTimes?: true;
  /** Makes the home what it was when it was probed. */
  readonly prepare?: (home: string) => void;
}

/** Paths of the recording machine, texts that list methods, and what depends on the moment. */
function comparable(answer: RpcAnswer, { folder, hasOtherTimes }: Run, home: string): unknown {
  const text = JSON.stringify(answer).split(folder).join('$HOME').split(home).join('$HOME');
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'message') return String(value).replace(/(unknown variant `thread\/nope`), .*/, '$1');
    if (hasOtherTimes && (key === 'updatedAt' || key === 'recencyAt')) return `<${key}>`;
    return value;
  }) as unknown;
}

/** Requests of methods that are served, or of none that is known; those after the first that changed something mean another home. */
function wanted(probes: readonly Probe[], untilFirstWrite: boolean): Probe[] {
  const end = untilFirstWrite ? probes.findIndex(({ method }) => writing.test(method ?? '')) : -1;
  return (end < 0 ? probes : probes.slice(0, end)).filter(({ method }) => method === undefined || Object.hasOwn(methods, method) || method === 'thread/nope');
}

async function answers(run: Run, probes: readonly Probe[]): Promise<[Probe, unknown, unknown][]> {
  const home = copyOfHome(run.home);
  homes.push(home);
  run.prepare?.(home);
  setTimes(home, [recordedLists(run.home), probes.map(({ answer }) => answer)]);
  const server = new RpcServer(home);
  await server.initialize({ stable: run.stable ?? false });
  const compared: [Probe, unknown, unknown][] = [];
  for (const probe of probes) {
    if (probe.answer === undefined) server.write(probe.line);
    else compared.push([probe, comparable(await server.send(probe.line, probe.answer.id), run, home), comparable(probe.answer, run, home)]);
  }
  expect(await server.end()).toBe(0);
  expect(server.stderr.split('\n').filter((line) => line !== '').length).toBe(probes.length - compared.length);
  return compared;
}

/** Thread 1001 was deleted by a later probe; its neighbours differ from it by their numbers only. */
function withThread1001(home: string): void {
  const path = (second: string): string => join(home, `sessions/2025/12/01/rollout-2025-12-01T10-00-${second}-01990000-0000-7000-8000-0000000010${second}.jsonl`);
  const text = readFileSync(path('02'), 'utf8');
  writeFileSync(path('01'), text.replaceAll('000000001002', '000000001001').replaceAll('10:00:02', '10:00:01').replaceAll('Thread 2 ', 'Thread 1 '));
}

/** These probes came after one that named a thread. */
function withName(home: string): void {
  writeFileSync(join(home, 'session_index.jsonl'), `${JSON.stringify({ id: '01990000-0000-7000-8000-000000000050', thread_name: 'My  name', updated_at: '2026-11-30T08:30:00Z' })}\n`);
}

const oracles = '/home/dev/projects/oracles';
const runs: readonly (Run & { readonly untilFirstWrite?: true; readonly atLeast: number })[] = [
  { file: '12-probes', home: 'handmade/12-paginated', folder: `${oracles}/home-12-paginated`, untilFirstWrite: true, atLeast: 55, differs: { 14: 'D-7: an unknown thread is "not loaded" here, too' } },
  { file: '16-ext', home: 'handmade/16-ext', folder: `${oracles}/home-16-ext`, atLeast: 2 },
  { file: '19-probes', home: 'handmade/19-many', folder: `${oracles}/home-19-many`, untilFirstWrite: true, atLeast: 24, prepare: withThread1001 },
  { file: '20-probes', home: 'handmade/12-paginated', folder: `${oracles}/home-12-paginated`, atLeast: 12, prepare: withName },
  { file: '22-probes', home: 'handmade/22-lines', folder: `${oracles}/home-22-lines`, atLeast: 2, hasOtherTimes: true, differs: { 0: 'D-5: lines with a byte order mark or two records give what they hold' } },
  { file: '24-stable', home: 'handmade/1-simple', folder: `${oracles}/home-1-simple`, stable: true, atLeast: 3 },
];

describe('raw requests beside what the real program answered', () => {
  for (const run of runs) {
    it(`[R-RPC-1] [R-RPC-3] ${run.file}`, async () => {
      const probes = wanted(recordedProbes(run.file), run.untilFirstWrite === true);
      const compared = await answers(run, probes);
      expect(compared.length).toBeGreaterThanOrEqual(run.atLeast);
      for (const [{ index, line, method, answer }, actual, expected] of compared) {
        // The published contract takes what the original answered, as it is.
        if (answer?.result !== undefined) expect(methods[method as RpcMethod].result.parse(answer.result), `${index}: contract`).toEqual(answer.result);
        if (run.differs?.[index] !== undefined) expect(actual, `${index} no longer differs`).not.toEqual(expected);
        else expect(actual, `${index}: ${line}`).toEqual(expected);
      }
    }, 60_000);
  }
});
