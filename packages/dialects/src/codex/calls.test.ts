import { type CodexRecordLine, eventRecord, fileOf, itemRecord, metaRecord, numberedRecords, playAll, responseRecord, said } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const facts = (records: readonly CodexRecordLine[]) => said(playAll(() => createCodexPlayer({ tape: 'codex/tape' }), fileOf(records)).facts).slice(1);
const legacy = (...records: readonly CodexRecordLine[]) => facts([metaRecord(), eventRecord('task_started', { turn_id: 'T' }), ...records]);
const paginated = (...records: readonly CodexRecordLine[]) => facts(numberedRecords([metaRecord({ history_mode: 'paginated' }), eventRecord('task_started', { turn_id: 'T' }), ...records]));
const call = (name: string, args: unknown, call_id = 'c') => responseRecord('function_call', { name, arguments: JSON.stringify(args), call_id });
const output = (text: unknown, call_id = 'c') => responseRecord('function_call_output', { call_id, output: text });

interface Item { readonly type: string; readonly id: string; readonly body: Record<string, unknown>; readonly visibility: string; readonly isAdded: boolean }
const items = (all: readonly unknown[]) => (all as Item[]).filter(({ type }) => type.startsWith('item.'));
const bodyOf = (all: readonly unknown[]) => items(all).at(-1)?.body;
const command = { kind: 'command', command: ['ls'], source: 'agent', actions: [] };

describe('calls of legacy files are shown', () => {
  it('[D-1] [R-DIA-8] a command: begun by its call, ended by its output, linked both ways', () => {
    expect(legacy(call('shell', { command: ['ls'], workdir: '/w' }), output('out'))).toEqual([
      { type: 'turn.started', id: 'T', isImplicit: false, replacesOlder: false },
      { type: 'context.appended', turn: '#1', call: 'c', item: { kind: 'call', callId: 'c', name: 'shell', input: '{"command":["ls"],"workdir":"/w"}', form: 'json' } },
      { type: 'item.started', call: 'c', turn: '#1', id: 'c', body: { ...command, cwd: '/w', status: 'running' }, visibility: 'shown', isAdded: true, context: '#2' },
      { type: 'context.appended', turn: '#1', call: 'c', item: { kind: 'result', callId: 'c', output: [{ kind: 'text', text: 'out' }] }, shows: '#3' },
      { type: 'item.completed', call: 'c', turn: '#1', id: 'c', body: { ...command, cwd: '/w', status: 'completed', output: 'out' }, visibility: 'shown', isAdded: true },
    ]);
  });

  it.each([
    ['{"output":"boom\\n","metadata":{"exit_code":2,"duration_seconds":0.25}}', { status: 'failed', output: 'boom\n', exitCode: 2, durationMs: 250 }],
    ['{"output":"","metadata":{"exit_code":0,"duration_seconds":1e999}}', { status: 'completed', output: '{"output":"","metadata":{"exit_code":0,"duration_seconds":1e999}}' }],
    ['Exit code: 1\nWall time: 0.5 seconds\nOutput:\nbad', { status: 'failed', output: 'bad', exitCode: 1, durationMs: 500 }],
    ['Exit code: 0\nWall time: 1 seconds\nTotal output lines: 3\nOutput:\n', { status: 'completed', output: '', exitCode: 0, durationMs: 1000 }],
    ['Wall time: 1.5 seconds\nProcess exited with code 0\nOutput:\nfine', { status: 'completed', output: 'fine', exitCode: 0, durationMs: 1500 }],
    ['Exit code: 0\nWall time: 1.2.3 seconds\nOutput:\nx', { status: 'completed', output: 'x', exitCode: 0 }],
    ['aborted by user after 3.2s', { status: 'interrupted', output: 'aborted by user after 3.2s' }],
    ['Wall time: 2 seconds\naborted by user', { status: 'interrupted', output: 'Wall time: 2 seconds\naborted by user' }],
    ['aborted', { status: 'interrupted', output: 'aborted' }],
    ['exec command rejected by user', { status: 'declined', output: 'exec command rejected by user' }],
    ['exec_command failed for `x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }', { status: 'declined', output: 'exec_command failed for `x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }' }],
    ['command timed out after 10 milliseconds\npartial', { status: 'timedOut', output: 'command timed out after 10 milliseconds\npartial' }],
    ['unsupported call: x', { status: 'failed', output: 'unsupported call: x' }],
    ['the text says: aborted by user', { status: 'completed', output: 'the text says: aborted by user' }],
    [{ content: 'no', success: false }, { status: 'failed', output: 'no' }],
    [{ content: 'yes', success: true }, { status: 'completed', output: 'yes' }],
    [[{ type: 'input_text', text: 'a' }, { type: 'input_image', image_url: 'data:i' }, { type: 'input_text', text: 'b' }], { status: 'completed', output: 'ab' }],
    [null, { status: 'running' }],
  ])('[D-1] [R-DIA-7] the end that an output tells: %j', (text, end) => {
    expect(bodyOf(legacy(call('shell', { command: ['ls'] }), output(text)))).toEqual({ ...command, ...end });
  });

  it('[D-1] a command that goes on in the background stays open until a poll tells its end', () => {
    const began = [call('exec_command', { cmd: 'srv' }), output('Chunk ID: ab\nWall time: 0.1 seconds\nProcess running with session ID 42\nOutput:\nstart ')];
    const open = { ...command, command: 'srv', status: 'running', output: 'start ' };
    expect(bodyOf(legacy(...began))).toEqual(open);
    const polled = items(legacy(...began, call('write_stdin', { session_id: 42, chars: '' }, 'w'), output('Wall time: 1 seconds\nProcess exited with code 3\nOutput:\nend', 'w')));
    expect(polled.find(({ type, id }) => type === 'item.completed' && id === 'c')?.body).toEqual({ ...open, status: 'failed', exitCode: 3, output: 'start end' });
  });

  it('[D-1] patches, by function, custom tool or shell', () => {
    const text = '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: d\n*** Add File: e\n+1\n*** End Patch';
    const changes = [{ path: 'a', kind: 'update', movePath: 'b', diff: '@@\n-x\n+y\n' }, { path: 'd', kind: 'delete', diff: '' }, { path: 'e', kind: 'add', diff: '1\n' }];
    expect(bodyOf(legacy(call('apply_patch', { input: text }), output('{"output":"Success.","metadata":{"exit_code":0,"duration_seconds":0}}')))).toEqual({ kind: 'fileChange', changes, status: 'completed' });
    const custom = responseRecord('custom_tool_call', { call_id: 'c', name: 'apply_patch', input: text });
    expect(bodyOf(legacy(custom, responseRecord('custom_tool_call_output', { call_id: 'c', output: 'patch rejected by user' })))).toEqual({ kind: 'fileChange', changes, status: 'declined' });
    expect(bodyOf(legacy(call('shell', { command: ['apply_patch', text] })))).toEqual({ kind: 'fileChange', changes, status: 'running' });
    expect(bodyOf(legacy(custom, eventRecord('patch_apply_begin', { call_id: 'c', auto_approved: true, changes: {} }), eventRecord('patch_apply_end', { call_id: 'c', stdout: '', stderr: '', success: true })))).toEqual({ kind: 'fileChange', changes, status: 'completed' });
  });

  it('[D-1] tools of servers, agents, images, others', () => {
    const threadId = '01990000-0000-7000-8000-000000000001';
    expect(bodyOf(legacy(call('mcp__srv__tool', { a: 1 }), output('res')))).toEqual({
      kind: 'mcpCall', server: 'srv', tool: 'tool', arguments: { a: 1 }, status: 'completed', result: { content: [{ type: 'text', text: 'res' }], structuredContent: null, meta: null },
    });
    expect(bodyOf(legacy(call('spawn_agent', { message: 'go' }), output('{"agent_id":"A9"}')))).toEqual({ kind: 'agentCall', tool: 'spawnAgent', status: 'completed', senderThreadId: threadId, receiverThreadIds: ['A9'], prompt: 'go', agents: {} });
    expect(bodyOf(legacy(call('view_image', { path: '/p' }), output([{ type: 'input_image', image_url: 'data:' }])))).toEqual({
      kind: 'toolCall', tool: 'view_image', arguments: { path: '/p' }, status: 'completed', output: [{ kind: 'image', source: { url: 'data:' } }], isSuccess: true,
    });
    expect(bodyOf(legacy(eventRecord('view_image_tool_call', { call_id: 'c', path: '/p' })))).toEqual({ kind: 'imageView', path: '/p' });
    expect(bodyOf(legacy(responseRecord('local_shell_call', { call_id: 'c', status: 'completed', action: { type: 'exec', command: ['ls'], working_directory: '/w' } })))).toEqual({ ...command, cwd: '/w', status: 'running' });
    expect(bodyOf(legacy(responseRecord('function_call', { name: 'f', arguments: 'no json', call_id: 'c' })))).toEqual({ kind: 'toolCall', tool: 'f', arguments: 'no json', status: 'running' });
    expect(bodyOf(legacy(responseRecord('function_call', { name: 'f', arguments: 'null', call_id: 'c' })))).toEqual({ kind: 'toolCall', tool: 'f', arguments: null, status: 'running' });
    expect(bodyOf(legacy(responseRecord('web_search_call', { id: 'ws', status: 'completed', action: { type: 'search', query: 'q' } })))).toEqual({ kind: 'webSearch', query: 'q', action: { kind: 'search', query: 'q' }, status: 'completed' });
  });

  it('[D-1] events of commands, with or without a call, also late', () => {
    const end = { call_id: 'c', turn_id: 'T', command: ['ls'], cwd: '/w', parsed_cmd: [{ type: 'read', cmd: 'cat a', name: 'a', path: 'a' }], aggregated_output: 'o', exit_code: 0, duration: { secs: 1, nanos: 500_000_000 } };
    const body = { ...command, cwd: '/w', status: 'completed', actions: [{ kind: 'read', command: 'cat a', name: 'a', path: '/w/a' }], output: 'o', exitCode: 0, durationMs: 1500 };
    const told = items(legacy(call('shell', { command: ['ls'] }), eventRecord('exec_command_begin', { ...end, exit_code: undefined }), eventRecord('exec_command_end', end), output('o')));
    expect(told.map(({ type }) => type)).toEqual(['item.started', 'item.completed']);
    expect(told[1]?.body).toEqual(body);
    expect(legacy(eventRecord('task_complete', { turn_id: 'T' }), eventRecord('task_started', { turn_id: 'U' }), eventRecord('exec_command_end', { ...end, status: 'declined' })).at(-1)).toEqual({
      type: 'item.completed', call: 'c', turn: '#1', id: 'c', body: { ...body, status: 'declined' }, visibility: 'shown', isAdded: true,
    });
  });

  it('an event of the original takes its place in the order; the added item moves there', () => {
    const told = legacy(call('apply_patch', { input: '*** Begin Patch\n*** Add File: e\n+1\n*** End Patch' }), eventRecord('agent_message', { message: 'a' }), eventRecord('patch_apply_end', { call_id: 'c', turn_id: 'T', stdout: '', stderr: '', success: true, status: 'completed', changes: {} }));
    expect(told.at(-1)).toEqual({ type: 'item.completed', turn: '#1', call: 'c', id: 'c', body: { kind: 'fileChange', changes: [], status: 'completed' }, visibility: 'shown', isAdded: false, place: 'here' });
  });

  it('a call that a rollback took is gone: its late output says nothing', () => {
    expect(items(legacy(call('shell', { command: ['ls'] }), eventRecord('thread_rolled_back', { num_turns: 1 }), output('late'))).map(({ type }) => type)).toEqual(['item.started']);
  });

  it('words that every object inherits are ids like others', () => {
    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const told = items(legacy(call('shell', { command: ['ls'] }, id), output('x', id), eventRecord('exec_command_end', { call_id: `${id}2`, turn_id: id, command: [], cwd: '', parsed_cmd: [], status: id, source: id })));
      expect(told.map(({ type, id: own, body }) => [type, own, body['status'], body['source']])).toEqual([['item.started', id, 'running', 'agent'], ['item.completed', id, 'completed', 'agent'], ['item.completed', `${id}2`, 'running', 'agent']]);
    }
  });
});

describe('what mutated files found', () => {
  it('JSON inside a string, deeper than anybody nests or with a number that none can hold, stays the text that it is', () => {
    for (const inner of [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, '{"a":1e999}']) {
      expect(bodyOf(legacy(responseRecord('function_call', { name: 'f', arguments: inner, call_id: 'c' })))).toEqual({ kind: 'toolCall', tool: 'f', arguments: inner, status: 'running' });
      expect(bodyOf(legacy(call('shell', { command: ['ls'] }), output(`{"output":"x","more":${inner}}`)))).toMatchObject({ output: `{"output":"x","more":${inner}}` });
    }
  });
  it('sums and roundings that no number holds are left out', () => {
    const end = (duration: unknown) => bodyOf(legacy(eventRecord('exec_command_end', { call_id: 'c', command: ['ls'], cwd: '/', parsed_cmd: [], exit_code: 0, duration })));
    expect(end({ secs: 1e308, nanos: 0 })).not.toHaveProperty('durationMs');
    expect(end({ secs: 'x' })).not.toHaveProperty('durationMs');
    expect(bodyOf(legacy(call('shell', { command: ['ls'] }), output(`Exit code: ${'9'.repeat(400)}\nWall time: 1 seconds\nOutput:\nx`)))).not.toHaveProperty('exitCode');
    expect(bodyOf(legacy(call('shell', { command: ['ls'] }), output('{"output":"x","metadata":{"exit_code":0,"duration_seconds":1e308}}')))).toEqual({ ...command, status: 'completed', output: 'x', exitCode: 0 });
  });
  it('details of images that are no words are left out', () => {
    expect(legacy(eventRecord('user_message', { message: '', images: ['u', 'v'], image_details: [7, null] }))[1]).toMatchObject({ content: [{ kind: 'image', source: { url: 'u' } }, { kind: 'image', source: { url: 'v' } }] });
  });
});

describe('calls of paginated files are shown where no item tells them', () => {
  const itemOf = (status: string, more: object = {}) => itemRecord('T', { type: 'CommandExecution', id: 'c', command: ['ls'], cwd: 'file:///w%20x', parsed_cmd: [], source: 'agent', status, ...more }, { started_at_ms: 5 });
  const told = (...records: readonly CodexRecordLine[]) => items(paginated(call('exec_command', { cmd: 'ls' }), ...records)).map(({ type, body, visibility, isAdded }) => [type, body['status'], visibility, isAdded]);
  const begun = ['item.started', 'running', 'shown', true];

  it('[D-2] a dangling call stays, open', () => expect(told(eventRecord('turn_aborted', { turn_id: 'T', reason: 'interrupted' }))).toEqual([begun]));
  it('an answered one without an item is out of sight, as in the original', () => expect(told(output('ok'))).toEqual([begun, ['item.completed', 'completed', 'control', true]]));
  it('[D-2] a declined one stays', () => expect(told(output('exec command rejected by user'))).toEqual([begun, ['item.completed', 'declined', 'shown', true]]));
  it('[D-2] one in the background stays', () => expect(told(output('Process running with session ID 7\nOutput:\nx'))).toEqual([begun, begun]));
  it('[D-2] an interrupted one stays; its item, recorded after the next turn began, takes over inside its own turn', () => {
    expect(paginated(call('exec_command', { cmd: 'ls' }), output('aborted by user after 1s'), eventRecord('turn_aborted', { turn_id: 'T', reason: 'interrupted' }), eventRecord('task_started', { turn_id: 'U' }), itemOf('failed', { exit_code: -1 })).slice(-3)).toEqual([
      { type: 'turn.ended', turn: '#1', status: 'interrupted', reason: 'interrupted', startedAt: null, rootTurnId: null },
      { type: 'turn.started', id: 'U', isImplicit: false, replacesOlder: true },
      { type: 'item.completed', turn: '#1', id: 'c', body: { ...command, cwd: '/w x', status: 'failed', exitCode: -1 }, visibility: 'shown', isAdded: false, startedAtMs: 5, completedAtMs: 1_767_323_046_000, place: 'here' },
    ]);
  });
  it('a call after its item says nothing more', () => {
    expect(items(paginated(itemOf('completed'), call('exec_command', { cmd: 'ls' }), output('ok'))).map(({ type, isAdded }) => [type, isAdded])).toEqual([['item.completed', false]]);
  });
});
