import { type CodexRecordLine, eventRecord, itemRecord, messageRecord, metaRecord, enveloped, responseRecord } from '@tapefold/testing';

/** One line to write. Turns and calls are named by how far back they are, of those that there were. */
export type RolloutStep =
  | { readonly kind: 'begin' | 'end' | 'abort' | 'say' | 'ask' | 'context' | 'tokens' | 'notice' | 'name' | 'spoken' | 'world' | 'reply' | 'compacted' | 'settings' | 'agents' | 'large'; readonly back: number }
  | { readonly kind: 'call' | 'command' | 'plain' | 'custom' | 'shell' | 'search' | 'spawn' | 'item'; readonly back: number; readonly call: number; readonly isNamed: boolean }
  | { readonly kind: 'output'; readonly call: number; readonly how: number };

type CallStep = Extract<RolloutStep, { readonly isNamed: boolean }>;

const texts = ['done', 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok', 'Process running with session ID 7\nOutput:\nso far', 'aborted by user after 1.0s', 'exec command rejected by user', '{"output":"old","metadata":{"exit_code":1}}'];
/** Ways in which a call is answered, ones that the original cannot read among them. */
export const OUTPUT_WAYS = texts.length + 5;

function outputRecord(callId: string, how: number): CodexRecordLine {
  const output = texts[how];
  if (output !== undefined) return responseRecord('function_call_output', { call_id: callId, output });
  switch (how - texts.length) {
    case 0: return responseRecord('custom_tool_call_output', { call_id: callId, output: [{ type: 'input_text', text: 'aborted' }] });
    case 1: return responseRecord('tool_search_output', { call_id: callId, status: 'completed', execution: 'client', tools: [] });
    case 2: return responseRecord('tool_search_output', { call_id: callId, output: 'of no shape' });
    case 3: return responseRecord('function_call_output', { call_id: callId });
    default: return responseRecord('function_call_output', { id: callId, output: 'done' });
  }
}

/** Items of other kinds than commands, under the id of a call. */
const otherItems: readonly Record<string, unknown>[] = [
  { type: 'FileChange', changes: { '/a': { type: 'add', content: 'x' } }, status: 'completed' }, { type: 'McpToolCall', server: 's', tool: 't', arguments: { turn_id: 'turn-0' }, status: 'completed' }, { type: 'SubAgentActivity', agent_thread_id: 'a', kind: 'started' },
  { type: 'CollabAgentToolCall', tool: 'spawn_agent', sender_thread_id: 's', status: 'completed' }, { type: 'Plan', text: 'first' }, { type: 'Extension', kind: 'clock.sleep', durationMs: 1 }, { type: 'Extension', kind: 'of no kind' }, { type: 'EnteredReviewMode' },
  { type: 'ExitedReviewMode' }, { type: 'ContextCompaction' }, { type: 'WebSearch', query: 'q' }, { type: 'ImageGeneration', status: 'completed', result: 'r' }, { type: 'Reasoning', summary_text: ['thought'] }, { type: 'UserMessage', content: [{ type: 'text', text: 'steered' }] }, { type: 'DynamicToolCall', tool: 'd' },
];

const context = (turnId: string, n: number): CodexRecordLine => enveloped('turn_context', { turn_id: turnId, ...(n % 7 === 0 ? { model: 'first' } : {}), cwd: '/w', approval_policy: 'never', sandbox_policy: { type: 'read-only' }, ...(n % 7 === 0 ? {} : { model: `model-${n % 2}` }) });

/** The records of a rollout, one after the other. */
export class HostileRecords {
  readonly records: CodexRecordLine[] = [metaRecord({ history_mode: 'paginated' })];
  readonly #turns: string[] = [];
  readonly #callPrefix: string;
  #items = 0;

  constructor(hasLongIds: boolean) {
    this.#callPrefix = hasLongIds ? 'call_0123456789abcdef0123' : 'call_';
  }

  #turn(back: number): string {
    return this.#turns.at(-1 - back) ?? `unknown-${back}`;
  }

  /** The next line of a kind. */
  write(step: RolloutStep): void {
    this.#items += 1;
    if (step.kind === 'output') return void this.records.push(outputRecord(`${this.#callPrefix}${step.call}`, step.how));
    const turnId = this.#turn(step.back);
    this.records.push('isNamed' in step ? this.#called(step, turnId) : this.#other(step.kind, turnId));
  }

  #called(step: CallStep, turnId: string): CodexRecordLine {
    const id = `${this.#callPrefix}${step.call}`;
    if (step.kind === 'command') return itemRecord(turnId, { type: 'CommandExecution', id, cwd: 'file:///w', command: ['ls'], parsed_cmd: [], source: 'agent', ...(this.#items % 5 === 0 ? {} : { status: 'completed' }), aggregated_output: `of ${this.#items}`, exit_code: 0 });
    if (step.kind === 'item') { const { type, ...item } = otherItems[this.#items % otherItems.length] ?? {}; return itemRecord(turnId, { type, id, ...item }); }
    return this.#call(step.kind, id, step.isNamed ? { internal_chat_message_metadata_passthrough: { turn_id: turnId } } : {});
  }

  #call(kind: CallStep['kind'], id: string, metadata: object): CodexRecordLine {
    switch (kind) {
      case 'call': return responseRecord('function_call', { name: 'exec_command', arguments: '{"cmd":"ls","call_id":"no"}', call_id: id, ...metadata });
      case 'custom': return responseRecord('custom_tool_call', { id: `ctc_${id}`, status: 'completed', call_id: id, name: 'apply_patch', input: 'words {} } {', ...metadata });
      case 'spawn': return responseRecord('function_call', { name: 'spawn_agent', arguments: '{"message":"go"}', call_id: id, ...metadata });
      case 'shell': return responseRecord('local_shell_call', { ...(this.#items % 2 === 0 ? { call_id: id } : { id }), status: 'completed', action: { type: 'exec', command: ['ls'], call_id: 'no', turn_id: 'turn-0' }, ...metadata });
      case 'search': return responseRecord('tool_search_call', { ...(this.#items % 2 === 0 ? { call_id: id } : { id }), execution: 'client', arguments: { call_id: 'no', query: 'q' }, ...metadata });
      default: return responseRecord('function_call', { name: 'write_stdin', arguments: '{"session_id":7}', call_id: id, ...metadata });
    }
  }

  #other(kind: string, turnId: string): CodexRecordLine {
    const n = this.#items;
    const text = `words ${n} 言`;
    switch (kind) {
      case 'begin': { this.#turns.push(`turn-${this.#turns.length}`); return eventRecord('task_started', { turn_id: this.#turns.at(-1), started_at: n }); }
      case 'end': return eventRecord('task_complete', { turn_id: turnId, last_agent_message: null, completed_at: n });
      case 'abort': return eventRecord('turn_aborted', { turn_id: turnId, reason: 'interrupted' });
      case 'say': return itemRecord(turnId, { type: 'AgentMessage', id: `said-${n}`, content: [{ type: 'Text', text }] });
      case 'large': return itemRecord(turnId, { type: 'AgentMessage', id: `said-${n}`, content: [{ type: 'Text', text: text.repeat(5_000) }] });
      case 'ask': return itemRecord(turnId, { type: 'UserMessage', id: `asked-${n}`, content: [{ type: 'text', text }] });
      case 'context': return context(turnId, n);
      case 'settings': return eventRecord('thread_settings_applied', { thread_settings: { model: `model-${n % 3}`, reasoning_effort: n % 2 === 0 ? 'low' : 'high' } });
      case 'tokens': return eventRecord('token_count', { info: n % 2 === 0 ? null : { total_token_usage: { total_tokens: 5 }, last_token_usage: { total_tokens: 5 } } });
      case 'notice': return eventRecord('error', { message: text });
      case 'name': return eventRecord('thread_goal_updated', { goal: { objective: text } });
      case 'spoken': return enveloped('realtime_item', { id: `spoken-${n}`, realtime_session_id: 's', type: 'transcript', role: 'user', text });
      case 'world': return enveloped('world_state', { full: true, state: {} });
      case 'agents': return enveloped('inter_agent_communication', { author: 'a', recipient: 'b', content: text });
      case 'compacted': return enveloped('compacted', { message: text });
      default: return messageRecord(n % 2 === 0 ? 'assistant' : 'user', text);
    }
  }
}
