import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { factsIn } from './written-tape.suite.js';

const program = fileURLToPath(new URL('../../../../testing/tapes/write-until-killed.mjs', import.meta.url));

/** What one writer was promised before it was killed. */
interface Promised { acknowledged: number; synced: number; isOpen: boolean }

function promisedBy(output: string, writers: number): Promised[] {
  const promised = Array.from({ length: writers }, (): Promised => ({ acknowledged: -1, synced: 0, isOpen: false }));
  // A line that the kill cut is no promise.
  for (const line of output.slice(0, output.lastIndexOf('\n') + 1).split('\n')) {
    const [word, writer, number] = line.split(' ');
    const own = promised[Number(writer)];
    if (!own) continue;
    if (word === 'open') own.isOpen = true;
    if (word === 'a') own.acknowledged = Number(number);
    if (word === 'b') own.synced = Number(number);
  }
  return promised;
}

interface Kill { readonly folders: readonly string[]; readonly run: number; readonly count: number; readonly afterMs: number; readonly from: 'spawn' | 'open' }

/** Starts a process with a writer for each folder, and kills it some time after it was started, or after the first of them had opened its tape. */
function killedWriters({ folders, run, count, afterMs, from }: Kill): Promise<Promised[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, String(run), String(count), ...folders], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    const killSoon = (): void => void setTimeout(() => child.kill('SIGKILL'), afterMs);
    if (from === 'spawn') killSoon();
    else child.stdout.once('data', killSoon);
    child.stdout.on('data', (data) => (output += String(data)));
    child.stderr.on('data', (data) => (errors += String(data)));
    child.on('error', reject);
    child.on('close', () => (errors === '' ? resolve(promisedBy(output, folders.length)) : reject(new Error(errors))));
  });
}

const codesIn = (folder: string): string[] => factsIn(folder).facts.map((fact) => (fact.type === 'notice.posted' ? fact.code : '?'));

/** What is wrong with a tape after a kill, in words; empty: nothing. `seen`: facts that earlier kills left, which must still be there. */
function wrongAfter(folder: string, promised: Promised, seen: readonly string[]): string[] {
  const codes = codesIn(folder);
  const problems = promised.isOpen || seen.length > 0 ? [...factsIn(folder).wrong] : [];
  if (new Set(codes).size !== codes.length) problems.push('a fact is there twice');
  if (seen.some((code, i) => codes[i] !== code)) problems.push('a fact of an earlier writer changed or is gone');
  if (promised.acknowledged >= codes.length) problems.push(`fact ${promised.acknowledged} was acknowledged, and there are ${codes.length}`);
  if (promised.synced > codes.length) problems.push(`${promised.synced} facts were synced, and there are ${codes.length}`);
  return problems;
}

interface Kills {
  readonly processes: number;
  readonly writers: number;
  /** Tapes are written by so many processes, one after the other. */
  readonly perTape: number;
  readonly count: number;
  /** Kills come up to so long after the first tape is open. */
  readonly withinMs: number;
  readonly root: string;
  /** From 0 to below 1. */
  readonly chance: () => number;
}

/** Kills processes with several writers each. Returns what went wrong, in words. */
export async function killMany({ processes, writers, perTape, count, withinMs, root, chance }: Kills): Promise<{ wrong: string[]; killedOpen: number; facts: number }> {
  const wrong: string[] = [];
  let [killedOpen, facts] = [0, 0];
  const groups = Array.from({ length: Math.ceil(processes / perTape) }, (_, n) => n);
  const lane = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      const tapes = Array.from({ length: writers }, (_, n) => ({ folder: `${root}/${group}-${n}`, seen: [] as string[] }));
      for (let run = 0; run < perTape; run += 1) {
        const from = run > 0 && chance() < 0.2 ? 'spawn' : 'open';
        const promised = await killedWriters({ folders: tapes.map(({ folder }) => folder), run, count, from, afterMs: chance() * (from === 'spawn' ? 200 : withinMs) });
        promised.forEach((own, n) => {
          const tape = tapes[n];
          if (!tape || (!own.isOpen && tape.seen.length === 0)) return;
          killedOpen += Number(own.isOpen);
          wrong.push(...wrongAfter(tape.folder, own, tape.seen).map((problem) => `tape ${group}-${n}, run ${run}: ${problem}`));
          tape.seen = codesIn(tape.folder);
        });
      }
      facts += tapes.reduce((sum, { seen }) => sum + seen.length, 0);
      // But for the first ones, which the test looks at again.
      if (group > 0) for (const { folder } of tapes) rmSync(folder, { recursive: true, force: true });
    }
  };
  await Promise.all([lane(), lane()]);
  return { wrong, killedOpen, facts };
}
