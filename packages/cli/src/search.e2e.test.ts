import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, homeOf, tapefold } from './built.suite.js';

const idOf = (n: number): string => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const pathOf = (n: number): string => `sessions/2026/01/0${n}/rollout-2026-01-0${n}T00-00-00-${idOf(n)}.jsonl`;
const record = (day: number, type: string, payload: object): object => ({ timestamp: `2026-01-0${day}T00:00:00.000Z`, type, payload });
const meta = (day: number, cwd: string): object => record(day, 'session_meta', { id: idOf(day), timestamp: `2026-01-0${day}T00:00:00Z`, cwd, originator: 'codex', cli_version: '1', source: 'cli' });
const prompt = (day: number, message: string): object => record(day, 'event_msg', { type: 'user_message', message });
const answer = (day: number, message: string): object => record(day, 'event_msg', { type: 'agent_message', message });
const command = (day: number, cmd: string, output: string): object[] => [
  record(day, 'response_item', { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: `c${day}` }), record(day, 'response_item', { type: 'function_call_output', call_id: `c${day}`, output }),
];

const home = (): string => homeOf({
  [pathOf(1)]: [meta(1, '/work/one'), prompt(1, 'rename src/foo_bar.ts'), ...command(1, 'git mv src/foo_bar.ts src/baz.ts', 'moved quietly'), answer(1, 'The file has its new name.')],
  [pathOf(2)]: [meta(2, '/work/two'), prompt(2, '设置概要页面'), answer(2, 'The new name of the file is shown twice.')],
});

/** The command over one home, with an index of its own. */
function over(path: string): (...args: string[]) => ReturnType<typeof tapefold> {
  const env = { TAPEFOLD_HOME: folder(), CODEX_HOME: path };
  return (...args) => tapefold(args, { env });
}

interface Found { readonly hits: readonly { readonly thread: { readonly id: string }; readonly turnId: string; readonly itemId: string; readonly source: string; readonly snippet: { readonly text: string; readonly ranges: readonly { readonly start: number; readonly end: number }[] } }[]; readonly matches: number; readonly incomplete: object | null }

describe('tapefold search', () => {
  it('[R-STO-6] finds words, phrases, parts of words and CJK, with the place to go on to, and says where nothing is', () => {
    const run = over(home());
    const found = (...args: string[]): Found => {
      const { out, err, code } = run('search', ...args, '--json');
      expect([err, code]).toEqual(['', 0]);
      return JSON.parse(out) as Found;
    };
    const marked = ({ hits }: Found): string[][] => hits.map(({ snippet: { text, ranges } }) => ranges.map(({ start, end }) => text.slice(start, end)));
    expect(marked(found('o_ba'))).toEqual([['o_ba'], ['o_ba']]);
    expect(found('o_ba').hits.map(({ source }) => source).sort()).toEqual(['action', 'user']);
    expect(marked(found('概要'))).toEqual([['概要']]);
    expect(found('"new name"').hits.map(({ thread }) => thread.id).sort()).toEqual([idOf(1), idOf(2)]);
    expect(found('"name new"')).toEqual({ hits: [], matches: 0, incomplete: null });
    expect([found('quietly').matches, found('quietly', '--tool-output').matches]).toEqual([0, 1]);
    expect(found('name', '--cwd', '/work/two').hits.map(({ thread }) => thread.id)).toEqual([idOf(2)]);
    expect(found('"new name"', '--until', '2026-01-02').hits.map(({ thread }) => thread.id)).toEqual([idOf(1)]);
    expect(run('search', 'nowhere')).toEqual({ out: '', err: 'tapefold: nothing found.\n', code: 0 });
    const { out } = run('search', 'twice');
    const [hit] = found('twice').hits;
    expect(out).toContain(`turn ${hit?.turnId} · item ${hit?.itemId}`);
    expect(run('show', idOf(2), '--turn', hit?.turnId ?? '').out).toContain('shown twice');
  }, 240_000);

  it('takes up what was written since, unless it is told not to', () => {
    const path = home();
    const run = over(path);
    expect(run('search', 'name', '--no-update')).toMatchObject({ code: 1, err: expect.stringContaining('tapefold index') });
    expect(run('search', 'name').code).toBe(0);
    appendFileSync(join(path, pathOf(1)), `${JSON.stringify(answer(1, 'and a postscript'))}\n`);
    expect(run('search', 'postscript', '--no-update').err).toMatch(/nothing found so far\.\n.*incomplete: 1 session not, or not all, in the index/);
    expect(run('search', 'postscript').out).toContain('and a postscript');
  }, 240_000);
});
