import { type CodexRecordLine, THREAD_ID, eventRecord, fileOf, itemRecord, metaRecord, numberedRecords, playAll, said } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const play = (records: readonly CodexRecordLine[]) => playAll(() => createCodexPlayer({ tape: 'codex/tape' }), fileOf(records));
const head = [metaRecord({ history_mode: 'paginated' }), eventRecord('task_started', { turn_id: 'T', started_at: 3 })];
const facts = (...records: readonly CodexRecordLine[]) => said(play(numberedRecords([...head, ...records])).facts).slice(2);
const completedAtMs = 1_767_323_046_000;
const item = (id: string, body: object, more: object = {}) => ({ type: 'item.completed', turn: '#1', id, body, visibility: 'shown', isAdded: false, completedAtMs, ...more });
const agent = (id: string, text: string) => itemRecord('T', { type: 'AgentMessage', id, content: [{ type: 'Text', text }] });

describe('items of paginated files (codex-history §2.5, §4)', () => {
  it.each<[object, object]>([
    [{ type: 'HookPrompt', fragments: [{ text: 't', hookRunId: 'h' }] }, { kind: 'hookPrompt', fragments: [{ text: 't', hookRunId: 'h' }] }],
    [{ type: 'AgentMessage', content: [{ type: 'Text', text: 'a' }, { type: 'Text', text: 'b' }], phase: 'commentary', delivery: 'async', questions: [{ title: 'q', options: ['x'] }] }, { kind: 'agentMessage', text: 'ab', phase: 'commentary', isAsync: true, questions: [{ title: 'q', options: ['x'] }] }],
    [{ type: 'Plan', text: 'p' }, { kind: 'plan', text: 'p' }],
    [{ type: 'Reasoning', summary_text: ['s'], raw_content: ['r'] }, { kind: 'reasoning', summary: ['s'], content: ['r'] }],
    [
      { type: 'CommandExecution', process_id: '1', command: ['rg', 'x'], cwd: 'file:///w', parsed_cmd: [{ type: 'search', cmd: 'rg x', query: 'x', path: null }], source: 'user_shell', status: 'declined', aggregated_output: '', exit_code: 1, duration: { secs: 2, nanos: 999_999 } },
      { kind: 'command', command: ['rg', 'x'], cwd: '/w', processId: '1', source: 'userShell', status: 'declined', actions: [{ kind: 'search', command: 'rg x', query: 'x' }], exitCode: 1, durationMs: 2000 },
    ],
    [{ type: 'FileChange', changes: { a: { type: 'add', content: 'x' } }, status: 'completed' }, { kind: 'fileChange', changes: [{ path: 'a', kind: 'add', diff: 'x' }], status: 'completed' }],
    [{ type: 'McpToolCall', server: 's', tool: 't', arguments: { a: 1 }, status: 'inProgress', error: { message: 'e' }, connectorId: 'c', linkId: 'l' }, { kind: 'mcpCall', server: 's', tool: 't', arguments: { a: 1 }, status: 'running', error: 'e', app: { connectorId: 'c', linkId: 'l' } }],
    [{ type: 'DynamicToolCall', namespace: 'n', tool: 't', arguments: 1, status: 'failed', content_items: [{ type: 'inputText', text: 'o' }, { type: 'inputImage', imageUrl: 'u' }], success: false }, {
      kind: 'toolCall', namespace: 'n', tool: 't', arguments: 1, status: 'failed', output: [{ kind: 'text', text: 'o' }, { kind: 'image', source: { url: 'u' } }], isSuccess: false,
    }],
    [{ type: 'CollabAgentToolCall', tool: 'spawn_agent', status: 'completed', sender_thread_id: 's', receiver_thread_ids: ['r'], prompt: 'p', agents_states: { r: { completed: 'done' }, q: 'not_found', z: { errored: 'e' }, constructor: 'running' } }, {
      kind: 'agentCall', tool: 'spawnAgent', status: 'completed', senderThreadId: 's', receiverThreadIds: ['r'], prompt: 'p',
      agents: { r: { status: 'completed', message: 'done' }, q: { status: 'notFound' }, z: { status: 'errored', message: 'e' }, constructor: { status: 'running' } },
    }],
    [{ type: 'SubAgentActivity', kind: 'completed', agent_thread_id: 'a', agent_path: '/root/a' }, { kind: 'agentActivity', activity: 'completed', agentThreadId: 'a', agentPath: '/root/a' }],
    [{ type: 'WebSearch', query: 'q', action: { type: 'open_page', url: 'u' }, results: [1] }, { kind: 'webSearch', query: 'q', action: { kind: 'openPage', url: 'u' }, results: [1], status: 'completed' }],
    [{ type: 'ImageView', path: 'file:///a%20b.png' }, { kind: 'imageView', path: '/a b.png' }],
    [{ type: 'ImageGeneration', status: 'completed', result: 'r' }, { kind: 'imageGeneration', status: 'completed', result: 'r' }],
    [{ type: 'EnteredReviewMode', target: {}, user_facing_hint: 'h' }, { kind: 'reviewEntered', hint: 'h' }],
    [{ type: 'ExitedReviewMode', review_output: null }, { kind: 'reviewExited', findings: [] }],
    [{ type: 'ContextCompaction' }, { kind: 'compaction' }],
    [{ type: 'FunctionCallOutput', name: 'n', output: { a: 1 } }, { kind: 'callOutput', name: 'n', output: { a: 1 } }],
    [{ type: 'Extension', kind: 'clock.sleep', durationMs: 4 }, { kind: 'sleep', durationMs: 4 }],
    [{ type: 'Extension', kind: 'web.search', query: 'q', action: { type: 'other' } }, { kind: 'webSearch', query: 'q', action: { kind: 'other' }, status: 'completed' }],
    [{ type: 'Extension', kind: 'image_gen.generation', status: 's', result: 'r' }, { kind: 'imageGeneration', status: 's', result: 'r' }],
  ])('%j', (given, body) => expect(facts(itemRecord('T', { id: 'i', ...given }))).toEqual([item('i', body)]));

  it('a person\'s message: received and placed; the first opens the turn, the next steers it', () => {
    const words = (id: string, content: unknown[]) => itemRecord('T', { type: 'UserMessage', id, client_id: 'cl', content });
    expect(facts(words('u', [{ type: 'text', text: '## My request for Codex:\n hi ', text_elements: [] }, { type: 'local_image', path: '/p' }, { type: 'skill', name: 's', path: '/s' }, { type: 'tomorrow' }]), words('v', [{ type: 'image', image_url: 'u', detail: 'high' }]))).toEqual([
      {
        type: 'input.received', turn: '#1', id: 'u', clientId: 'cl', visibility: 'shown', isAdded: false, completedAtMs,
        content: [{ kind: 'text', text: '## My request for Codex:\n hi ' }, { kind: 'image', source: { path: '/p' } }, { kind: 'skill', name: 's', path: '/s' }, { kind: 'other', raw: { type: 'tomorrow' } }],
      },
      { type: 'input.placed', turn: '#1', input: '#2', as: 'opens' }, { type: 'thread.changed', details: { firstPrompt: 'hi' } },
      { type: 'input.received', turn: '#1', id: 'v', clientId: 'cl', content: [{ kind: 'image', source: { url: 'u' }, detail: 'high' }], visibility: 'shown', isAdded: false, completedAtMs },
      { type: 'input.placed', turn: '#1', input: '#5', as: 'steers' },
    ]);
  });

  it('[R-DIA-5] an item that the original cannot read is unknown, with the line kept', () => {
    for (const given of [{ type: 'Sleep' }, { type: 'constructor' }, { type: 'CommandExecution', command: ['x'], cwd: '/plain', status: 'completed' }, { type: 'AgentMessage', content: 'x' }, { type: 'AgentMessage', content: [], phase: 'weird' }]) {
      expect(facts(itemRecord('T', { id: 'i', ...given }))).toEqual([{ type: 'record.unknown', recordType: `event_msg/item_completed/${given.type}`, why: 'shape', field: 'item' }]);
    }
  });

  it('[R-THR-2] an item that is recorded again changes in place', () => {
    expect(facts(agent('m', 'a'), itemRecord('T', { type: 'Plan', id: 'p', text: 'x' }), agent('m', 'b'))).toEqual([item('m', { kind: 'agentMessage', text: 'a' }), item('p', { kind: 'plan', text: 'x' }), item('m', { kind: 'agentMessage', text: 'b' })]);
  });

  it('[R-DIA-1] twins in events of the legacy kind are not shown twice; a rollback there has no effect', () => {
    const { ledger, facts: all } = play(numberedRecords([...head, agent('m', 'a'), eventRecord('agent_message', { message: 'a' }), eventRecord('user_message', { message: 'x' }), eventRecord('thread_rolled_back', { num_turns: 1 })]));
    expect(all).toHaveLength(3);
    expect(ledger).toMatchObject({ linesPlayed: 3, linesIgnored: 3 });
  });

  it('an item of a turn that no line began names it by its native id', () => {
    expect(facts(itemRecord('elsewhere', { type: 'Plan', id: 'p', text: 'x' }))).toEqual([{ type: 'item.completed', turnId: 'elsewhere', id: 'p', body: { kind: 'plan', text: 'x' }, visibility: 'shown', isAdded: false, completedAtMs }]);
  });

  it('a line whose ordinal was there before is kept out of sight; a gap and a missing ordinal are accepted', () => {
    const ordinal = (record: object, n: number | undefined) => ({ ...record, ordinal: n });
    const [first, second] = numberedRecords(head);
    const told = (n: number | undefined) => said(play([first as CodexRecordLine, second as CodexRecordLine, ordinal(agent('m', 'a'), n), ordinal(eventRecord('task_complete', { turn_id: 'T' }), n)]).facts).slice(2).map((fact) => [(fact as { type: string }).type, (fact as { visibility?: string }).visibility]);
    expect(told(1)).toEqual([['item.completed', 'control']]);
    expect(told(undefined)).toEqual([['item.completed', 'shown'], ['turn.ended', undefined]]);
    expect(told(900)).toEqual([['item.completed', 'shown']]);
  });
});

describe('turns', () => {
  const turn = (id: string, key?: number) => ({ type: 'turn.started', id, isImplicit: false, replacesOlder: true, ...(key === undefined ? {} : { startedAt: key }) });

  it('end once; the ending record replaces what the start said', () => {
    expect(facts(eventRecord('task_complete', { turn_id: 'T', started_at: 4, root_turn_id: 'R', completed_at: 5 }), eventRecord('turn_aborted', { turn_id: 'T', reason: 'interrupted' }), eventRecord('task_started', { turn_id: 'T' }))).toEqual([
      { type: 'turn.ended', turn: '#1', status: 'completed', startedAt: 4, rootTurnId: 'R', completedAt: 5 },
    ]);
  });

  it('several may be open; one that only an end tells is there from its end on', () => {
    expect(facts(eventRecord('task_started', { turn_id: 'U' }), eventRecord('task_complete', { turn_id: 'review' }), eventRecord('task_complete', { turn_id: 'T' }), eventRecord('task_complete', { turn_id: 'U' }))).toEqual([
      turn('U'), turn('review'), { type: 'turn.ended', turn: '#3', status: 'completed', startedAt: null, rootTurnId: null }, { type: 'turn.ended', turn: '#1', status: 'completed', startedAt: null, rootTurnId: null },
      { type: 'turn.ended', turn: '#2', status: 'completed', startedAt: null, rootTurnId: null },
    ]);
  });

  it('[R-THR-4] a revert and a fork say where they go on from; an end there may be of a turn in the base', () => {
    const based = (fields: object) => said(play(numberedRecords([metaRecord({ history_mode: 'paginated', history_base: { thread_id: 'base', end_ordinal_exclusive: 14, end_byte_offset: 41_214 }, ...fields }), eventRecord('task_complete', { turn_id: 'before' })], 14)).facts);
    const base = { type: 'thread.based', base: { tape: 'codex/base', endOffset: 41_214, endOrdinal: 14 } };
    const end = { type: 'turn.ended', turnId: 'before', status: 'completed', startedAt: null, rootTurnId: null };
    expect(based({}).slice(1)).toEqual([{ ...base, reason: 'revert' }, end]);
    expect(based({ forked_from_id: 'F', parent_thread_id: 'P' }).slice(1)).toEqual([{ ...base, reason: 'fork' }, { type: 'thread.linked', relation: 'forkOf', threadId: 'F' }, { type: 'thread.linked', relation: 'parent', threadId: 'P' }, end]);
    expect(based({ history_base: { thread_id: 'base', end_ordinal_exclusive: -1, end_byte_offset: 1.5 } })[1]).toEqual({ type: 'thread.based', base: { tape: 'codex/base' }, reason: 'revert' });
  });
});

describe('session_meta (§2.2)', () => {
  const opened = (fields: object, identity: object = {}) => said(playAll(() => createCodexPlayer({ tape: 'codex/tape', ...identity }), fileOf([metaRecord(fields as Record<string, unknown>)])).facts);

  it('says who the thread is; the first one counts, its id beats the file name', () => {
    expect(opened({ session_id: 'S', git: { commit_hash: 'abc', branch: 'main', repository_url: 'u' }, agent_nickname: 'n', subagent_history_start_ordinal: 7, thread_source: 'user' }, { namedThreadId: 'named' })).toEqual([{
      type: 'thread.opened', threadId: THREAD_ID, sessionId: 'S', program: 'codex', programVersion: '0.150.0', originator: 'codex_cli_rs', createdAt: '2026-01-02T03:04:05.006Z', origin: { kind: 'cli' }, historyMode: 'legacy',
      threadSource: 'user', ownHistoryFrom: 7, details: { cwd: '/w', modelProvider: 'openai', git: { sha: 'abc', branch: 'main', originUrl: 'u' }, agentNickname: 'n' },
    }]);
  });

  it.each<[unknown, object]>([
    [undefined, { kind: 'vscode' }], ['mcp', { kind: 'appServer' }], ['exec', { kind: 'exec' }], ['constructor', { kind: 'custom', name: 'constructor' }], [{ custom: 'mine' }, { kind: 'custom', name: 'mine' }], [{ internal: 'guardian' }, { kind: 'internal', name: 'guardian' }],
    [{ subagent: 'review' }, { kind: 'subAgent', role: 'review' }], [{ subagent: 'toString' }, { kind: 'subAgent', role: 'other', name: 'toString' }], [{ subagent: { other: 'x' } }, { kind: 'subAgent', role: 'other', name: 'x' }],
    [{ subagent: { thread_spawn: { parent_thread_id: 'P', depth: 1, agent_path: '/root/a', agent_nickname: 'n', agent_role: 'r' } } }, { kind: 'subAgent', role: 'threadSpawn', spawn: { parentThreadId: 'P', depth: 1, agentPath: '/root/a', nickname: 'n', agentRole: 'r' } }],
    [7, { kind: 'unknown' }],
  ])('source %j', (source, origin) => expect(opened({ source })[0]).toMatchObject({ origin }));

  it('an unreadable one opens the thread all the same, and says what is wrong', () => {
    expect(opened({ history_mode: 'tomorrow' })).toMatchObject([{ type: 'thread.opened', historyMode: 'legacy' }, { type: 'record.unknown', recordType: 'session_meta', why: 'shape', field: 'history_mode' }]);
    expect(opened({ id: undefined }, { namedThreadId: 'named' })).toMatchObject([{ type: 'thread.opened', threadId: 'named' }, { type: 'record.unknown', field: 'id' }]);
  });
});
