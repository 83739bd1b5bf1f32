import type { FactDraft } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { ownMark } from './process-mark.js';
import { mendTape } from './mend-tape.js';
import { liveWriterOf } from './tape-lock.js';
import { openTapeWriter } from './tape-writer.js';
import { factsIn, leftIn } from './written-tape.suite.js';

const root = temporaryFolder();
let made = 0;
const newFolder = (): string => join(root, `tape-${(made += 1)}`);
const note = (code: string, text = ''): FactDraft => ({ type: 'notice.posted', level: 'info', code, text });
const open = (folder: string) => openTapeWriter(folder, { tape: 'native/x', createdAt: '2026-01-01T00:00:00Z' });
const codes = (folder: string): string[] => factsIn(folder).facts.map((fact) => (fact.type === 'notice.posted' ? fact.code : '?'));
const codeOf = async (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'resolved', (error: unknown) => (error as { code?: unknown }).code);
const thrown = (call: () => unknown): unknown => { try { call(); return 'returned'; } catch (error) { return (error as { code?: unknown }).code; } };

describe('[R-TAPE-7] a writer', () => {
  it('has each fact in the file when append returns, and says where', async () => {
    const folder = newFolder();
    const writer = await open(folder);
    const first = writer.append(note('é'));
    expect(codes(folder)).toEqual(['é']);
    const bytes = readFileSync(join(folder, 'tape.jsonl'));
    expect(bytes.subarray(first.line.offset, first.line.offset + first.line.length).toString()).toBe('{"ordinal":0,"type":"notice.posted","level":"info","code":"é","text":""}');
    const some = writer.appendAll([note('b'), note('c', 'x'.repeat(200_000)), note('d')]);
    expect(some.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
    expect(writer.appendAll([])).toEqual([]);
    expect([writer.nextOrdinal, writer.endOffset]).toEqual([4, statSync(writer.path).size]);
    expect(codes(folder)).toEqual(['é', 'b', 'c', 'd']);
    await writer.close();
  });

  it('makes files for their owner alone', async () => {
    const folder = join(newFolder(), 'home', 'id');
    const writer = await open(folder);
    for (const path of [folder, join(folder, '..')]) expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await writer.close();
  });

  it('goes on where the last one stopped, and keeps the header', async () => {
    const folder = newFolder();
    for (const code of ['a', 'b', 'c']) {
      const writer = await openTapeWriter(folder, { tape: `native/${code}` });
      expect(writer.tape).toBe('native/a');
      writer.append(note(code));
      await writer.close();
    }
    expect(codes(folder)).toEqual(['a', 'b', 'c']);
    expect(factsIn(folder)).toMatchObject({ rest: '', wrong: [] });
  });

  it('shares one sync among those that wait, and makes none where nothing was written', async () => {
    const writer = await open(newFolder());
    await Promise.all(Array.from({ length: 64 }, (_, i) => (writer.append(note(String(i))), writer.barrier())));
    expect(writer.syncs).toBe(1);
    await writer.barrier();
    expect(writer.syncs).toBe(1);
    const during = Array.from({ length: 64 }, async (_, i) => {
      for (let n = 0; n < 10; n += 1) {
        writer.append(note(`${i}.${n}`));
        await writer.barrier();
      }
    });
    await Promise.all(during);
    expect(writer.syncs).toBeLessThanOrEqual(13);
    await writer.close();
  });

  it('closed takes nothing more, and closing twice is closing once', async () => {
    const writer = await open(newFolder());
    writer.append(note('a'));
    const closing = writer.close();
    expect(thrown(() => writer.append(note('b')))).toBe('closed');
    await Promise.all([closing, writer.close()]);
    expect([thrown(() => writer.append(note('b'))), thrown(() => writer.appendAll([note('b')])), await codeOf(writer.barrier())]).toEqual(['closed', 'closed', 'closed']);
    expect(codes(join(writer.path, '..'))).toEqual(['a']);
  });

  it('refuses a line that readers would skip, and goes on', async () => {
    const folder = newFolder();
    const writer = await openTapeWriter(folder, { tape: 'native/x', maxLineBytes: 1_000_000 });
    expect(thrown(() => writer.appendAll([note('a'), note('b', 'é'.repeat(500_000))]))).toBe('tooLarge');
    expect(writer.append(note('c')).ordinal).toBe(0);
    await writer.close();
    expect(codes(folder)).toEqual(['c']);
  });

  it('notices at the barrier that its file was taken away', async () => {
    const folder = newFolder();
    const writer = await open(folder);
    writer.append(note('a'));
    rmSync(writer.path);
    expect(await codeOf(writer.barrier())).toBe('replacedWhileWriting');
    expect([thrown(() => writer.append(note('b'))), await codeOf(writer.barrier()), await codeOf(writer.close())]).toEqual(['replacedWhileWriting', 'replacedWhileWriting', 'resolved']);
    const short = await open(folder);
    short.append(note('a'));
    truncateSync(short.path, 10);
    expect(await codeOf(short.barrier())).toBe('replacedWhileWriting');
    await short.close();
    expect(leftIn(folder)).toEqual([]);
  });
});

describe('[R-TAPE-7] one writer per tape', () => {
  it('a second one is refused while the first lives, and told who that is', async () => {
    const folder = newFolder();
    const writer = await open(folder);
    expect(liveWriterOf(folder)).toMatchObject({ pid: process.pid, isSure: true });
    await expect(open(folder)).rejects.toThrow(new RegExp(`tape\\.jsonl is being written by another program \\(process ${process.pid}, .*\\.lock\\): close it there first`));
    await writer.close();
    expect(liveWriterOf(folder)).toBeUndefined();
    await (await open(folder)).close();
  });

  it('of many that come at once at most one opens it', async () => {
    const folder = newFolder();
    for (let round = 0; round < 5; round += 1) {
      const opened = await Promise.allSettled(Array.from({ length: 8 }, () => open(folder)));
      const writers = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(writers.length).toBeLessThanOrEqual(1);
      for (const writer of writers) await writer.close();
    }
    expect(leftIn(folder)).toEqual([]);
  });

  it('locks of dead processes are taken over, whatever runs under their number now', async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const { pid, startedAt, boot, pidSpace, host } = ownMark();
    const names = [[pid, '1', boot, pidSpace, host], [pid, startedAt, '00000000', pidSpace, host], [4_194_303, startedAt, boot, pidSpace, host]];
    for (const name of names) {
      writeFileSync(join(folder, `${name.join('.')}.00000000.lock`), '');
      expect(liveWriterOf(folder)).toBeUndefined();
      await (await open(folder)).close();
      expect(leftIn(folder)).toEqual([]);
    }
  });

  it('a lock of another machine or container stands, since nobody here can tell', async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const { pid, startedAt, boot, pidSpace } = ownMark();
    writeFileSync(join(folder, `${[pid, startedAt, boot, pidSpace, '00000000'].join('.')}.00000000.lock`), '');
    expect(liveWriterOf(folder)).toMatchObject({ isSure: false });
    await expect(open(folder)).rejects.toThrow('of another machine or container');
  });
});

describe('[R-TAPE-7] what a crash left', () => {
  const begun = async (folder: string): Promise<Buffer> => {
    const writer = await open(folder);
    for (let i = 0; i < 40; i += 1) writer.append(note(`n${i}`, 'é'.repeat(i * 3)));
    await writer.close();
    return readFileSync(writer.path);
  };

  it('a tape that is cut at any byte of its last 4 KiB has all whole facts, none half, and goes on with the next ordinal', { timeout: 60_000 }, async () => {
    const bytes = await begun(newFolder());
    const folder = newFolder();
    const path = join(folder, 'tape.jsonl');
    mkdirSync(folder);
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at] : []));
    const wrong: unknown[] = [];
    for (let size = bytes.length; size >= Math.max(0, bytes.length - 4_096); size -= 1) {
      writeFileSync(path, bytes.subarray(0, size));
      // A line that lacks only its newline is whole: readers have shown it.
      const whole = ends.filter((at) => at <= size).length;
      const fd = openSync(path, 'a+');
      const { nextOrdinal, endOffset } = mendTape({ fd, path, sizeBytes: size });
      closeSync(fd);
      const left = readFileSync(path);
      if (nextOrdinal !== whole - 1 || !left.equals(bytes.subarray(0, endOffset)) || endOffset !== (ends[whole - 1] ?? 0) + 1) wrong.push({ size, nextOrdinal, endOffset });
      if (size % 64 !== 0) continue;
      const writer = await open(folder);
      writer.append(note('next'));
      await writer.close();
      const found = factsIn(folder);
      if (found.rest !== '' || found.wrong.length > 0 || found.facts.length !== whole) wrong.push({ size, ...found });
    }
    expect(wrong).toEqual([]);
  });

  it('cut inside its header it begins anew', async () => {
    const bytes = await begun(newFolder());
    const folder = newFolder();
    mkdirSync(folder);
    for (const size of [0, 1, 5, 30, bytes.indexOf(10)]) {
      writeFileSync(join(folder, 'tape.jsonl'), bytes.subarray(0, size));
      const writer = await open(folder);
      expect(writer.append(note('a')).ordinal).toBe(0);
      await writer.close();
      expect(factsIn(folder)).toMatchObject({ rest: '', wrong: [] });
    }
  });

  it('zero bytes at its end, as a power cut leaves them, are cut off; a damaged line keeps its ordinal', async () => {
    const folder = newFolder();
    await begun(folder);
    const path = join(folder, 'tape.jsonl');
    appendFileSync(path, Buffer.alloc(700));
    const writer = await open(folder);
    expect([writer.nextOrdinal, writer.endOffset]).toEqual([40, statSync(path).size]);
    await writer.close();
    appendFileSync(path, '{"ordinal":40,"ty\n\0\0\0\n{"half');
    const next = await open(folder);
    expect(next.nextOrdinal).toBe(42);
    await next.close();
  });

  it('what is no tape is left as it is', async () => {
    for (const content of ['{"type":"session_meta"}\n', 'x', '{"tapefold":"other"}\n']) {
      const folder = newFolder();
      mkdirSync(folder);
      writeFileSync(join(folder, 'tape.jsonl'), content);
      expect(await codeOf(open(folder))).toBe('notATape');
      expect(readFileSync(join(folder, 'tape.jsonl'), 'utf8')).toBe(content);
      expect(leftIn(folder)).toEqual([]);
    }
  });

  it('a tape of a newer version is not gone on with, a link and a folder are not followed', async () => {
    const folder = newFolder();
    const bytes = await begun(folder);
    writeFileSync(join(folder, 'tape.jsonl'), bytes.toString().replace('"version":1', '"version":99'));
    expect(await codeOf(open(folder))).toBe('newerVersion');
    renameSync(join(folder, 'tape.jsonl'), join(root, 'elsewhere.jsonl'));
    symlinkSync(join(root, 'elsewhere.jsonl'), join(folder, 'tape.jsonl'));
    expect(await codeOf(open(folder))).toBe('notATape');
    rmSync(join(folder, 'tape.jsonl'));
    mkdirSync(join(folder, 'tape.jsonl'));
    expect(await codeOf(open(folder))).toBe('notATape');
  });
});
