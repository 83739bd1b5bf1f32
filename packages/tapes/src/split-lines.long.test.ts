import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from './limits.js';
import { readLinesBackward } from './read-backward.js';
import { readLinesSync } from './read-lines.js';
import { drain, temporaryFolder } from './tape-bytes.suite.js';

const folder = temporaryFolder();
const block = Buffer.alloc(1_048_576, 'x');

/** A file of a short line, one of `bytes` bytes and a short one. */
function withLongLine(name: string, bytes: number): string {
  const path = join(folder, name);
  const fd = openSync(path, 'w');
  writeSync(fd, 'first\n');
  for (let left = bytes; left > 0; left -= block.length) writeSync(fd, block, 0, Math.min(left, block.length));
  writeSync(fd, '\nlast\n');
  closeSync(fd);
  return path;
}

describe('very long lines', () => {
  it('[R-TAPE-1] a line of exactly the limit is read, one byte more is reported and skipped', () => {
    for (const [extra, flaw] of [[0, undefined], [1, 'tooLong']] as const) {
      const path = withLongLine(`at-limit-${extra}.jsonl`, MAX_LINE_BYTES + extra);
      const { all } = drain(readLinesSync(path));
      expect(all.map((line) => [line.offset, line.length, line.flaw, line.text?.length])).toEqual([
        [0, 6, undefined, 5], [6, MAX_LINE_BYTES + extra + 1, flaw, flaw ? undefined : MAX_LINE_BYTES], [MAX_LINE_BYTES + extra + 7, 5, undefined, 4],
      ]);
    }
  });

  it('[R-TAPE-1] a line of a gigabyte costs the limit in memory, not itself, forward and backward', () => {
    const path = withLongLine('gigabyte.jsonl', 1_000_000_000);
    const before = process.memoryUsage().rss;
    let peak = 0;
    const watch = (): void => void (peak = Math.max(peak, process.memoryUsage().rss - before));
    expect(drain(readLinesSync(path, { onRead: watch })).all.map((line) => line.flaw)).toEqual([undefined, 'tooLong', undefined]);
    expect([...readLinesBackward(path, { budgetBytes: 2e9, onRead: watch })].map((line) => line.flaw)).toEqual([undefined, 'tooLong', undefined]);
    expect(peak).toBeLessThan(6 * MAX_LINE_BYTES);
  });
});
