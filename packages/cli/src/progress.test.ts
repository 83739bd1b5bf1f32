import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { Progress } from './progress.js';
import { createTerminal } from './terminal.js';

function sink(isTTY: boolean) {
  const written: string[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _, done) => (written.push(chunk.toString()), done()) });
  return { stream: Object.assign(stream, { isTTY }), written };
}

test.each([true, false])('a long read says how far it is, on a terminal only (%s), and takes it back', (isTTY) => {
  let nowMs = 0;
  const { stream, written } = sink(isTTY);
  const terminal = createTerminal({ output: sink(false).stream, errors: stream, env: {}, cwd: '/', homeDir: '/', nowMs: () => nowMs });
  const progress = new Progress(terminal, 'reading');
  progress.bytes(1, 10);
  nowMs = 1_000;
  progress.bytes(5, 10);
  nowMs = 1_050;
  progress.bytes(6, 10);
  nowMs = 1_200;
  progress.bytes(12, 10);
  progress.clear();
  progress.clear();
  expect(written).toEqual(isTTY ? ['\r\u001b[Kreading … 50 %', '\r\u001b[Kreading … 100 %', '\r\u001b[K'] : []);
});
