import { Buffer } from 'node:buffer';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORWARD_CHUNK_BYTES } from '../limits.js';
import { followLines } from './follow-lines.js';
import { GrowingFile } from './growing-file.js';
import { followed } from './followed.suite.js';
import { base64, otherProcess } from './other-process.suite.js';

let folder = '';
let path = '';
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'tapefold-follow-')); path = join(folder, 'tape.jsonl'); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kinds = (events: readonly { readonly kind: string; readonly why?: string }[]): string[] => events.map(({ kind, why }) => why ?? kind);

describe('a followed tape', () => {
  it('[R-TAPE-4] notices what another process appends within 200 ms, without looking by itself', async () => {
    writeFileSync(path, '{"n":-1}\n');
    let reads = 0;
    const seen = followed(path, { onRead: () => void (reads += 1) });
    await seen.until(() => seen.events.at(-1)?.kind === 'caughtUp');
    const other = otherProcess();
    await other();
    const delays: number[] = [];
    for (let n = 0; n < 25; n++) {
      const done = other({ do: 'append', path, base64: base64(`{"n":${n}}\n`) });
      await seen.until(() => seen.lines.length === n + 2);
      const seenAt = Date.now();
      delays.push(seenAt - (await done));
    }
    expect(delays.sort((a, b) => a - b)[12]).toBeLessThan(200);
    const before = reads;
    await setTimeout(500);
    expect(reads).toBe(before);
  });

  it('[R-TAPE-4] never delivers half a line, nor a line twice, however a writer cuts its writes', async () => {
    const seen = followed(path);
    await seen.until(() => kinds(seen.events).includes('gone'));
    const other = otherProcess();
    const text = '{"a":"é日本😀"}\n\n{"b":1}\r\n{"c":"' + 'x'.repeat(5_000) + '"}\n{"torn":';
    for (const byte of chunks(Buffer.from(text), 700)) await other({ do: 'append', path, base64: base64(byte) });
    await seen.until(() => seen.lines.length === 4);
    expect(seen.texts).toEqual(text.split('\n').slice(0, 4));
    await other({ do: 'append', path, base64: base64('1}\n') });
    await seen.until(() => seen.lines.length === 5);
    expect(seen.texts.at(-1)).toBe('{"torn":1}');
    expect(seen.lines.every(({ isTerminated }) => isTerminated)).toBe(true);
  });

  it('[R-TAPE-4] makes no line of the beginning of one and the end of another, however alike they are where they meet', () => {
    writeFileSync(path, `first${'x'.repeat(200_000)}`);
    const file = new GrowingFile(path);
    const read = (): string[] => {
      const lines: string[] = [];
      for (let growth = file.read(); growth.kind !== 'end'; growth = file.read()) if (growth.kind === 'lines') lines.push(...growth.lines.map(({ text }) => text ?? ''));
      return lines;
    };
    expect(read()).toEqual([]);
    const second = `other${'x'.repeat(200_010)}`;
    writeFileSync(path, `${second}\nlast\n`);
    const lines = read();
    file.close();
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['other', 'last']);
    expect(lines[0] === second).toBe(true);
  });

  it('[R-TAPE-4] goes on from a place; a file that does not reach to it begins anew', async () => {
    writeFileSync(path, 'one\ntwo\nthree\n');
    const seen = followed(path, { from: 4 });
    await seen.until(() => seen.lines.length === 2);
    expect(seen.texts).toEqual(['two', 'three']);
    const short = followed(path, { from: 400 });
    await short.until(() => short.lines.length === 3);
    expect(kinds(short.events)).toEqual(['truncated', 'lines', 'caughtUp']);
  });

  it('[R-TAPE-4] a cut begins anew; an unfinished line that is cut does not', async () => {
    writeFileSync(path, 'one\ntwo\nunfinis');
    const seen = followed(path);
    await seen.until(() => seen.lines.length === 2);
    const other = otherProcess();
    await other({ do: 'truncate', path, size: 8 }, { do: 'append', path, base64: base64('another line, longer than before\n') });
    await seen.until(() => seen.lines.length === 3);
    expect(seen.texts).toEqual(['one', 'two', 'another line, longer than before']);
    expect(kinds(seen.events)).not.toContain('truncated');
    await other({ do: 'truncate', path, size: 4 });
    await seen.until(() => kinds(seen.events).includes('truncated') && seen.lines.length === 1);
    expect(seen.texts).toEqual(['one']);
  });

  it('[R-TAPE-4] a file that was cut and has grown past its old size again is noticed, and one that was edited in place', async () => {
    writeFileSync(path, 'one\ntwo\n');
    const seen = followed(path);
    await seen.until(() => seen.lines.length === 2);
    const other = otherProcess();
    await other({ do: 'write', path, base64: base64('new one\nnew two\nnew three\n') });
    await seen.until(() => seen.lines.length === 3 && seen.texts[0] === 'new one');
    await other({ do: 'write', path, base64: base64('new one\nnew 2wo\nnew three\n') });
    await seen.until(() => seen.texts[1] === 'new 2wo' && seen.lines.length === 3);
  });

  it('[R-TAPE-4] another file at the path begins anew, after the last lines of the old one', async () => {
    writeFileSync(path, 'one\n');
    const seen = followed(path);
    await seen.until(() => seen.lines.length === 1);
    const other = otherProcess();
    const fresh = join(folder, 'fresh');
    await other({ do: 'append', path, base64: base64('two\n') }, { do: 'write', path: fresh, base64: base64('one\nzwei\n') }, { do: 'rename', path: fresh, to: path });
    await seen.until(() => seen.texts[1] === 'zwei');
    const lines = seen.events.flatMap((event) => (event.kind === 'lines' ? event.lines.map(({ text }) => text) : event.kind));
    expect(lines.filter((line) => line !== 'caughtUp')).toEqual(['one', 'two', 'restarted', 'one', 'zwei']);
  });

  it('[R-TAPE-4] a renamed file is followed on under its new name, until another stands at the path', async () => {
    writeFileSync(path, 'one\n');
    const seen = followed(path);
    await seen.until(() => seen.lines.length === 1);
    const other = otherProcess();
    const moved = join(folder, 'moved.jsonl');
    await other({ do: 'rename', path, to: moved });
    await other({ do: 'append', path: moved, base64: base64('two\n') });
    await seen.until(() => seen.lines.length === 2);
    expect(kinds(seen.events)).not.toContain('gone');
    await other({ do: 'rename', path: moved, to: path }, { do: 'append', path, base64: base64('three\n') });
    await seen.until(() => seen.lines.length === 3);
    expect(kinds(seen.events).filter((kind) => kind !== 'lines' && kind !== 'caughtUp')).toEqual([]);
    await other({ do: 'rename', path, to: moved });
    await other({ do: 'write', path, base64: base64('anew\n') });
    await seen.until(() => seen.texts[0] === 'anew');
    expect(kinds(seen.events)).toContain('replaced');
  });

  it('[R-TAPE-4] a file that is removed is told, and comes back; its folders too', async () => {
    const deep = join(folder, '2026/01/02');
    const file = join(deep, 'tape.jsonl');
    const seen = followed(file);
    const other = otherProcess();
    await seen.until(() => kinds(seen.events).includes('gone'));
    await other({ do: 'makeFolder', path: deep });
    await other({ do: 'write', path: file, base64: base64('one\n') });
    await seen.until(() => seen.texts[0] === 'one');
    await other({ do: 'remove', path: join(folder, '2026') });
    await seen.until(() => kinds(seen.events).at(-1) === 'gone');
    await other({ do: 'makeFolder', path: deep }, { do: 'write', path: file, base64: base64('two\n') });
    await seen.until(() => seen.texts[0] === 'two');
    await other({ do: 'rename', path: join(folder, '2026'), to: join(folder, 'old') });
    await other({ do: 'makeFolder', path: deep }, { do: 'write', path: file, base64: base64('three\n') });
    await seen.until(() => seen.texts[0] === 'three');
  });

  it('[R-TAPE-4] a link is followed to its file', async () => {
    const real = join(folder, 'elsewhere/real.jsonl');
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(real, 'one\n');
    symlinkSync(real, path);
    const seen = followed(path);
    await seen.until(() => seen.lines.length === 1);
    appendFileSync(real, 'two\n');
    await seen.until(() => seen.lines.length === 2);
  });

  it('[R-TAPE-4] [R-TAPE-1] reads no further than was taken, a chunk at a time, and long lines cost a report', async () => {
    const line = `${'x'.repeat(9_999)}\n`;
    writeFileSync(path, line.repeat(500));
    let bytes = 0;
    const tape = followLines(path, { maxLineBytes: 20_000, onRead: (read) => void (bytes += read) });
    const events = tape[Symbol.asyncIterator]();
    let lines = 0;
    for (let taken = 1; taken <= 5; taken++) {
      const next = await events.next();
      if (next.value?.kind === 'lines') lines += next.value.lines.length;
      await setTimeout(5);
      expect(bytes).toBeLessThanOrEqual(taken * FORWARD_CHUNK_BYTES);
    }
    expect(lines).toBeGreaterThan(100);
    tape.close();
    expect((await events.next()).done).toBe(true);
    writeFileSync(path, `${'y'.repeat(50_000)}\nshort\n`);
    const seen = followed(path, { maxLineBytes: 20_000 });
    await seen.until(() => seen.lines.length === 2);
    expect(seen.lines.map(({ flaw, text }) => flaw ?? text)).toEqual(['tooLong', 'short']);
  });

  it('[R-TAPE-4] ends when it is closed, also while it waits; what cannot be followed says why', async () => {
    writeFileSync(path, 'one\n');
    const seen = followed(path);
    await seen.until(() => seen.lines.length === 1);
    await seen.close();
    expect(seen.end).toEqual({});
    appendFileSync(path, 'two\n');
    await setTimeout(50);
    expect(seen.lines).toHaveLength(1);
    expect(() => followLines(`${path}.zst`)).toThrow(/compressed files never grow/);
    const inFolder = followed(folder);
    await inFolder.until(() => inFolder.end !== undefined);
    expect(inFolder.end?.error).toMatchObject({ code: 'notAFile' });
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });
});

function chunks(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
