import { threadSchema } from '@tapefold/threads';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { folder, homeOf, samples, samplesCopy, shell, tapefold } from './built.suite.js';

const retry = '019c46d2-e860-71f0-9c4b-7d2e60a510b5';
const csv = '019cb927-e528-73c5-aaa9-0b1f4de070b5';
const sub = '019cb928-4c5e-777e-99d4-b8c2036af0b5';
const killed = '019cc443-97c7-75be-8c19-28d37f64e0b5';
const archived = '019a989b-385c-70d2-b7a6-c41be98e30b5';
const home = `codex=${samples}`;

const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const json = (text: string): unknown => JSON.parse(text) as unknown;
const idsOf = (text: string): string[] => z.array(threadSchema).parse(json(text)).map(({ id }) => id);
const file = (name: string): string => readdirSync(samples, { recursive: true, encoding: 'utf8' }).find((path) => path.includes(name)) ?? name;
const isRoot = process.getuid?.() === 0;

/** A session of one prompt. */
function session(id: string, extra: readonly object[] = []): object[] {
  const at = { timestamp: '2026-01-02T03:04:05.000Z' };
  return [
    { ...at, type: 'session_meta', payload: { id, timestamp: at.timestamp, cwd: '/w', originator: 'codex_cli_rs', cli_version: '0.150.0', source: 'cli', model_provider: 'openai' } },
    { ...at, type: 'event_msg', payload: { type: 'user_message', message: 'hello', images: [] } }, ...extra,
  ];
}
const rollout = (id: string): string => `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`;

describe('list', () => {
  test('shows no sub-agents and nothing archived, unless asked', () => {
    expect(idsOf(tapefold(['list', '--json', '--home', home]).out).sort()).toEqual([retry, csv, killed]);
    expect(idsOf(tapefold(['list', '--json', '--home', home, '--all', '--archived']).out).sort()).toEqual([archived, retry, csv, sub, killed]);
    const { out, err } = tapefold(['list', '--home', home, '--all', '--archived']);
    expect(err).toBe('');
    expect(lines(out)).toHaveLength(6);
    expect(out).toContain('[archived] Translate the status words');
    expect(out).toMatch(/CSV export of all parcels .*\n.*↳ Find every place/);
    expect(out).toMatch(/^019cc443-97c7 .* Run the whole end-to-end suite .* 1 {2}■ interrupted$/m);
  });

  test('is newest first, and says how many it left out', () => {
    const copy = samplesCopy();
    utimesSync(join(copy, file(retry)), new Date('2026-03-08'), new Date('2026-03-08'));
    utimesSync(join(copy, file(csv)), new Date('2026-03-05'), new Date('2026-03-05'));
    utimesSync(join(copy, file(killed)), new Date('2026-03-06'), new Date('2026-03-06'));
    const of = `codex=${copy}`;
    expect(idsOf(tapefold(['list', '--json', '--home', of]).out)).toEqual([retry, killed, csv]);
    const cut = tapefold(['list', '--limit', '1', '--home', of]);
    expect([lines(cut.out).length, cut.err]).toEqual([2, 'tapefold: 2 older sessions left out: --limit 0 shows all.\n']);
    expect(lines(tapefold(['list', '--limit', '0', '--home', of]).out)).toHaveLength(4);
    expect(idsOf(tapefold(['list', '--json', '--since', '2026-03-06T00:00:00Z', '--home', of]).out)).toEqual([retry, killed]);
    expect(idsOf(tapefold(['list', '--json', '--cwd', '/home/sam/projects/parcel-tracker', '--agent', 'codex', '--home', of]).out)).toHaveLength(3);
    expect(tapefold(['list', '--cwd', '/nowhere', '--home', of])).toEqual({ out: '', err: 'tapefold: no session matches: ask for more with --all, --archived or a wider filter.\n', code: 0 });
    expect(lines(tapefold(['show', 'last', '--home', of]).out)[2]).toBe(`- id       ${retry}`);
  });
});

describe('show', () => {
  test('is the transcript of the sample, without the turn that was rolled back', () => {
    const { out, err, code } = tapefold(['show', retry, '--home', home]);
    expect([err, code]).toEqual(['', 0]);
    expect(out).toContain('# The retry test fails about once in ten runs on CI. Find out why and fix it.\n');
    expect(out).toContain('    … 10 lines hidden …\n');
    expect(out).toContain('    A src/system-clock.ts +9 −0\n');
    expect(out).toContain('## Turn 2 · 2026-02-10 09:15 · ✓ completed in 3.6 s\n\n> No jitter after all.');
    expect(out).not.toContain('Add random jitter');
  });

  test('[R-DIA-7] a command in which the program was killed has an unknown outcome', () => {
    expect(tapefold(['show', 'last', '--turn', '-1', '--home', `codex=${samplesCopy()}`]).code).toBe(0);
    expect(tapefold(['show', killed, '--home', home]).out).toContain('- ◌ `npm run e2e -- --reporter=json > e2e.json` outcome unknown: it may have run\n\n■ The turn was interrupted here.\n');
  });

  test('--full hides nothing, --turn is one turn', () => {
    const { out } = tapefold(['show', csv, '--full', '--turn', '1', '--home', home]);
    expect(out).toContain("- ✓ `/bin/bash -lc 'npm test'` exited with 0");
    expect(out.match(/data-row/g)).toHaveLength(58);
    expect(out).not.toContain('## Turn 2');
    expect(tapefold(['show', csv, '--turn', '3', '--home', home])).toEqual({ out: '', err: 'tapefold: the thread has 2 turns, and --turn 3 is none of them: 1 is the first, -1 the last.\n', code: 2 });
  });

  test('--json is the Thread object with turns', () => {
    const { thread } = z.strictObject({ thread: threadSchema }).parse(json(tapefold(['show', csv, '--json', '--home', home]).out));
    expect(thread.turns.map(({ items }) => items.length)).toEqual([12, 4]);
    const one = z.strictObject({ thread: threadSchema }).parse(json(tapefold(['show', csv, '--json', '--turn', '-1', '--home', home]).out));
    expect(one.thread.turns).toEqual(thread.turns.slice(1));
  });

  test('ids may be shortened as far as they stay unique', () => {
    expect(tapefold(['show', '019cb927', '--home', home]).out).toContain(csv);
    const ambiguous = tapefold(['show', '019cb92', '--home', home]);
    expect([ambiguous.out, ambiguous.code]).toEqual(['', 1]);
    expect(ambiguous.err).toBe(`tapefold: 019cb92 begins more than one id, give more of it: ${csv}, ${sub}.\n`);
    expect(tapefold(['show', 'ffff', '--home', home])).toEqual({ out: '', err: 'tapefold: no thread has the id ffff: `tapefold list --all --archived` shows all of them.\n', code: 1 });
  });
});

describe('facts and doctor', () => {
  test('facts are one a line, in order of their positions, as many as doctor counts', () => {
    const facts = lines(tapefold(['facts', csv, '--home', home]).out).map((line) => z.looseObject({ position: z.number(), tape: z.string(), type: z.string() }).parse(json(line)));
    expect(facts.map(({ position }) => position)).toEqual(facts.map((_, i) => i));
    const [report] = z.array(z.looseObject({ facts: z.number() })).parse(json(tapefold(['doctor', csv, '--json', '--home', home]).out));
    expect(report?.facts).toBe(facts.length);
  });

  test('a fact nested without end is written', () => {
    const id = '019b0000-0000-7000-8000-000000000001';
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const marker = '"@deep@"';
    const line = JSON.stringify({ timestamp: '2026-01-02T03:04:06.000Z', type: 'tomorrow', payload: { value: '@deep@' } }).replace(marker, deep);
    const of = `codex=${homeOf({ [rollout(id)]: [...session(id), line] })}`;
    for (const args of [['facts', id], ['doctor', id, '--json']]) expect(tapefold([...args, '--home', of])).toMatchObject({ err: '', code: 0 });
    expect(tapefold(['show', id, '--home', of])).toMatchObject({ err: expect.stringContaining('1 of its lines cannot be read') as unknown, code: 0 });
  });

  test('[R-TAPE-2] the ledgers of the samples add up', () => {
    const { out, code } = tapefold(['doctor', '--home', home]);
    expect(code).toBe(0);
    expect(lines(out)).toHaveLength(9);
    expect(out).toContain('\n✓ Every ledger adds up.\n');
    expect(tapefold(['doctor', killed, '--home', home]).out).toContain('✓ It adds up: 11 + 0 + 0 + 0 + 0 = 11 lines.');
  });

  test('[R-TAPE-2] damage is a finding, not a failure', () => {
    const id = '019b0000-0000-7000-8000-000000000002';
    const of = homeOf({ [rollout(id)]: [...session(id), '{"timestamp":"2026', '', { timestamp: 'x', type: 'tomorrow', payload: {} }] });
    writeFileSync(join(of, rollout(id)), '{"torn":', { flag: 'a' });
    const { out, code } = tapefold(['doctor', join(of, rollout(id)), '--json', '--home', home]);
    const report = { path: join(of, rollout(id)), threadId: id, problem: null, addsUp: true, linesTotal: 6, linesPlayed: 2, linesUnknown: 1, linesDamaged: 2, linesBlank: 1, linesIgnored: 0 };
    expect([code, json(out)]).toMatchObject([0, [report]]);
    expect(tapefold(['show', id, '--home', `codex=${of}`])).toMatchObject({ code: 0 });
  });
});

describe('why', () => {
  test('[R-TAPE-6] says in a sentence why something is in the list, or not', () => {
    expect(tapefold(['why', csv, '--home', home]).out).toMatch(/^✓ listed · .*\nIt is thread 019cb927-.*, and the list shows it\.\n$/);
    expect(tapefold(['why', archived, '--home', home]).out).toMatch(/^✗ not listed · .*\n.*archived.*\n$/);
    expect(tapefold(['why', 'session_index.jsonl', '--home', home], { cwd: samples }).out).toMatch(/^✗ not listed · .*session_index\.jsonl\n.*index of the names.*\n$/);
  });
});

describe('homes', () => {
  test('named ones come first, then CODEX_HOME, then ~/.codex', () => {
    const id = '019b0000-0000-7000-8000-000000000003';
    const other = homeOf({ [rollout(id)]: session(id) });
    const user = folder();
    mkdirSync(join(user, '.codex'));
    expect(idsOf(tapefold(['--home', `codex=${other}`, 'list', '--json', '--home', home], { env: { CODEX_HOME: '/nowhere' } }).out).sort()).toEqual([id, retry, csv, killed].sort());
    expect(idsOf(tapefold(['list', '--json'], { env: { CODEX_HOME: other, HOME: user } }).out)).toEqual([id]);
    expect(idsOf(shell(`ln -s ${other}/sessions ${user}/.codex/sessions; tapefold list --json`, { HOME: user }).out)).toEqual([id]);
  });

  test.each(['/nowhere', 'empty'])('with nothing in %s the samples are shown, and it is said', (place) => {
    const path = place === 'empty' ? folder() : place;
    const { out, err, code } = tapefold(['list', '--agent', 'codex'], { env: { CODEX_HOME: path, CLAUDE_CONFIG_DIR: '/nowhere', KIMI_CODE_HOME: '/nowhere', KIMI_SHARE_DIR: '/nowhere' } });
    const reason = `${path} ${place === 'empty' ? 'holds no sessions' : 'does not exist'}, /nowhere does not exist, /nowhere does not exist and /nowhere does not exist`;
    expect(err).toBe(`tapefold: ${reason}, so these are the samples: name your own home with --home codex=DIR, claude=DIR, kimi=DIR or native=DIR.\n`);
    expect([lines(out).length, code]).toEqual([4, 0]);
  });

  test('a named home has to exist, and may be empty', () => {
    expect(tapefold(['list', '--home', 'codex=/nowhere'])).toEqual({ out: '', err: 'tapefold: the home /nowhere does not exist: check --home, CODEX_HOME, CLAUDE_CONFIG_DIR, KIMI_CODE_HOME, KIMI_SHARE_DIR and TAPEFOLD_HOME.\n', code: 1 });
    expect(tapefold(['list', '--home', `codex=${folder()}`])).toEqual({ out: '', err: 'tapefold: there are no sessions here: --all shows sub-agents, --archived archived ones.\n', code: 0 });
    expect(tapefold(['list', '--json', '--home', `codex=${folder()}`])).toEqual({ out: '[]\n', err: '', code: 0 });
    expect(tapefold(['show', 'last', '--home', `codex=${folder()}`])).toMatchObject({ out: '', code: 1 });
  });

  test('[R-TAPE-6] what cannot be read is said, and the rest is shown', () => {
    const copy = samplesCopy();
    mkdirSync(join(copy, rollout('019b0000-0000-7000-8000-000000000004')), { recursive: true });
    const { out, err, code } = tapefold(['list', '--home', `codex=${copy}`]);
    expect(err).toMatch(/^tapefold: \S+019b0000-0000-7000-8000-000000000004\.jsonl is a folder where a session file should be\.\n$/);
    // It is a row of its own as well, with the reason below.
    expect([lines(out).length, code]).toEqual([6, 0]);
    expect(tapefold(['doctor', '--home', `codex=${copy}`]).err).toBe(err);
  });

  test.skipIf(isRoot)('[R-TAPE-6] a file that cannot be read is said', () => {
    const copy = samplesCopy();
    chmodSync(join(copy, file(retry)), 0);
    const { out, err, code } = tapefold(['list', '--home', `codex=${copy}`]);
    expect(out + err).toMatch(/rollout-2026-02-10.*|019c46d2.*cannot be read/);
    expect(code).toBe(0);
  });

  test('nothing is ever written to a home', () => {
    const copy = samplesCopy();
    const state = (): string[] => readdirSync(copy, { recursive: true, encoding: 'utf8' }).sort().map((path) => `${path} ${statSync(join(copy, path)).mtimeMs}`);
    const before = state();
    for (const args of [['list', '--all'], ['show', 'last'], ['facts', csv], ['doctor'], ['why', csv]]) tapefold([...args, '--home', `codex=${copy}`]);
    expect(state()).toEqual(before);
  });
});

describe('as a citizen of the shell', () => {
  test('wrong use is one sentence and exit code 2', () => {
    expect(tapefold(['lst'])).toEqual({ out: '', err: "tapefold: unknown command 'lst' (Did you mean list?): see tapefold --help.\n", code: 2 });
    expect(tapefold(['list', '--jsn'])).toEqual({ out: '', err: "tapefold: unknown option '--jsn' (Did you mean --json?): see tapefold --help.\n", code: 2 });
    expect(tapefold(['show'])).toMatchObject({ out: '', code: 2 });
    for (const args of [['list', '--limit', 'x'], ['list', '--since', 'soon'], ['list', '--agent', 'gemini'], ['list', '--home', '/x'], ['--home'], ['list', 'extra']]) {
      const { out, err, code } = tapefold(args);
      expect([out, code]).toEqual(['', 2]);
      expect(err).toMatch(/^tapefold: [^\n]+\n$/);
    }
  });

  test('help and version', () => {
    expect(tapefold([])).toMatchObject({ err: '', code: 0 });
    expect(tapefold([]).out).toBe(tapefold(['--help']).out);
    expect(tapefold(['--help']).out).toContain('Exit codes: 0 done');
    expect(tapefold(['help', 'show']).out).toContain('--full');
    const manifest = z.looseObject({ version: z.string() }).parse(json(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
    expect(tapefold(['--version'])).toEqual({ out: `${manifest.version}\n`, err: '', code: 0 });
  });

  test('a reader that goes away ends it quietly', () => {
    const many = homeOf(Object.fromEntries(Array.from({ length: 3 }, (_, n) => {
      const id = `019b0000-0000-7000-8000-00000000001${n}`;
      return [rollout(id), session(id, Array.from({ length: 20_000 }, () => ({ timestamp: 'x', type: 'event_msg', payload: { type: 'agent_message', message: 'words '.repeat(20) } })))];
    })));
    for (const args of ['facts 019b0000-0000-7000-8000-000000000010', 'show 019b0000-0000-7000-8000-000000000010', 'show --json 019b0000-0000-7000-8000-000000000010']) {
      const { out, err, code } = shell(`set -o pipefail; tapefold ${args} --home codex=${many} | head -1`);
      expect([lines(out).length, err, code]).toEqual([1, '', 0]);
    }
  });

  test('colours only where they are wanted', () => {
    expect(tapefold(['list', '--home', home]).out).not.toContain('\u001b');
    expect(tapefold(['list', '--home', home], { env: { FORCE_COLOR: '1' } }).out).toContain('\u001b[1m');
    expect(tapefold(['list', '--home', home], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).out).not.toContain('\u001b');
  });

  test('a packed install brings the samples', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)), shell: process.platform === 'win32' });
    const [{ files }] = z.tuple([z.looseObject({ files: z.array(z.looseObject({ path: z.string() })) })]).parse(json(stdout.slice(stdout.indexOf('['))));
    const packed = files.map(({ path }) => path);
    expect(packed).toEqual(expect.arrayContaining(['bundle/main.js', 'bundle/index-worker.js', 'bundle/samples/codex/session_index.jsonl', 'bundle/samples/claude/history.jsonl', 'bundle/samples/kimi/workspaces.json', 'bundle/samples/kimi-cli/kimi.json']));
    // npm writes stars for what looks like a secret to it, ids for example.
    expect(packed.filter((path) => path.startsWith('bundle/samples/codex/sessions/2026/'))).toHaveLength(4);
    expect(packed.filter((path) => /\.(?:test|suite)\.|^src/.test(path))).toEqual([]);
  });
});
