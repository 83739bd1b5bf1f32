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

test('an index says how far its rows are, then its text', () => {
  let nowMs = 0;
  const { stream, written } = sink(true);
  const progress = new Progress(createTerminal({ output: sink(false).stream, errors: stream, env: {}, cwd: '/', homeDir: '/', nowMs: () => nowMs }), 'indexing');
  nowMs = 1_000;
  progress.index({ bytes: 4_000_000, bytesDone: 1_000_000, threads: 3, threadsDone: 1, etaMs: 2_500, path: null });
  progress.clear();
  nowMs = 2_000;
  progress.texts({ done: 30, waiting: 10 });
  progress.clear();
  expect(written).toEqual(['\r\u001b[Kindexing █████░░░░░░░░░░░░░░░ 25 % of 4.0 MB, 1 of 3 sessions, 3.0 s left', '\r\u001b[K', '\r\u001b[Kindexing text ███████████████░░░░░ 75 % of 40 items', '\r\u001b[K']);
});
