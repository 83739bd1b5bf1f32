import { ESC, hostile, unsafe } from '../hostile.suite.js';
import type { Turn } from '@tapefold/threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPaint } from '../../text/line.js';
import { agent, agentCall, command, everyItem, fullView, item, mcp, text, thread, turn, user, view } from '../hand-made.suite.js';
import { itemLines } from './item-lines.js';
import { threadHeading } from './thread-heading.js';
import { turnLines } from './turn-lines.js';

const shown = (one: Parameters<typeof itemLines>[0], at = view): string => text(itemLines(one, at));

describe('a turn', () => {
  test('reads like Markdown: heading, prompt, tools, answer', () => {
    const made = turn([
      user('Add a CSV export\nof all parcels'), item('reasoning', { summary: ['**Planning**\n\nI need the shape.'], content: ['secret thoughts'] }),
      command("/bin/bash -lc 'npm test'", { exitCode: 1, status: 'failed', aggregatedOutput: 'one\n\ntwo\n\n', durationMs: 3210 }), agent('Done.\n\n- one\n- two\n'),
    ]);
    expect(text(turnLines(made, 3, view))).toBe([
      '## Turn 3 · 2026-03-02 09:00 · ✓ completed in 12.0 s', '', '> Add a CSV export', '> of all parcels', '', '- ◇ Thought: Planning', '- ✗ `npm test` exited with 1 · 3.2 s', '    one', '', '    two', '',
      'Done.', '', '- one', '- two',
    ].join('\n'));
  });

  test.each<[Turn['status'], Partial<Turn>, string]>([
    ['completed', { durationMs: null, startedAt: null }, '## Turn 1 · ✓ completed'],
    ['inProgress', { durationMs: null }, '## Turn 1 · 2026-03-02 09:00 · ● was running'],
    ['interrupted', { durationMs: 125_000 }, '## Turn 1 · 2026-03-02 09:00 · ■ was interrupted after 2m 05s\n\n■ The turn was interrupted here.'],
    ['failed', { error: { message: 'out of\ntokens', codexErrorInfo: null, additionalDetails: 'limit 5', misalignment: null } },
      '## Turn 1 · 2026-03-02 09:00 · ✗ failed after 12.0 s\n\n✗ out of\n  tokens\n  limit 5'],
  ])('[R-SCR-8] %s is said in the past', (status, fields, expected) => {
    expect(text(turnLines(turn([], { status, ...fields }), 1, view))).toBe(expected);
  });
});

test('the heading says what the thread is', () => {
  expect(text(threadHeading(thread({ forkedFromId: 'f0', gitInfo: { sha: '4f1c2d7be0a95d36', branch: 'main', originUrl: null } }), 2, view))).toBe([
    '# Add a CSV export', '', '- id       019cb927-e528-73c5-aaa9-0b1f4de070b5', '- agent    codex 0.171.0', '- model    gpt-5.5 (medium) by openai', '- cwd      ~/w', '- git      main 4f1c2d7be0',
    '- fork of  f0', '- started  2026-03-02 09:00', '- changed  2026-03-02 10:00', '- file     ~/.codex/sessions/rollout-x.jsonl', '- turns    2',
  ].join('\n'));
});

describe('commands', () => {
  test.each([
    [command('ls'), '- ✓ `ls` exited with 0'],
    [command('ls', { exitCode: null }), '- ✓ `ls` completed'],
    [command('ls', { status: 'failed', exitCode: null }), '- ✗ `ls` failed'],
    [command('ls', { status: 'declined', exitCode: null }), '- ⊘ `ls` was declined'],
    [command('ls', { status: 'inProgress', exitCode: null }), '- ● `ls` was running'],
    [command('ls', { status: 'inProgress', exitCode: null, outcome: 'unknown' }), '- ◌ `ls` outcome unknown: it may have run'],
    [command('ls', { status: 'failed', exitCode: 130, outcome: 'interrupted' }), '- ■ `ls` was interrupted'],
    [command('ls', { status: 'failed', exitCode: null, outcome: 'timedOut' }), '- ◷ `ls` timed out'],
    [command('ls', { status: 'failed', exitCode: null, outcome: 'cancelled' }), '- ∅ `ls` was cancelled'],
    [command('ls', { cwd: '/home/sam/other', source: 'userShell', durationMs: 7 }), '- ✓ `ls` exited with 0 · 7 ms · in ~/other · typed by the person'],
    [command("bash -c \"echo \\\"a\\\" | wc\nls 'b'\""), "- ✓ `echo \"a\" | wc ls 'b'` exited with 0"],
    [command('echo `date`'), '- ✓ `` echo `date` `` exited with 0'],
  ])('[R-SCR-8] [R-DIA-7] %#: the end in words of the past', (one, expected) => {
    expect(shown(one)).toBe(expected);
  });

  test('[R-SCR-1] output is cut to head and tail with the exact number of hidden lines', () => {
    const output = Array.from({ length: 10_000 }, (_, i) => `line ${i + 1}`).join('\n');
    const lines = shown(command('seq', { aggregatedOutput: `${output}\n` })).split('\n');
    expect(lines).toHaveLength(14);
    expect(lines[6]).toBe('    line 6');
    expect(lines[7]).toBe('    … 9,988 lines hidden …');
    expect(lines[8]).toBe('    line 9995');
    expect(shown(command('seq', { aggregatedOutput: output }), fullView).split('\n')).toHaveLength(10_001);
  });

  test('[R-SCR-1] fewer lines than a cut is worth are all shown, and a long line is cut, too', () => {
    const output = Array.from({ length: 14 }, () => 'x').join('\n');
    expect(shown(command('seq', { aggregatedOutput: output })).split('\n')).toHaveLength(15);
    expect(shown(command('seq', { aggregatedOutput: 'y'.repeat(1_000_000) }))).toBe(`- ✓ \`seq\` exited with 0\n    ${'y'.repeat(400)} … 999,600 more characters`);
    expect(shown(command('seq', { aggregatedOutput: 'y'.repeat(1_000_000) }), fullView)).toContain('y'.repeat(1_000_000));
  });

  test('a script of several lines is one line, and whole in the full view', () => {
    const script = command('for i in 1 2\ndo\n  echo $i\ndone');
    expect(shown(script)).toBe('- ✓ `for i in 1 2 do echo $i done` exited with 0');
    expect(shown(script, fullView)).toBe('- ✓ `for i in 1 2` exited with 0\n    do\n      echo $i\n    done');
  });
});

describe('other items', () => {
  test('file changes: counts per file, diff, where it moved', () => {
    const made = item('fileChange', { status: 'completed', changes: [
      { path: '/home/sam/w/a.ts', kind: { type: 'update', move_path: '/home/sam/b.ts' }, diff: '--- a.ts\n+++ b.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n+more\n same\n\n\nMoved to: /home/sam/b.ts' },
      { path: '/home/sam/w/n.ts', kind: { type: 'add' }, diff: 'one\ntwo\n' }, { path: '/etc/d', kind: { type: 'delete' }, diff: 'gone\n' },
    ] });
    expect(shown(made)).toBe([
      '- ✓ Change of 3 files was made', '    M a.ts → ~/b.ts +2 −1', '    --- a.ts', '    +++ b.ts', '    @@ -1,2 +1,2 @@', '    -old', '    +new', '    +more', '     same', '    A n.ts +2 −0', '    +one', '    +two',
      '    D /etc/d +0 −1', '    -gone',
    ].join('\n'));
  });

  test.each([
    [mcp({ result: { content: [{ type: 'text', text: 'found' }, { type: 'image', data: 'AAAA', mimeType: 'image/png' }], structuredContent: null, _meta: null }, durationMs: 250 }),
      '- ✓ `docs.find({"q":"csv"})` completed · 250 ms\n    found\n    [image image/png]'],
    [mcp({ status: 'failed', error: { message: 'no such tool' }, arguments: null }), '- ✗ `docs.find()` failed\n    no such tool'],
    [mcp({ status: 'inProgress', outcome: 'unknown' }), '- ◌ `docs.find({"q":"csv"})` outcome unknown: it may have run'],
    [agentCall({ prompt: 'Find CSV', model: 'm', reasoningEffort: 'low', agentsStates: { b: { status: 'pendingInit', message: null } } }), '- ✓ Sub-agent `b` was started · m low\n    > Find CSV\n    `b` was about to start'],
    [agentCall({ tool: 'closeAgent', status: 'failed', agentsStates: { b: { status: 'notFound', message: null } } }), '- ✗ Closing of sub-agent `b` failed\n    `b` was not found'],
    [item('subAgentActivity', { model: null, reasoningEffort: null, kind: 'interrupted', agentThreadId: 'b', agentPath: '/root/x' }), '- ↳ Sub-agent was interrupted `/root/x` b'],
    [item('webSearch', { query: 'q', action: { type: 'search', query: 'a', queries: ['a', 'b'] }, results: null }), '- ✓ The web was searched for `a`, `b`'],
    [item('webSearch', { query: 'q', action: { type: 'findInPage', url: 'https://example.com', pattern: 'p' }, results: null }), '- ✓ Web page `https://example.com` was searched for `p`'],
    [item('imageView', { path: '/home/sam/p.png' }), '- ✓ Image `~/p.png` was viewed'],
    [item('contextCompaction', {}), '── ≡ Context was compacted: from here on the model read a summary of what stands above ──'],
    [item('exitedReviewMode', { review: 'Fine.' }), '── « Code review was finished ──\nFine.'],
    [item('userMessage', { clientId: null, content: [{ type: 'localAudio', path: '/home/sam/a.wav' }] }), '> ⚠ audio that a terminal cannot play: ~/a.wav'],
    [user(''), '> (empty message)'],
  ])('%#', (one, expected) => {
    expect(shown(one)).toBe(expected);
  });

  test('[R-SCR-1] raw reasoning is shown only in the full view', () => {
    const raw = item('reasoning', { summary: [], content: ['raw thought'] });
    expect(shown(raw)).toBe('');
    expect(shown(raw, fullView)).toBe('- ◇ Thought\n    raw thought');
  });

  test('[R-SCR-2] hidden directives are not shown', () => {
    expect(shown(agent('Committed.\n\n::git-commit{cwd="/w"}'))).toBe('Committed.');
  });

  test('arguments nested without end are shown', () => {
    let deep: Parameters<typeof mcp>[0] = { arguments: 1 };
    for (let i = 0; i < 100_000; i += 1) deep = { arguments: [deep.arguments ?? null] };
    expect(shown(mcp(deep))).toContain('`docs.find([[[[');
  });
});

describe('tools of Claude Code and of Kimi', () => {
  const claude = { ...view, program: 'claude' as const };
  const tool = (name: string, input: unknown, fields: object = {}): Parameters<typeof itemLines>[0] =>
    item('dynamicToolCall', { namespace: null, tool: name, arguments: input as never, status: 'completed', contentItems: [{ type: 'inputText', text: 'result' }], success: true, durationMs: null, ...fields });
  test.each<[string, unknown, string]>([
    ['Read', { file_path: '/home/sam/w/src/a.ts', limit: 5 }, '- ✓ `Read src/a.ts` completed\n    result'],
    ['Grep', { pattern: 'x|y', path: '/home/sam/w/src' }, '- ✓ `Grep x|y in src` completed\n    result'],
    ['TodoWrite', { todos: [{ content: 'one', status: 'completed' }, { content: 'two', status: 'in_progress' }, { content: 'three', status: 'odd' }, 4] }, '- ✓ List of 3 tasks was written\n    [x] one\n    [~] two\n    [ ] three'],
    ['AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] }, '- ✓ 1 question to the person was answered\n    ? Which?\n      - A\n      - B\n    result'],
    ['EnterPlanMode', {}, '- ✓ Plan mode was entered'],
    ['Read', { path: 1 }, '- ✓ `Read({"path":1})` completed\n    result'],
    ['toString', { a: 1 }, '- ✓ `toString({"a":1})` completed\n    result'],
    ['Glob', null, '- ✓ `Glob()` completed\n    result'],
  ])('[R-SCR-8] %s reads as what it does', (name, input, expected) => {
    expect(shown(tool(name, input), claude)).toBe(expected);
  });

  const kimi = { ...view, program: 'kimi' as const };
  test.each<[string, unknown, string]>([
    ['Read', { path: '/home/sam/w/src/a.ts' }, '- ✓ `Read src/a.ts` completed\n    result'],
    ['ReadFile', { path: 'src/a.ts' }, '- ✓ `ReadFile src/a.ts` completed\n    result'],
    ['Grep', { pattern: 'x|y', path: '/home/sam/w/src' }, '- ✓ `Grep x|y in src` completed\n    result'],
    ['TodoList', { todos: [{ title: 'one', status: 'done' }, { title: 'two', status: 'in_progress' }] }, '- ✓ List of 2 tasks was written\n    [x] one\n    [~] two'],
    ['TodoList', {}, '- ✓ `TodoList({})` completed\n    result'],
    ['SetTodoList', { todos: [{ title: 'one', status: 'pending' }] }, '- ✓ List of 1 task was written\n    [ ] one'],
    ['AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] }, '- ✓ 1 question to the person was answered\n    ? Which?\n      - A\n    result'],
    ['EnterPlanMode', {}, '- ✓ Plan mode was entered'],
    ['TaskStop', { task_id: 'bash-1' }, '- ✓ `TaskStop bash-1` completed\n    result'],
    ['constructor', { a: 1 }, '- ✓ `constructor({"a":1})` completed\n    result'],
    ['Glob', null, '- ✓ `Glob()` completed\n    result'],
  ])('[R-SCR-8] %s of Kimi reads as what it does', (name, input, expected) => {
    expect(shown(tool(name, input), kimi)).toBe(expected);
  });

  test('[R-SCR-8] one that failed says why', () => {
    expect(shown(tool('TodoWrite', { todos: [] }, { status: 'failed' }), claude)).toBe('- ✗ List of 0 tasks failed\n    result');
    expect(shown(tool('Read', { file_path: '/x' }))).toBe('- ✓ `Read({"file_path":"/x"})` completed\n    result');
  });

  test('an error that is also said as a message is said once; an answer begins with words', () => {
    const error = { message: 'API Error: 400', codexErrorInfo: null, additionalDetails: null, misalignment: null };
    expect(text(turnLines(turn([user('go'), agent('API Error: 400')], { status: 'failed', error, durationMs: null }), 1, claude)).split('\n').filter((line) => line.includes('400'))).toEqual(['✗ API Error: 400']);
    expect(shown(agent('\n\n  indented'))).toBe('  indented');
  });

  test('[R-SEC-2] no control byte of their arguments reaches the terminal', () => {
    const unsafeTools = (words: string) => ['Read', 'Grep', 'TodoWrite', 'AskUserQuestion', 'Skill'].map((name) => tool(name, { file_path: words, pattern: words, path: words, skill: words, todos: [{ content: words, status: words }], questions: [{ question: words, options: [{ label: words }] }] }));
    fc.assert(fc.property(hostile, (words) => {
      for (const one of unsafeTools(words)) for (const agent of [claude, kimi]) for (const line of itemLines(one, agent)) expect(unsafe.test(createPaint(false)(line))).toBe(false);
    }));
  });
});

describe('[R-SEC-2] hostile transcripts', () => {
  test('an escape sequence is written out, never sent', () => {
    const link = `${ESC}]8;;https://evil.example.com${ESC}\\click${ESC}]8;;${ESC}\\`;
    expect(shown(command('ls', { aggregatedOutput: `${ESC}[31mred${ESC}[0m ${ESC}[2J${link}\u202egnp.exe` }))).toBe(
      '- ✓ `ls` exited with 0\n    red \\u{1b}[2J\\u{1b}]8;;https://evil.example.com\\u{1b}\\click\\u{1b}]8;;\\u{1b}\\\\u{202e}gnp.exe',
    );
  });

  test('no control byte of any string of a thread reaches the terminal, with and without colours', () => {
    fc.assert(fc.property(hostile, fc.boolean(), (words, isFull) => {
      const at = { ...view, isFull };
      const made = thread({ name: words, cwd: words, model: words, modelProvider: words, path: words, id: words, cliVersion: words, agentNickname: words, gitInfo: { sha: words, branch: words, originUrl: words } });
      const error = { message: words, codexErrorInfo: null, additionalDetails: words, misalignment: null };
      const lines = [...threadHeading(made, 1, at), ...turnLines(turn(everyItem(words), { status: 'failed', error }), 1, at)];
      for (const line of lines) {
        expect(unsafe.test(createPaint(false)(line))).toBe(false);
        // oxlint-disable-next-line no-control-regex -- our own colours
        expect(unsafe.test(createPaint(true)(line).replace(/\u001b\[\d+m/g, ''))).toBe(false);
      }
    }));
  });
});
