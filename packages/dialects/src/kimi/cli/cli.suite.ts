import { Buffer } from 'node:buffer';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fact, FactOf, FactType, JsonValue, Player } from '@tapefold/facts';
import { type CorpusFile, playAll } from '@tapefold/testing';
import { createKimiCliPlayer } from './player.js';

/** Logs and histories of kimi-cli by hand, and other people's, which are read in place where they are there. */
const realFolder = fileURLToPath(new URL('../../../../../../shared/corpus/real/kimi', import.meta.url));
/** Files of the other family among them. */
const ofCode = /^kw0(?:01|03|04|08|10|14|16|20|21|22|23|26|27)-/;

export const SESSION = '0199a0b1-0000-4000-8000-000000000001';
export const makePlayer = (checkpoint?: JsonValue): Player => createKimiCliPlayer({ tape: `kimi/${SESSION}`, namedThreadId: SESSION }, checkpoint);

export function realFiles(): CorpusFile[] {
  if (!existsSync(realFolder)) return [];
  return readdirSync(realFolder).filter((name) => name.endsWith('.jsonl') && !ofCode.test(name)).sort().map((name) => ({ name, bytes: readFileSync(join(realFolder, name)) }));
}

/** A log as kimi-cli writes it: separators with a space, times in seconds with a fraction. */
export class Log {
  text: string;
  #n = 0;

  constructor(protocol: string | null = '1.10') {
    this.text = protocol === null ? '' : `{"type": "metadata", "protocol_version": "${protocol}"}\n`;
  }

  add(type: string, payload: object = {}): this {
    this.#n += 1;
    return this.line({ timestamp: 1_780_000_000 + this.#n + 0.25, message: { type, payload } });
  }

  line(record: object): this {
    this.text += `${JSON.stringify(record)}\n`;
    return this;
  }

  turn(user_input: unknown): this { return this.add('TurnBegin', { user_input }); }
  step(n: number): this { return this.add('StepBegin', { n }); }
  say(text: string): this { return this.add('ContentPart', { type: 'text', text }); }
  think(think: string, encrypted: string | null = null): this { return this.add('ContentPart', { type: 'think', think, encrypted }); }
  call(id: string, name: string, args: object | string): this { return this.add('ToolCall', { type: 'function', id, function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }, extras: null }); }
  result(tool_call_id: string, output: unknown, more: object = {}): this {
    return this.add('ToolResult', { tool_call_id, return_value: { is_error: false, output, message: '', display: [], extras: null, ...more } });
  }
  status(message_id: string, more: object = {}): this {
    return this.add('StatusUpdate', { context_usage: 0.1, context_tokens: 1000, max_context_tokens: 250_000, token_usage: { input_other: 10, output: 5, input_cache_read: 20, input_cache_creation: 0 }, message_id, ...more });
  }
  /** `of`: the call, and the sub-agent where the version names it. */
  inside(of: readonly [call: string, agent?: string], type: string, payload: object = {}): this {
    const [call, agent] = of;
    const who = agent === undefined ? { task_tool_call_id: call } : { parent_tool_call_id: call, agent_id: agent, subagent_type: 'coder' };
    return this.add('SubagentEvent', { ...who, event: { type, payload } });
  }
  end(): this { return this.add('TurnEnd'); }
}

export const play = (text: string): Fact[] => playAll(makePlayer, Buffer.from(text)).facts;

export function all<T extends FactType>(facts: readonly Fact[], type: T): FactOf<T>[] {
  return facts.filter((fact): fact is FactOf<T> => fact.type === type);
}

/** One log with every record of every version in it. */
export function everything(): string {
  return new Log('1.10')
    .turn([{ type: 'text', text: 'Look at this: ' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', id: 'img-1' } }]).step(1).think('First think.').think(' Then more.').say('I will look.')
    .call('c1', 'Shell', { command: 'ls' }).add('ApprovalRequest', { id: 'a1', tool_call_id: 'c1', sender: 'Shell', action: 'run command', description: 'Run `ls`', display: [{ type: 'shell', language: 'bash', command: 'ls' }] })
    .status('m1').add('ApprovalResponse', { request_id: 'a1', response: 'approve_for_session' }).result('c1', 'a.txt\n', { message: 'Command executed successfully.' })
    .step(2).call('c2', 'WriteFile', '{"path": "a.txt", ').call('c3', 'ReadFile', { path: 'b.txt' }).add('ToolCallPart', { arguments_part: '"x": 1}' }).result('c3', [{ type: 'text', text: 'b' }]).result('c2', '', { is_error: true, message: 'bad arguments' })
    .add('SteerInput', { user_input: 'and hurry' }).step(3).call('c4', 'Shell', { command: 'rm -rf /' }).add('ApprovalRequest', { id: 'a2', tool_call_id: 'c4', sender: 'Shell', action: 'run command', description: 'Run', display: [] })
    .add('ApprovalResponse', { request_id: 'a2', response: 'reject', feedback: 'no' }).result('c4', '', { is_error: true, message: 'Rejected by the user' }).end()
    .turn('plan it').step(1).add('StatusUpdate', { plan_mode: true, mcp_status: null }).add('PlanDisplay', { content: '# Plan', file_path: '/p.md' }).add('QuestionRequest', { id: 'q0', tool_call_id: 'nobody', questions: [] })
    .call('c5', 'AskUserQuestion', { questions: [] }).add('QuestionRequest', { id: 'q1', tool_call_id: 'c5', questions: [{ question: 'Which?', header: 'H', options: [{ label: 'A', description: '' }], multi_select: false }] }).result('c5', 'A')
    .call('c6', 'SetTodoList', { todos: [] }).result('c6', '', { message: 'Updated', display: [{ type: 'todo', items: [{ title: 'one', status: 'done' }, { title: 'two', status: 'in_progress' }, { title: 'odd', status: '?' }] }] })
    .call('c7', 'StrReplaceFile', { path: 'a.txt', edit: { old: 'a', new: 'b' } }).result('c7', '', { message: 'Edited', display: [{ type: 'diff', path: 'a.txt', old_text: 'a\n', new_text: 'b\n', old_start: 1, new_start: 1 }] })
    .call('c8', 'Shell', { command: 'sleep 9', background: true }).result('c8', 'started', { display: [{ type: 'background_task', task_id: 'b1', kind: 'bash', status: 'running', description: 'sleep' }] })
    .add('Notification', { id: 'n1', category: 'task', type: 'task.completed', source_kind: 'background_task', source_id: 'b1', title: 'Done', body: 'sleep is over', severity: 'success', created_at: 1, payload: {} })
    .add('HookTriggered', { event: 'Stop', target: 'x', hook_count: 1 }).add('HookResolved', { event: 'Stop', target: 'x', action: 'block', reason: 'not yet', duration_ms: 4 }).add('HookResolved', { event: 'Stop', target: 'x', action: 'allow', reason: '', duration_ms: 4 })
    .add('BtwBegin', { id: 'w1', question: 'by the way?' }).add('BtwEnd', { id: 'w1', response: 'yes', error: null }).add('MCPLoadingBegin').add('MCPLoadingEnd').add('HookRequest', { id: 'h' }).add('ToolCallRequest', { id: 'c9', name: 'mine', arguments: '{}' })
    .status('m2', { plan_mode: false }).end()
    .turn('delegate').step(1).call('c10', 'Agent', { description: 'd', prompt: 'do it' }).inside(['c10', 'ag1'], 'TurnBegin', { user_input: 'do it' }).inside(['c10', 'ag1'], 'StepBegin', { n: 1 }).inside(['c10', 'ag1'], 'ContentPart', { type: 'text', text: 'inner' })
    .inside(['c10', 'ag1'], 'ToolCall', { type: 'function', id: 'i1', function: { name: 'Shell', arguments: '' } }).inside(['c10', 'ag1'], 'ToolCallPart', { arguments_part: '{"command": "pwd"}' }).inside(['c10', 'ag1'], 'ToolResult', { tool_call_id: 'i1', return_value: { is_error: false, output: '/w', message: '' } })
    .inside(['lost', 'ag2'], 'TurnBegin', { user_input: 'lost call' }).result('c10', 'inner is done').result('lost', 'so is this')
    .step(2).say('partial').add('StepRetry', { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 0.5, error_type: 'APIStatusError', status_code: 529 }).say('whole').status('m3').end()
    .turn('/compact').add('CompactionBegin').add('CompactionEnd').end().turn('/clear').end()
    .turn('stop me').step(1).say('half').add('StepInterrupted').turn('').turn('again').step(1).result('nowhere', 'orphan').add('Tomorrow', { x: 1 }).line({ type: 'hello', protocol_version: 1 }).line({ odd: true }).call('c11', 'Shell', { command: 'make' }).text;
}

/** A history of before there were logs. */
export function oldHistory(): string {
  const lines = [
    { role: '_system_prompt', content: 'You are Kimi.' }, { role: '_checkpoint', id: 0 }, { role: 'user', content: 'read it' }, { role: '_checkpoint', id: 1 }, { role: 'user', content: '<system>CHECKPOINT 1</system>' },
    { role: 'assistant', content: [{ type: 'think', think: 'hm', encrypted: 'sig' }, { type: 'text', text: 'Reading.' }], tool_calls: [{ type: 'function', id: 'c1', function: { name: 'ReadFile', arguments: '{"path": "a"}' } }, { type: 'function', id: 'c2', function: { name: 'Shell', arguments: '{"command": "x"}' } }] },
    { role: '_usage', token_count: 1234 }, { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '<system>1 line read.</system>' }, { type: 'text', text: 'a' }] },
    { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: '<system>ERROR: Failed with exit code: 3</system>' }, { type: 'text', text: 'oops' }] }, { role: 'assistant', content: 'It says a.' },
    { role: 'user', content: [{ type: 'text', text: '<system>Previous context has been compacted. Here is the summary:</system>' }, { type: 'text', text: 'We read a.' }] }, { role: 'user', content: [{ type: 'text', text: 'go on' }] }, { role: '_later', x: 1 }, { role: 'odd' },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
