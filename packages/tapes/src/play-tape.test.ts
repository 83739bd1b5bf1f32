import { Buffer } from 'node:buffer';
import { truncateSync } from 'node:fs';
import { type Fact, type Player, type TapeLine, ledgerAddsUp } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import { fileIdentity } from './file-identity.js';
import { openTapeLinesSync } from './open-tape.js';
import { playTape } from './play-tape.js';
import { readHeadLines } from './read-head.js';
import { readDocumentLines } from './read-document.js';
import { readLines, readLinesSync } from './read-lines.js';
import { readSpan } from './read-span.js';
import { drain, linesByHand, rawFrame, temporaryFolder, writeTape } from './tape-bytes.suite.js';

const folder = temporaryFolder();

/** Makes one notice of each line that is JSON, and counts the rest as the contract says. */
function notices(): Player {
  let ordinal = 0;
  return {
    checkpoint: () => ordinal,
    play(line) {
      if (line.flaw) return { facts: [], account: { verdict: 'damaged', damage: line.flaw } };
      if (!line.text?.trim()) return { facts: [], account: { verdict: 'blank' } };
      try { JSON.parse(line.text); } catch { return { facts: [], account: { verdict: 'damaged', damage: line.isTerminated ? 'invalidJson' : 'tornTail' } }; }
      const fact: Fact = { type: 'notice.posted', tape: 't', ordinal: ordinal++, line: { offset: line.offset, length: line.length }, level: 'info', code: 'x', text: line.text };
      return { facts: [fact], account: { verdict: 'played', type: 'x' } };
    },
  };
}

async function play(path: string, options = {}) {
  const facts: string[] = [];
  const played = await playTape(path, notices(), { ...options, onFacts: (found, line) => facts.push(...found.map((fact) => `${fact.ordinal}@${line.offset}`)) });
  return { ...played, facts };
}

const text = '{"a":1}\n\n{"b":2}\nno json\n{"c":3}\n';

describe('playing a tape', () => {
  it('[R-TAPE-2] hands facts on in order and accounts for every byte', async () => {
    const { ledger, facts, endOffset, isTorn } = await play(writeTape(folder, 'a.jsonl', text), { chunkBytes: 5 });
    expect(facts).toEqual(['0@0', '1@9', '2@25']);
    expect(ledger).toMatchObject({ linesTotal: 5, linesPlayed: 3, linesBlank: 1, linesDamaged: 1, bytesTotal: text.length });
    expect({ endOffset, isTorn, addsUp: ledgerAddsUp(ledger) }).toEqual({ endOffset: text.length, isTorn: false, addsUp: true });
  });

  it('[R-TAPE-2] goes on before a torn tail, and after a complete last line without newline', async () => {
    expect(await play(writeTape(folder, 'b.jsonl', `${text}{"d":`))).toMatchObject({ endOffset: text.length, isTorn: true, ledger: { tornTail: { offset: text.length, length: 5 } } });
    expect(await play(writeTape(folder, 'c.jsonl', `${text}{"d":4}`))).toMatchObject({ endOffset: text.length + 7, isTorn: true, facts: ['0@0', '1@9', '2@25', `3@${text.length}`] });
  });

  it('[R-TAPE-5] a damaged compression is told beside the ledger of what decoded', async () => {
    const path = writeTape(folder, 'd.jsonl.zst', Buffer.concat([rawFrame(Buffer.from(text), 10), Buffer.from('junk')]));
    expect(await play(path)).toMatchObject({ facts: ['0@0', '1@9', '2@25'], endOffset: text.length, damage: { code: 'corruptCompression', offset: text.length, path } });
  });

  it('[R-TAPE-1] plays a document; the bytes between its values are told', async () => {
    const document = '{"session":{"id":1}, "x": [1], "items":[{"a":1},2]}\n';
    let between = 0;
    const { ledger, facts } = await play(writeTape(folder, 'e.json', document), { onBetween: ({ length }: { length: number }) => (between += length) });
    expect(facts).toEqual(['0@11', '1@40', '2@48']);
    expect(ledger.bytesTotal + between).toBe(document.length);
  });

  it('[R-TAPE-1] a file that shrinks meanwhile is an error with path and offset, after the lines before', async () => {
    const path = writeTape(folder, 'f.jsonl', '{"a":1}\n'.repeat(100));
    const facts: number[] = [];
    const playing = playTape(path, notices(), { chunkBytes: 80, onFacts: (_facts, line) => facts.push(line.offset), onBatch: () => truncateSync(path, 40) });
    await expect(playing).rejects.toMatchObject({ name: 'TapeError', code: 'changedWhileReading', path, offset: 80 });
    expect(facts).toHaveLength(10);
  });

  it.runIf(process.platform === 'linux')('[R-TAPE-6] an input error is typed and keeps its cause', async () => {
    await expect(play('/proc/self/mem')).rejects.toMatchObject({ code: 'unreadable', path: '/proc/self/mem', offset: 0, cause: { code: 'EIO' } });
  });

  it('[R-TAPE-6] what is no file says so in one sentence that names it', async () => {
    await expect(play(`${folder}/none.jsonl`)).rejects.toMatchObject({ code: 'notFound', message: `${folder}/none.jsonl does not exist: check the path, or look where the agent moved the session.` });
    await expect(play(folder)).rejects.toMatchObject({ code: 'notAFile', path: folder });
    expect(() => drain(readLinesSync('/dev/null'))).toThrow(/is no regular file/);
  });

  it('[R-TAPE-1] an error of the host passes through and the file is closed', async () => {
    const path = writeTape(folder, 'g.jsonl', text);
    for (let i = 0; i < 3; i++) await expect(playTape(path, notices(), { onFacts: () => { throw new Error('host'); } })).rejects.toThrow('host');
  });
});

describe('reading parts of a tape', () => {
  const content = Buffer.from('{"a":"é"}\n{"b":2}\r\n{"c":"日本"}\n{"d":4}');
  const plain = writeTape(folder, 'p.jsonl', content);
  const compressed = writeTape(folder, 'z.jsonl.zst', rawFrame(content, 7));

  it('[R-TAPE-1] [R-TAPE-5] the asynchronous readers give the same lines, and may be left early', async () => {
    for (const path of [plain, compressed]) {
      const lines: TapeLine[] = [];
      for await (const batch of readLines(path, { chunkBytes: 4 })) lines.push(...batch);
      expect(lines).toEqual(linesByHand(content));
      for await (const batch of readLines(path, { chunkBytes: 4 })) { expect(batch).toHaveLength(1); break; }
    }
    const document = writeTape(folder, 'h.json', '{"session":1,"items":[2,3]}');
    const values: unknown[] = [];
    for await (const batch of readDocumentLines(document)) values.push(...batch.map((line) => line.text));
    expect(values).toEqual(['1', '2', '3']);
  });

  it('[R-TAPE-5] `from` and `to` mean the plain content', () => {
    const [, second, third] = linesByHand(content);
    for (const path of [plain, compressed]) expect(drain(readLinesSync(path, { from: second!.offset, to: third!.offset })).all).toEqual([second]);
  });

  it('[R-TAPE-5] a span is the same bytes of either form', () => {
    for (const path of [plain, compressed]) for (const line of linesByHand(content)) expect(readSpan(path, line)).toEqual(content.subarray(line.offset, line.offset + line.length));
    expect(readSpan(plain, { offset: 3, length: 0 })).toHaveLength(0);
    for (const path of [plain, compressed]) expect(() => readSpan(path, { offset: content.length - 3, length: 9 })).toThrow(expect.objectContaining({ code: 'changedWhileReading' }));
    for (const path of [plain, compressed]) expect(() => drain(readLinesSync(path, { from: content.length + 1 }))).toThrow(expect.objectContaining({ code: 'changedWhileReading', offset: content.length }));
    for (const path of [plain, compressed]) expect(drain(readLinesSync(path, { from: content.length }))).toEqual({ all: [], end: { endOffset: content.length, isTorn: false } });
    expect(() => readSpan(compressed, { offset: 999, length: 1 })).toThrow(expect.objectContaining({ code: 'changedWhileReading' }));
  });

  it('[R-TAPE-5] a tape is found in its other form when the agent changed it meanwhile', () => {
    const lines = linesByHand(content);
    expect(drain(readLinesSync(compressed.replace('.zst', ''))).all).toEqual(lines);
    expect(drain(readLinesSync(`${plain}.zst`)).all).toEqual(lines);
    expect(readSpan(`${plain}.zst`, { offset: 0, length: 5 })).toEqual(content.subarray(0, 5));
  });

  it('[R-TAPE-6] a head gives complete lines and says which bound ended it', () => {
    const lines = linesByHand(content);
    for (const path of [plain, compressed]) {
      expect(readHeadLines(path)).toEqual({ lines, endedBy: 'end' });
      expect(readHeadLines(path, { maxLines: 2 })).toEqual({ lines: lines.slice(0, 2), endedBy: 'maxLines' });
      expect(readHeadLines(path, { maxLines: 4 })).toEqual({ lines, endedBy: 'end' });
      for (let maxBytes = 0; maxBytes < content.length; maxBytes++) {
        expect(readHeadLines(path, { maxBytes })).toEqual({ lines: lines.filter((line) => line.isTerminated && line.offset + line.length <= maxBytes), endedBy: 'maxBytes' });
      }
      expect(readHeadLines(path, { maxBytes: content.length })).toEqual({ lines, endedBy: 'end' });
    }
    expect(readHeadLines(writeTape(folder, 'cut.jsonl.zst', rawFrame(content, 7).subarray(0, 30)))).toMatchObject({ endedBy: 'damage' });
  });

  it('[R-TAPE-6] a head and a tail of a huge thread read less than 100 kB', () => {
    const path = writeTape(folder, 'huge.jsonl', `${JSON.stringify({ a: 'x'.repeat(2_000) })}\n`.repeat(1_000));
    let bytes = 0;
    readHeadLines(path, { onRead: (read) => (bytes += read) });
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(65_537);
  });

  it('[R-TAPE-6] a head that holds too little goes on until it has enough, and reads little more than that', () => {
    const path = writeTape(folder, 'late.jsonl', `${JSON.stringify({ a: 'x'.repeat(1_000) })}\n`.repeat(70) + '{"wanted":true}\n' + `${JSON.stringify({ a: 'x'.repeat(1_000) })}\n`.repeat(2_000));
    const has = (wanted: string) => (lines: readonly TapeLine[]): boolean => lines.some(({ text }) => text?.includes(wanted));
    const readsOf = (longer: { maxBytes: number; isEnough: (lines: readonly TapeLine[]) => boolean }): { lines: readonly TapeLine[]; endedBy: string; bytes: number } => {
      let bytes = 0;
      const head = readHeadLines(path, { maxBytes: 65_536, maxLines: 10_000, longer, onRead: (read) => (bytes += read) });
      return { ...head, bytes };
    };
    const late = readsOf({ maxBytes: 1_000_000, isEnough: has('wanted') });
    expect(has('wanted')(late.lines)).toBe(true);
    expect(late).toMatchObject({ endedBy: 'maxBytes', bytes: 65_536 + 4_096 + 8_192 + 1 });
    expect(readsOf({ maxBytes: 1_000_000, isEnough: () => true }).bytes).toBe(65_537);
    expect(readsOf({ maxBytes: 100_000, isEnough: has('never') })).toMatchObject({ endedBy: 'maxBytes', bytes: 100_001 });
    expect(readsOf({ maxBytes: 10_000_000, isEnough: has('never') })).toMatchObject({ endedBy: 'end' });
  });

  it('[R-TAPE-1] the form comes from name and content', () => {
    const asLines = writeTape(folder, 'lines.json', '{"type":"a"}\n{"type":"b"}\n');
    expect(drain(openTapeLinesSync(asLines)).all.map((line) => line.text)).toEqual(['{"type":"a"}', '{"type":"b"}']);
    const document = writeTape(folder, 'one.json', '{"items":[1,{"a":2}],"session":{}}');
    expect(drain(openTapeLinesSync(document)).all.map((line) => line.text)).toEqual(['1', '{"a":2}', '{}']);
    const named = writeTape(folder, 'document.jsonl', '{"items":[1]}\n');
    expect(drain(openTapeLinesSync(named)).all.map((line) => line.text)).toEqual(['{"items":[1]}']);
    expect(drain(openTapeLinesSync(writeTape(folder, 'doc.json.zst', rawFrame(Buffer.from('{"items":[7]}'), 3)))).all.map((line) => line.text)).toEqual(['7']);
  });

  it('[R-TAPE-1] identity tells size, time and place of a file', () => {
    const { sizeBytes, mtimeMs, inode, device } = fileIdentity(plain);
    expect([sizeBytes, mtimeMs > 0, inode > 0, device >= 0]).toEqual([content.length, true, true, true]);
    expect(() => fileIdentity(folder)).toThrow(expect.objectContaining({ code: 'notAFile' }));
    expect(() => fileIdentity(`${plain}.gone`)).toThrow(expect.objectContaining({ code: 'notFound' }));
  });
});
