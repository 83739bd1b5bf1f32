import { afterTest } from '@tapefold/testing';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A step of another program on files. `base64`: bytes. */
export type Step =
  | { readonly do: 'append' | 'write'; readonly path: string; readonly base64: string }
  | { readonly do: 'truncate'; readonly path: string; readonly size: number }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  | { readonly do: 'remove' | 'makeFolder'; readonly path: string };

/** The other program: takes steps as lines of JSON and says when each is done, with the time of it. */
const program = `
const fs = require('node:fs');
const steps = {
  append: ({ path, base64 }) => fs.appendFileSync(path, Buffer.from(base64, 'base64')), write: ({ path, base64 }) => fs.writeFileSync(path, Buffer.from(base64, 'base64')),
  truncate: ({ path, size }) => fs.truncateSync(path, size), rename: ({ path, to }) => fs.renameSync(path, to),
  remove: ({ path }) => fs.rmSync(path, { recursive: true }), makeFolder: ({ path }) => fs.mkdirSync(path, { recursive: true }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const list = JSON.parse(line);
  for (const step of list) steps[step.do](step);
  console.log(JSON.stringify(Date.now()));
});
`;

/** A process that does steps on files. */
export interface OtherProcess {
  /** Resolves with the time (Unix ms) at which the last step was done. */
  readonly run: (...steps: Step[]) => Promise<number>;
  readonly stop: () => void;
}

export function startOtherProcess(): OtherProcess {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((atMs: number) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as number));
  const run = (...steps: Step[]): Promise<number> => new Promise((resolve) => {
    waiting.push(resolve);
    child.stdin.write(`${JSON.stringify(steps)}\n`);
  });
  return { run, stop: () => void child.kill() };
}

/** Another process until the end of a test. */
export function otherProcess(): OtherProcess['run'] {
  const other = startOtherProcess();
  afterTest(other.stop);
  return other.run;
}

export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
