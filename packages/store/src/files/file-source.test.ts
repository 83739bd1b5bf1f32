import { recordedHomes } from '@tapefold/testing';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../errors.js';
import { createFileSource } from './file-source.js';

let home = '';
beforeEach(() => { home = mkdtempSync(join(tmpdir(), 'tapefold-home-')); });
afterEach(() => rmSync(home, { recursive: true, force: true }));

const id = (n: number): string => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const time = '2026-01-02T03:04:05.000Z';
const line = (type: string, payload: object, more: object = {}): string => `${JSON.stringify({ timestamp: time, ...more, type, payload })}\n`;
const meta = (n: number, more: object = {}): string =>
  line('session_meta', { id: id(n), timestamp: time, cwd: '/w', originator: 'o', cli_version: '1', source: 'cli', model_provider: 'openai', ...more });
const event = (type: string, payload: object): string => line('event_msg', { type, ...payload });
const turn = (n: number, words: string): string =>
  event('task_started', { turn_id: `t${n}` }) + event('user_message', { message: words }) + event('agent_message', { message: `re: ${words}` }) + event('task_complete', { turn_id: `t${n}`, last_agent_message: null });

function put(name: string, content: string | Uint8Array, mtimeSeconds = 1_800_000_000): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, mtimeSeconds, mtimeSeconds);
  return path;
}
const rollout = (n: number, content: string | Uint8Array, mtimeSeconds?: number): string => put(`sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id(n)}.jsonl`, content, mtimeSeconds);
const source = (onRead?: (bytes: number) => void) => createFileSource([{ program: 'codex', path: home }], onRead);

describe('the newest turns', () => {
  it('[R-STO-3] are kept while the file is the same: asked for again they cost no read, and an append is seen', async () => {
    let bytes = 0;
    const path = rollout(1, meta(1) + Array.from({ length: 20 }, (_, n) => turn(n, `words ${n}`)).join(''));
    const reader = source((read) => void (bytes += read));
    const query = { turns: 3, wholeBytes: 0 };
    const first = await reader.openNewest(id(1), query);
    const before = bytes;
    expect(await reader.openNewest(id(1), { ...query })).toBe(first);
    expect(bytes).toBe(before);
    expect(await reader.openNewest(id(1), { ...query, turns: 2 })).not.toBe(first);
    appendFileSync(path, turn(20, 'one more'));
    expect((await reader.openNewest(id(1), query))?.rows.turns().map((row) => row.id)).toEqual(['t18', 't19', 't20']);
  });
});

describe('list', () => {
  it('[R-TAPE-6] shows every session, newest first, with what head and tail tell', async () => {
    rollout(1, meta(1) + turn(1, 'older'), 1_800_000_000);
    rollout(2, meta(2) + turn(1, 'newer') + turn(2, 'more'), 1_800_000_100);
    const { rows } = await source().list();
    expect(rows.map((row) => [row.thread.id, row.thread.preview, row.turnCount, row.lastTurn])).toEqual([[id(2), 'newer', 2, 'completed'], [id(1), 'older', 1, 'completed']]);
  });

  it('[R-TAPE-6] hides none: files without meta, empty ones and folders of that name are rows or problems with a reason', async () => {
    rollout(1, event('user_message', { message: 'no meta' }));
    rollout(2, '');
    mkdirSync(join(home, `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id(3)}.jsonl`));
    put('sessions/2026/01/02/notes.jsonl', meta(4) + turn(1, 'odd name'));
    const { rows } = await source().list();
    expect(rows.map((row) => row.thread.id).sort()).toEqual([id(1), id(2), id(3), id(4)]);
    expect(rows.filter((row) => row.problem !== undefined).map((row) => row.thread.id).sort()).toEqual([id(1), id(2), id(3)]);
    await expect(source().read(id(3))).rejects.toMatchObject({ code: 'damagedSource' });
    expect(await source().explain(id(3))).toMatchObject({ isListed: true, why: expect.stringContaining('hindered') as unknown });
    const reports = [];
    for await (const report of source().report()) reports.push(report);
    expect(reports.filter((report) => report.problem !== undefined)).toHaveLength(1);
  });

  it('[R-TAPE-6] never opens what a link outside of the home leads to, and says so', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'tapefold-outside-'));
    writeFileSync(join(outside, 'secret.jsonl'), meta(7) + turn(1, 'secret words'));
    mkdirSync(join(home, 'sessions/2026/01/02'), { recursive: true });
    symlinkSync(join(outside, 'secret.jsonl'), join(home, `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id(7)}.jsonl`));
    const { rows } = await source().list();
    expect(rows).toMatchObject([{ thread: { id: id(7), preview: '' }, problem: expect.stringContaining('outside') as unknown }]);
    await expect(source().read(id(7))).rejects.toMatchObject({ code: 'damagedSource' });
    for await (const report of source().report()) expect(report).toMatchObject({ facts: 0, problem: expect.stringContaining('outside') as unknown });
    rmSync(outside, { recursive: true });
  });

  it('[R-TAPE-6] files that only share the id inside them are threads of their own', async () => {
    const copies = [1, 2, 3].map((n) => rollout(n, meta(9) + turn(1, `copy ${n}`)));
    expect((await source().list()).rows.map((row) => `${row.thread.id} ${row.thread.preview}`).sort()).toEqual(['copy 1', 'copy 2', 'copy 3'].map((copy) => `${id(9)} ${copy}`));
    expect((await source().read(id(2))).thread.preview).toBe('copy 2');
    expect((await source().read(copies[2]!)).thread.preview).toBe('copy 3');
    for (const path of copies) expect(await source().explain(path)).toMatchObject({ isListed: true });
  });

  it('[R-TAPE-6] finds the first prompt behind long instructions', async () => {
    rollout(1, meta(1, { base_instructions: { text: 'y'.repeat(90_000) }, source: { subagent: 'review' } }) + turn(1, 'far') + event('agent_message', { message: 'x'.repeat(500_000) }));
    rollout(2, meta(2) + line('response_item', { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'z'.repeat(120_000) }] }) + turn(1, 'farther'));
    expect((await source().list({ hasSubAgents: true })).rows.map((row) => `${row.thread.preview} ${row.isSubAgent} ${row.problem}`).sort()).toEqual(['far true undefined', 'farther false undefined']);
  });

  it('[R-TAPE-6] leaves archived threads and sub-agents out until asked for', async () => {
    rollout(1, meta(1) + turn(1, 'plain'));
    rollout(2, meta(2, { source: { subagent: 'review' } }) + turn(1, 'agent'));
    put(`archived_sessions/rollout-2026-01-02T03-04-05-${id(3)}.jsonl`, meta(3) + turn(1, 'away'));
    const shown = async (query: object): Promise<string[]> => (await source().list(query)).rows.map((row) => row.thread.preview).sort();
    expect(await shown({})).toEqual(['plain']);
    expect(await shown({ hasSubAgents: true })).toEqual(['agent', 'plain']);
    expect(await shown({ archived: 'too' })).toEqual(['away', 'plain']);
    expect(await shown({ archived: 'only' })).toEqual(['away']);
    expect(await shown({ cwd: '/elsewhere' })).toEqual([]);
    expect(await shown({ sinceMs: 1_900_000_000_000 })).toEqual([]);
  });

  it('[R-TAPE-3] reads less than 100 kB of a thread, however large it is', async () => {
    const filler = event('agent_message', { message: 'x'.repeat(3_000) });
    for (let n = 1; n <= 5; n++) rollout(n, meta(n, { base_instructions: { text: 'y'.repeat(20_000) } }) + turn(1, 'large') + filler.repeat(400) + turn(2, 'end'));
    let bytes = 0;
    const { rows } = await source((read) => { bytes += read; }).list();
    expect(rows.map((row) => [row.thread.preview, row.turnCount, row.lastTurn])).toEqual(Array.from({ length: 5 }, () => ['large', undefined, 'completed']));
    expect(bytes).toBeGreaterThan(5 * 20_000);
    expect(bytes / 5).toBeLessThan(100_000);
  });

  it('[R-TAPE-6] says how many the limit left out, and reports a home that is not there', async () => {
    for (let n = 1; n <= 4; n++) rollout(n, meta(n) + turn(1, 'x'));
    expect(await source().list({ limit: 3 })).toMatchObject({ left: 1 });
    await expect(createFileSource([{ program: 'codex', path: join(home, 'gone') }]).list()).rejects.toMatchObject({ code: 'homeNotFound' });
  });
});

describe('ids', () => {
  it('[R-THR-1] take a unique beginning, upper case, braces, the id inside the file, and "last"', async () => {
    rollout(1, meta(1) + turn(1, 'one'), 1_800_000_100);
    rollout(2, meta(77) + turn(1, 'renamed'), 1_800_000_000);
    const preview = async (asked: string): Promise<string> => (await source().read(asked)).thread.preview;
    expect(await preview(id(1).toUpperCase())).toBe('one');
    expect(await preview(`{${id(1)}}`)).toBe('one');
    expect(await preview(id(77))).toBe('renamed');
    expect(await preview('last')).toBe('one');
    await expect(preview('0199')).rejects.toMatchObject({ code: 'ambiguousId', detail: { candidates: expect.arrayContaining([id(1)]) as unknown } });
    await expect(preview('ffff')).rejects.toBeInstanceOf(StoreError);
    await expect(preview('')).rejects.toMatchObject({ code: 'noId' });
    await expect(preview('/nowhere/x.jsonl')).rejects.toMatchObject({ code: 'fileNotFound' });
  });
});

describe('threads over several files', () => {
  const paginated = (n: number, more: object): string => meta(n, { history_mode: 'paginated', ...more });
  const started = (turnId: string): string => event('task_started', { turn_id: turnId });

  it('[R-DIA-1] say what is missing when a base is gone, and stop at a circle', async () => {
    rollout(1, paginated(1, { history_base: { thread_id: id(9), end_ordinal_exclusive: 3, end_byte_offset: 500 } }) + started('t1'));
    rollout(2, paginated(2, { history_base: { thread_id: id(3), end_byte_offset: 5_000 } }) + started('t2'));
    rollout(3, paginated(3, { history_base: { thread_id: id(2), end_byte_offset: 5_000 } }) + started('t3'));
    const gone = await source().read(id(1));
    expect(gone.thread.turns.map((each) => each.id)).toEqual(['t1']);
    expect(gone.problems[0]).toContain(id(9));
    const circle = await source().read(id(2));
    expect(circle.thread.turns.map((each) => each.id)).toEqual(['t3', 't2']);
    expect(circle.problems.join()).toContain('circle');
  });

  it('[R-DIA-1] cut a base by the agent\'s ordinal where no byte is named', async () => {
    const numbered = (ordinal: number, turnId: string): string => line('event_msg', { type: 'task_started', turn_id: turnId }, { ordinal });
    rollout(1, line('session_meta', { id: id(1), timestamp: time, cwd: '/w', originator: 'o', cli_version: '1', history_mode: 'paginated' }, { ordinal: 0 }) + numbered(1, 'a') + numbered(2, 'b') + numbered(3, 'c'));
    rollout(2, paginated(2, { forked_from_id: id(1), history_base: { thread_id: id(1), end_ordinal_exclusive: 3 } }) + started('d'));
    expect((await source().read(id(2))).thread.turns.map((each) => each.id)).toEqual(['a', 'b', 'd']);
  });
});

/** A zstd frame of blocks that are stored as they are: magic, a header with a window of 2 MiB, then each block behind its three bytes. */
function stored(content: Buffer): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  for (let at = 0; at === 0 || at < content.length; at += 100_000) {
    const block = content.subarray(at, at + 100_000);
    const header = (block.length << 3) | (at + 100_000 >= content.length ? 1 : 0);
    parts.push(Buffer.from([header & 0xff, (header >> 8) & 0xff, header >> 16]), block);
  }
  return Buffer.concat(parts);
}

describe('large texts', () => {
  it('[R-THR-1] come back whole from the session file, also from a compressed one', async () => {
    const output = `start ${'日本 \u0000 "quoted"\n'.repeat(20_000)} end`;
    const content = meta(1) + event('task_started', { turn_id: 't' }) + event('user_message', { message: 'go' })
      + event('exec_command_end', { call_id: 'c', turn_id: 't', command: ['ls'], cwd: '/w', parsed_cmd: [], aggregated_output: output, exit_code: 0, stdout: '', stderr: '', duration: { secs: 0, nanos: 0 } });
    rollout(1, content);
    put(`sessions/2026/01/03/rollout-2026-01-03T03-04-05-${id(2)}.jsonl.zst`, stored(Buffer.from(content.replaceAll(id(1), id(2)))));
    for (const threadId of [id(1), id(2)]) {
      const items = (await source().read(threadId)).thread.turns[0]?.items ?? [];
      expect(items.map((item) => item.type)).toEqual(['userMessage', 'commandExecution']);
      expect(items[1]).toMatchObject({ aggregatedOutput: output });
    }
    const facts: number[] = [];
    for await (const { fact } of source().facts(id(1))) facts.push(JSON.stringify(fact).length);
    expect(Math.max(...facts)).toBeLessThan(40_000);
  });
});

describe('reading', () => {
  const digest = (folder: string): string => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
    .map((path) => `${path} ${statSync(path).mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`).join('\n');

  it('[R-RPC-2] writes nothing: a home is the same before and after every call', async () => {
    cpSync(recordedHomes().find(({ name }) => name === 'recorded/0.171/revert-twice')!.home, home, { recursive: true });
    const before = digest(home);
    const files = source();
    const { rows } = await files.list({ archived: 'too', hasSubAgents: true });
    for (const { thread } of rows) {
      await files.read(thread.id);
      await files.explain(thread.id);
      for await (const _ of files.facts(thread.id));
      for await (const _ of files.report(thread.id));
    }
    expect(rows).toHaveLength(1);
    expect(digest(home)).toBe(before);
  });

  it('[R-STO-2] an open thread is read anew once its file grew', async () => {
    const path = rollout(1, meta(1) + turn(1, 'one'));
    const files = source();
    const first = await files.open(id(1));
    expect(await files.open(id(1))).toBe(first);
    appendFileSync(path, turn(2, 'two'));
    expect((await files.read(id(1))).thread.turns).toHaveLength(2);
  });

  it('[R-TAPE-6] explains why something is, or is not, in the list', async () => {
    const path = rollout(1, meta(1) + turn(1, 'one'));
    const recall = put('history.jsonl', '{"session_id":"x","ts":1,"text":"hi"}\n');
    expect(await source().explain(path)).toMatchObject({ isListed: true });
    expect(await source().explain(id(1))).toMatchObject({ isListed: true });
    expect(await source().explain(recall)).toMatchObject({ isListed: false, kind: 'promptRecall' });
    await expect(source().explain('no-such-thing')).rejects.toMatchObject({ code: 'threadNotFound' });
  });
});
