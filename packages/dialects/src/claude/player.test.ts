import type { Fact, FactOf, FactType } from '@tapefold/facts';
import { fileOf, playAll } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { makePlayer } from './corpus.suite.js';
import { screenOf } from './screen.suite.js';

let count = 0;
const uuid = (): string => `u${(count += 1)}`;
type Raw = Record<string, unknown>;

/** Lines of a session, each below the one before unless it says otherwise. */
function session(...lines: Raw[]): Fact[] {
  let above: string | null = null;
  const raws = lines.map((line, i) => {
    if (line['beside'] !== undefined) return line['beside'];
    const raw: Raw = { uuid: uuid(), parentUuid: above, isSidechain: false, sessionId: 's', version: '2.1.197', cwd: '/w', timestamp: `2026-01-01T00:00:${String(i).padStart(2, '0')}.000Z`, ...line };
    above = String(raw['uuid'] as string);
    return raw;
  });
  return playAll(makePlayer('11111111-1111-4111-8111-111111111111.jsonl'), fileOf(raws)).facts;
}

const user = (content: unknown, more: Raw = {}): Raw => ({ type: 'user', message: { role: 'user', content }, ...more });
const assistant = (id: string, block: unknown, more: Raw = {}): Raw => ({ type: 'assistant', message: { id, role: 'assistant', model: 'claude-x', content: [block], stop_reason: null, ...more } });
const text = (words: string): unknown => ({ type: 'text', text: words });
const call = (id: string, name: string, input: unknown = {}): unknown => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: Raw = {}): Raw => ({ ...user([{ type: 'tool_result', tool_use_id: id, content }]), ...more });
const failure = (id: string, content: unknown, more: Raw = {}): Raw => ({ ...user([{ type: 'tool_result', tool_use_id: id, content, is_error: true }]), ...more });
const attachment = (fields: Raw): Raw => ({ type: 'attachment', attachment: fields });
const system = (subtype: string, fields: Raw = {}): Raw => ({ type: 'system', subtype, ...fields });
const beside = (line: Raw): Raw => ({ beside: line });

function all<T extends FactType>(facts: readonly Fact[], type: T): FactOf<T>[] {
  return facts.filter((fact): fact is FactOf<T> => fact.type === type);
}
const completed = (facts: readonly Fact[], id: string) => all(facts, 'item.completed').filter((fact) => fact.id === id).at(-1);

describe('[R-THR-1] tools as items', () => {
  const run = (name: string, input: unknown, answer: Raw): Fact[] => session(user('Q'), assistant('m1', call('T', name, input)), answer);

  it('Bash is a command; a failed one tells its exit code and what it printed', () => {
    const facts = run('Bash', { command: 'ls' }, failure('T', 'Exit code 3\nno such file', { toolUseResult: 'Error: Exit code 3\nno such file' }));
    expect(completed(facts, 'T')).toMatchObject({ body: { kind: 'command', command: 'ls', cwd: '/w', source: 'agent', status: 'failed', exitCode: 3, output: 'no such file' }, tool: { name: 'Bash', input: { command: 'ls' } } });
  });

  it('an over-long output is a preview in the line, and the file beside the session is named', () => {
    const facts = run('Bash', { command: 'seq' }, result('T', '<persisted-output>…', { toolUseResult: { stdout: 'a longer text than the preview', interrupted: false, persistedOutputPath: '/home/x/s/tool-results/abc.txt', persistedOutputSize: 9 } }));
    expect(completed(facts, 'T')).toMatchObject({ body: { output: 'a longer text than the preview' } });
    expect(all(facts, 'media.referenced')).toMatchObject([{ key: 'tool-results/abc.txt', sizeBytes: 9 }]);
  });

  it('Edit and Write are file changes with a unified diff or the new content', () => {
    const patch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', '+c'] }];
    const edit = run('Edit', { file_path: '/w/a', old_string: 'b', new_string: 'c' }, result('T', 'updated', { toolUseResult: { filePath: '/w/a', structuredPatch: patch } }));
    expect(completed(edit, 'T')).toMatchObject({ body: { kind: 'fileChange', status: 'completed', changes: [{ path: '/w/a', kind: 'update', diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n' }] }, tool: { output: 'updated' } });
    const write = run('Write', { file_path: '/w/n', content: 'new\n' }, result('T', 'created', { toolUseResult: { type: 'create', filePath: '/w/n', structuredPatch: [] } }));
    expect(completed(write, 'T')).toMatchObject({ body: { changes: [{ path: '/w/n', kind: 'add', diff: 'new\n' }] } });
  });

  it('MCP, web, plan and others', () => {
    expect(completed(run('mcp__linear-server__get_issue', { id: 1 }, result('T', [{ type: 'text', text: 'x' }])), 'T')).toMatchObject({ body: { kind: 'mcpCall', server: 'linear-server', tool: 'get_issue', result: { content: [{ type: 'text', text: 'x' }] } } });
    expect(completed(run('mcp__a__b', {}, failure('T', 'boom')), 'T')).toMatchObject({ body: { kind: 'mcpCall', status: 'failed', error: 'boom' } });
    expect(completed(run('WebFetch', { url: 'https://example.com' }, result('T', 'page')), 'T')).toMatchObject({ body: { kind: 'webSearch', action: { kind: 'openPage', url: 'https://example.com' }, status: 'completed' }, tool: { output: 'page' } });
    expect(completed(run('ExitPlanMode', { plan: 'P1' }, result('T', 'approved', { toolUseResult: { plan: 'P2', filePath: '/p.md' } })), 'T')).toMatchObject({ body: { kind: 'plan', text: 'P2' } });
    expect(completed(run('Read', { file_path: '/w/a' }, result('T', '1\tx', { toolUseResult: { type: 'text', file: { filePath: '/w/a', content: 'x', numLines: 1 } } })), 'T')).toMatchObject({
      body: { kind: 'toolCall', tool: 'Read', isSuccess: true, output: [{ kind: 'text', text: '1\tx' }] }, tool: { display: { type: 'text', filePath: '/w/a', numLines: 1 } },
    });
  });

  it('lists of things to do: whole from the older tool, entry by entry from the newer ones', () => {
    const older = run('TodoWrite', { todos: [{ content: 'a', status: 'in_progress' }] }, result('T', 'ok', { toolUseResult: { newTodos: [{ content: 'a', status: 'completed' }] } }));
    expect(all(older, 'todo.replaced').map(({ entries }) => entries)).toEqual([[{ title: 'a', status: 'completed' }]]);
    const newer = session(
      user('Q'), assistant('m1', call('A', 'TaskCreate', { subject: 'one' })), result('A', 'ok', { toolUseResult: { task: { id: '1', subject: 'one' } } }),
      assistant('m2', call('B', 'TaskUpdate', { taskId: '1', status: 'completed' })), result('B', 'ok', { toolUseResult: { success: true, taskId: '1', statusChange: { from: 'pending', to: 'completed' } } }),
    );
    expect(all(newer, 'todo.replaced').at(-1)?.entries).toEqual([{ id: '1', title: 'one', status: 'completed' }]);
  });
});

describe('[R-DIA-7] how a call ended', () => {
  const status = (answer: Raw, name = 'Bash', ...more: Raw[]): string => screenOf(session(user('Q'), assistant('m1', call('T', name, { command: 'c' })), answer, ...more))[0]?.split(' · ')[1] ?? '';
  const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected";

  it.each([
    ['done', result('T', 'ok'), 'completed'],
    ['error', failure('T', 'no'), 'failed'],
    ['interrupted by a flag', result('T', 'part', { toolUseResult: { stdout: 'part', interrupted: true } }), 'interrupted'],
    ['rejected without a word', failure('T', rejected, { toolUseResult: 'User rejected tool use' }), 'declined'],
    ['rejected with feedback', failure('T', `${rejected}. To tell you how to proceed, the user said:\nno`, { toolUseResult: 'Error: …' }), 'declined'],
    ['denied by the permission mode', failure('T', 'Claude requested permissions to use Bash'), 'declined'],
    ['denied, as a field says', failure('T', 'no', { toolDenialKind: 'user' }), 'declined'],
    ['timed out', failure('T', 'Exit code 143\nCommand timed out after 1s'), 'timedOut'],
  ])('%s', (_what, answer, expected) => {
    expect(status(answer)).toBe(`$ c [${expected}]`);
  });

  it('a rejection with the interrupt marker behind it was a stop; a call without result stays open', () => {
    expect(status(failure('T', rejected, { toolUseResult: 'User rejected tool use' }), 'Bash', user([text('[Request interrupted by user for tool use]')]))).toBe('$ c [interrupted]');
    expect(screenOf(session(user('Q'), assistant('m1', call('T', 'Bash', { command: 'c' }))))).toEqual(['Q · $ c [running] · ?interrupted']);
  });

  it('a question that was dismissed is no error', () => {
    const facts = session(user('Q'), assistant('m1', call('T', 'AskUserQuestion', { questions: [] })), failure('T', 'not now'));
    expect(all(facts, 'interaction.resolved')).toMatchObject([{ id: 'T', outcome: 'dismissed' }]);
    expect(completed(facts, 'T')).toMatchObject({ body: { status: 'declined' } });
  });
});

describe('[R-DIA-3] turns', () => {
  it('ends as its lines say: an interrupt at once, a failed request with its words, a duration where the file has it', () => {
    expect(screenOf(session(user('Q'), assistant('m1', text('part')), user([text('[Request interrupted by user]')])))).toEqual(['Q · part · interrupted']);
    const failed = session(user('Q'), { ...assistant('m1', text('API Error: 400')), isApiErrorMessage: true, apiErrorStatus: 400, error: 'invalid_request' });
    expect(all(failed, 'turn.changed').at(-1)).toMatchObject({ settlesAs: 'failed', error: { message: 'API Error: 400', kind: 'invalid_request', code: 400 } });
    expect(all(session(user('Q'), assistant('m1', text('A')), system('turn_duration', { durationMs: 7 })), 'turn.ended')).toMatchObject([{ status: 'completed', durationMs: 7 }]);
  });

  it('goes on after an end that a record told', () => {
    const facts = session(user('Q'), assistant('m1', text('A')), system('turn_duration', { durationMs: 7 }), assistant('m2', text('B')));
    expect(screenOf(facts)).toEqual(['Q · A · B · ?completed']);
  });

  it('shell input is a command of the person, a slash command a turn, an expanded one asks the model', () => {
    expect(screenOf(session(user('<bash-input>ls</bash-input>'), user('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>'), assistant('m1', text('I see.'))))).toEqual(['$ ls [completed] · I see. · ?completed']);
    expect(screenOf(session(user('<command-name>/init</command-name>\n<command-args>now</command-args>'), user('Please analyse', { isMeta: true })))).toEqual(['/init now · ?interrupted']);
    expect(screenOf(session(user('<command-name>/cost</command-name>'), user('<local-command-stdout>1 $</local-command-stdout>')))).toEqual(['/cost · > 1 $ · ?completed']);
  });

  it('a file that begins with an answer has a turn that nobody opened', () => {
    expect(all(session(assistant('m1', text('A'))), 'turn.started')).toMatchObject([{ isImplicit: true }]);
  });

  it('what a killed session gets when it is taken up again is no turn', () => {
    const facts = session(
      user('Q'), assistant('m1', call('T', 'Bash')), user('Continue from where you left off.', { isMeta: true }),
      { type: 'assistant', message: { id: 'x', model: '<synthetic>', role: 'assistant', content: [text('No response requested.')] } }, user('Q2'),
    );
    expect(screenOf(facts)).toEqual(['Q · $  [running] · interrupted', 'Q2 · ?interrupted']);
  });

  it('text of editors and reminders is not what the person said', () => {
    const facts = session(user([text('<ide_opened_file>x</ide_opened_file>'), text('Do it')]));
    expect(all(facts, 'input.received')[0]?.content).toEqual([{ kind: 'text', text: 'Do it' }]);
    expect(all(facts, 'thread.changed')[0]?.details.firstPrompt).toBe('Do it');
  });
});

describe('[R-DIA-6] usage', () => {
  const usage = (output: number): Raw => ({ usage: { input_tokens: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: 1, output_tokens: output } });

  it('counts a response once, with its last numbers, when it is over', () => {
    const facts = session(user('Q'), assistant('m1', text('A'), usage(2)), assistant('m1', call('T', 'Bash'), usage(9)), result('T', 'ok'), assistant('m2', text('B'), usage(3)));
    const counted = all(facts, 'usage.recorded').filter((fact) => fact.usage);
    expect(counted).toMatchObject([{ responseId: 'm1', usage: { inputTokens: 16, cachedInputTokens: 5, cacheWriteTokens: 1, outputTokens: 9, totalTokens: 25 } }]);
    expect(all(facts, 'usage.recorded').at(-1)).toMatchObject({ responseId: 'm2', total: { outputTokens: 12 } });
  });

  it('counts at the first block that has a stop reason', () => {
    const facts = session(user('Q'), assistant('m1', text('A'), { ...usage(4), stop_reason: 'end_turn' }), assistant('m1', text('B'), { ...usage(4), stop_reason: 'end_turn' }));
    expect(all(facts, 'usage.recorded').filter((fact) => fact.usage)).toHaveLength(1);
  });
});

describe('[R-DIA-3] what stands beside the chain', () => {
  it('the queue: taken between turns, inside one, and pulled back', () => {
    const queue = (operation: string, content?: string): Raw => beside({ type: 'queue-operation', operation, content, timestamp: '2026-01-01T00:00:00.000Z' });
    const facts = session(
      queue('enqueue', 'one'), queue('dequeue'), user('one'), assistant('m1', call('T', 'Bash', { command: 'c' })), queue('enqueue', 'two'), queue('remove'), result('T', 'ok'),
      attachment({ type: 'queued_command', prompt: 'two', commandMode: 'prompt' }), assistant('m2', text('A')), queue('enqueue', 'three'), queue('popAll', 'three'),
    );
    expect(screenOf(facts)).toEqual(['one · $ c [completed] · +two · A · ?completed']);
    expect(all(facts, 'input.received').map(({ promptIds }) => promptIds)).toEqual([['queue-0'], ['queue-1']]);
    expect(all(facts, 'prompt.ended')).toMatchObject([{ promptId: 'queue-2', status: 'dropped' }]);
  });

  it('words typed inside a turn that older programs wrote only into the queue are added before the answer to them', () => {
    const queue = (operation: string, content?: string): Raw => beside({ type: 'queue-operation', operation, content });
    const facts = session(user('Q'), assistant('m1', call('T', 'Bash', { command: 'c' })), queue('enqueue', 'and this'), queue('remove'), result('T', 'ok'), assistant('m2', text('A')));
    expect(screenOf(facts)).toEqual(['Q · $ c [completed] · +and this · A · ?completed']);
    expect(all(facts, 'input.received').at(-1)).toMatchObject({ id: 'queue-0', isAdded: true });
  });

  it('titles: what the person gave, then the program, then a summary whose leaf is here', () => {
    const named = (...lines: Raw[]): (string | undefined)[] => all(session(user('Q', { uuid: 'leaf' }), ...lines), 'thread.changed').flatMap(({ details }) => details.name ?? []);
    const summary = (leafUuid: string, words: string): Raw => beside({ type: 'summary', summary: words, leafUuid });
    expect(named(summary('leaf', 'S'), summary('elsewhere', 'X'), beside({ type: 'ai-title', aiTitle: 'AI' }), beside({ type: 'custom-title', customTitle: 'Mine' }), beside({ type: 'ai-title', aiTitle: 'AI 2' }))).toEqual(['S', 'AI', 'Mine']);
  });

  it('[R-DIA-5] lines of tomorrow: without uuid they are unknown, with one they carry the chain', () => {
    const facts = session(user('Q'), { type: 'dream' }, assistant('m1', text('A')), beside({ type: 'dream' }));
    expect(all(facts, 'record.unknown').map(({ recordType, why }) => [recordType, why])).toEqual([['dream', 'type'], ['dream', 'type']]);
    expect(screenOf(facts)).toEqual(['Q · A · ?completed']);
  });

  it('hooks: what they told the model is an item, how they went a notice', () => {
    const facts = session(
      user('Q'), attachment({ type: 'hook_success', hookEvent: 'UserPromptSubmit', toolUseID: 'h1', exitCode: 0, content: '' }), attachment({ type: 'hook_additional_context', hookEvent: 'UserPromptSubmit', toolUseID: 'h2', content: ['mind the gap'] }),
      attachment({ type: 'hook_non_blocking_error', hookEvent: 'Stop', toolUseID: 'h3', stderr: 'oops', exitCode: 1 }),
    );
    expect(screenOf(facts)).toEqual(['Q · hook: mind the gap · ?interrupted']);
    expect(all(facts, 'notice.posted').map(({ code, level, visibility }) => [code, level, visibility])).toEqual([['hook/UserPromptSubmit', 'info', 'control'], ['hook/Stop', 'warning', 'shown']]);
  });

  it('the thread moves and changes its mode', () => {
    const facts = session(user('Q', { permissionMode: 'plan' }), beside({ type: 'relocated', relocatedCwd: '/w2' }), beside({ type: 'worktree-state', worktreeSession: { worktreePath: '/w3', worktreeBranch: 'b' } }));
    expect(all(facts, 'context.configured')).toMatchObject([{ approvalPolicy: 'plan' }]);
    expect(all(facts, 'thread.changed').flatMap(({ details }) => details.cwd ?? [])).toEqual(['/w2', '/w3']);
  });
});

describe('[R-DIA-3] sub-agents and tasks', () => {
  it('a call that a result answers names its agent', () => {
    const facts = session(user('Q'), assistant('m1', call('T', 'Agent', { prompt: 'do', description: 'D', subagent_type: 'general' })), result('T', [{ type: 'text', text: 'done' }], { toolUseResult: { status: 'completed', agentId: 'a1', agentType: 'general', totalDurationMs: 5 } }));
    expect(completed(facts, 'T')).toMatchObject({ body: { kind: 'agentCall', tool: 'spawnAgent', status: 'completed', receiverThreadIds: ['a1'], agents: { a1: { status: 'completed', message: 'done' } } } });
    expect(all(facts, 'agent.described')).toMatchObject([{ agentId: 'a1', parentCall: 'T', role: 'general', description: 'D' }]);
  });

  it('work in the background is a task until a notification ends it, wherever that is written', () => {
    const note = '<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>It broke</summary>\n</task-notification>';
    const facts = session(
      user('Q'), assistant('m1', call('T', 'Bash', { command: 'make', description: 'Build' })), result('T', 'running', { toolUseResult: { stdout: '', interrupted: false, backgroundTaskId: 'b1' } }), assistant('m2', text('A')),
      beside({ type: 'queue-operation', operation: 'enqueue', content: note }), user(note), assistant('m3', text('I see.')),
    );
    expect(all(facts, 'task.started')).toMatchObject([{ task: { taskId: 'b1', kind: 'shell', description: 'Build', isDetached: true } }]);
    expect(all(facts, 'task.ended')).toMatchObject([{ task: { taskId: 'b1', kind: 'shell' }, status: 'failed', summary: 'It broke' }]);
    expect(all(facts, 'turn.started').at(-1)).toMatchObject({ origin: { kind: 'task', taskId: 'b1' } });
    expect(screenOf(facts)).toEqual(['Q · $ make [completed] · A · completed', 'I see. · ?completed']);
  });

  it('sidechain lines of older files are an agent of their own, found by what its call told it', () => {
    const facts = session(
      user('Q'), assistant('m1', call('T', 'Task', { prompt: 'look' })), { ...user('look'), isSidechain: true, parentUuid: null, uuid: 'side' }, { ...assistant('m2', text('found')), isSidechain: true, parentUuid: 'side' },
      { ...result('T', 'found'), parentUuid: `u${count - 1}` },
    );
    expect(screenOf(facts, 'side-side')).toEqual(['look · found · ?completed']);
    expect(screenOf(facts)[0]).toMatch(/^Q · agentCall Task/);
    expect(all(facts, 'agent.described')).toMatchObject([{ agentId: 'side-side', parentCall: 'T' }]);
  });

  it('a file of its own is a thread of its own', () => {
    const bytes = fileOf([{ ...user('look'), isSidechain: true, uuid: 'a', parentUuid: null, sessionId: 'parent', agentId: 'a0123456789abcdef' }]);
    const { facts } = playAll(makePlayer('agent-a0123456789abcdef.jsonl'), bytes);
    expect(facts[0]).toMatchObject({ type: 'thread.opened', threadId: 'a0123456789abcdef', sessionId: 'parent', origin: { kind: 'subAgent', spawn: { parentThreadId: 'parent' } } });
    expect(screenOf(facts)).toEqual(['look · ?interrupted']);
  });
});

describe('[R-DIA-3] parents that come late', () => {
  it('adopts lines that waited for them', () => {
    const facts = session(user('Q1', { uuid: 'q1' }), user('Q3', { parentUuid: 'late', uuid: 'q3', timestamp: '2025-01-01T00:00:00.000Z' }), user('Q2', { parentUuid: 'q1', uuid: 'late' }), user('Q4', { parentUuid: 'q3' }));
    expect(all(facts, 'history.superseded').length + all(facts, 'history.restored').length).toBeGreaterThan(0);
    expect(screenOf(facts)).toHaveLength(4);
  });

  it('lines that a refusal took back are gone for a person', () => {
    const facts = session(user('Q'), assistant('m1', text('No way'), { }), system('api_refusal', { retractedMessageUuids: [`u${count + 2}`] }));
    expect(screenOf(facts)).toEqual(['Q · ?completed']);
  });
});
