import { type CodexRecordLine, THREAD_ID, eventRecord, itemRecord, messageRecord, metaRecord, enveloped, responseRecord } from '@tapefold/testing';
import fc from 'fast-check';

/*
 * Paginated rollouts in which lines speak of any turn and of any call, in any order, and some are damaged: what a look at first characters could get wrong.
 */

/** One line to write. Turns and calls are named by how far back they are, of those that there were. */
export type RolloutStep =
  | { readonly kind: 'begin' | 'end' | 'abort' | 'say' | 'ask' | 'context' | 'tokens' | 'notice' | 'name' | 'spoken' | 'world' | 'blank' | 'compacted'; readonly back: number }
  | { readonly kind: 'call' | 'command' | 'plain'; readonly back: number; readonly call: number; readonly isNamed: boolean }
  | { readonly kind: 'output'; readonly call: number; readonly how: number };

/** How a line is spoiled, and which one. */
export interface Spoiled { readonly line: number; readonly how: number }

const turn = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) }, { weight: 1, arbitrary: fc.constant(99) });
const call = fc.integer({ min: 0, max: 5 });
const step: fc.Arbitrary<RolloutStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('begin' as const), back: fc.constant(0) }) },
  { weight: 7, arbitrary: fc.record({ kind: fc.constantFrom('end', 'say', 'ask', 'context', 'tokens'), back: turn }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('abort', 'notice', 'name', 'spoken', 'world', 'blank', 'compacted'), back: turn }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('call', 'command', 'plain'), back: turn, call, isNamed: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('output' as const), call, how: fc.nat(5) }) },
);

/** A rollout to be written. A tame one speaks of the turn at hand and the one before it. */
export interface HostileRollout {
  readonly steps: readonly RolloutStep[];
  readonly spoiled: readonly Spoiled[];
  readonly isTame: boolean;
  readonly hasLongIds: boolean;
  /** A second file goes on behind so many lines of the first, which may be longer. */
  readonly cut: { readonly lines: number; readonly isLonger: boolean } | undefined;
}

/** Any rollout. */
export const hostileRollout: fc.Arbitrary<HostileRollout> = fc.record({ steps: fc.array(step, { minLength: 4, maxLength: 60 }), spoiled: fc.array(fc.record({ line: fc.nat(60), how: fc.nat(9) }), { maxLength: 2 }), isTame: fc.boolean(), hasLongIds: fc.boolean(), cut: fc.option(fc.record({ lines: fc.nat(50), isLonger: fc.boolean() }), { nil: undefined }) });

const outputs = ['done', 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok', 'Process running with session ID 7\nOutput:\nso far', 'aborted by user after 1.0s', 'exec command rejected by user', '{"output":"old","metadata":{"exit_code":1}}'];

class Writing {
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
    if (step.kind === 'output') return void this.records.push(responseRecord('function_call_output', { call_id: `${this.#callPrefix}${step.call}`, output: outputs[step.how] }));
    const turnId = this.#turn(step.back);
    this.records.push(step.kind === 'call' || step.kind === 'command' || step.kind === 'plain' ? this.#call(step, turnId) : this.#other(step.kind, turnId));
  }

  #call({ kind, call: number, isNamed }: Extract<RolloutStep, { readonly isNamed: boolean }>, turnId: string): CodexRecordLine {
    const id = `${this.#callPrefix}${number}`;
    const metadata = isNamed ? { internal_chat_message_metadata_passthrough: { turn_id: turnId } } : {};
    if (kind === 'call') return responseRecord('function_call', { name: 'exec_command', arguments: '{"cmd":"ls","call_id":"no"}', call_id: id, ...metadata });
    if (kind === 'plain') return responseRecord('function_call', { name: 'write_stdin', arguments: '{"session_id":7}', call_id: id, ...metadata });
    return itemRecord(turnId, { type: 'CommandExecution', id, cwd: 'file:///w', command: ['ls'], parsed_cmd: [], source: 'agent', ...(this.#items % 5 === 0 ? {} : { status: 'completed' }), aggregated_output: `of ${this.#items}`, exit_code: 0 });
  }

  #other(kind: string, turnId: string): CodexRecordLine {
    const text = `words ${this.#items} 言`;
    switch (kind) {
      case 'begin': { this.#turns.push(`turn-${this.#turns.length}`); return eventRecord('task_started', { turn_id: this.#turns.at(-1), started_at: this.#items }); }
      case 'end': return eventRecord('task_complete', { turn_id: turnId, last_agent_message: null, completed_at: this.#items });
      case 'abort': return eventRecord('turn_aborted', { turn_id: turnId, reason: 'interrupted' });
      case 'say': return itemRecord(turnId, { type: 'AgentMessage', id: `said-${this.#items}`, content: [{ type: 'Text', text }] });
      case 'ask': return itemRecord(turnId, { type: 'UserMessage', id: `asked-${this.#items}`, content: [{ type: 'text', text }] });
      case 'context': return enveloped('turn_context', { turn_id: turnId, cwd: '/w', approval_policy: 'never', sandbox_policy: { type: 'read-only' }, model: `model-${this.#items % 3}` });
      case 'tokens': return eventRecord('token_count', { info: null });
      case 'notice': return eventRecord('error', { message: text });
      case 'name': return eventRecord('thread_goal_updated', { goal: { objective: text } });
      case 'spoken': return enveloped('realtime_item', { id: `spoken-${this.#items}`, realtime_session_id: 's', type: 'transcript', role: 'user', text });
      case 'world': return enveloped('world_state', { full: true, state: {} });
      case 'compacted': return enveloped('compacted', { message: text });
      default: return messageRecord('assistant', text);
    }
  }
}

/** Bytes of a line that look whole at both ends, in another form, or are not. */
function spoil(line: string, how: number): string {
  switch (how) {
    case 0: return line.replace(/"ordinal":\d+,/, '');
    case 1: return line.replace(/"ordinal":\d+/, '"ordinal":1');
    case 2: return line.slice(0, line.length >> 1);
    case 3: return `${line.slice(0, line.length >> 1)}${line}`;
    case 4: return `${line}${line.replace(/"ordinal":(\d+)/, (_, ordinal: string) => `"ordinal":${ordinal}5`)}`;
    case 5: return line.replace(/turn-/g, 'turn\\u002d');
    case 6: return line.replace('"payload":{', '"payload":{"more":{"turn_id":"turn-0","call_id":"call_0"},');
    case 7: return line.replace(/("payload":\{"type":"[a-z_]+",)/, '$1"more":{"turn_id":"turn-0","call_id":"call_0"},');
    case 8: return line.replace(/"payload":\{"type":"([a-z_]+)",(.*)\}\}$/, '"payload":{$2,"type":"$1"}}');
    default: return line.replace(/words/, '\\ud800');
  }
}

function linesOf({ steps, spoiled, isTame, hasLongIds }: HostileRollout): string[] {
  const writing = new Writing(hasLongIds);
  writing.write({ kind: 'begin', back: 0 });
  for (const each of steps) writing.write(isTame && 'back' in each && each.back > 1 ? { ...each, back: 0 } : each);
  const lines = writing.records.map(({ timestamp, ...rest }, i) => JSON.stringify({ timestamp, ordinal: i, ...rest }));
  for (const { line, how } of isTame ? spoiled.slice(0, 1) : spoiled) if (line > 0 && line < lines.length && (!isTame || how > 4)) lines[line] = spoil(lines[line] as string, how);
  return lines;
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The text of a rollout, as one file. */
export function hostileText(rollout: HostileRollout): string {
  return textOf(linesOf(rollout));
}

/** The texts of its files, oldest first. */
export function hostileFiles(rollout: HostileRollout): string[] {
  const lines = linesOf(rollout);
  if (!rollout.cut) return [textOf(lines)];
  const at = Math.min(1 + rollout.cut.lines, lines.length);
  const base = textOf(lines.slice(0, at));
  const { timestamp, ...meta } = metaRecord({ history_mode: 'paginated', history_base: { thread_id: THREAD_ID, end_ordinal_exclusive: at, end_byte_offset: Buffer.byteLength(base) } });
  const behind = lines.slice(at).map((line, i) => line.replace(/"ordinal":(\d+)/, `"ordinal":${at + 1 + i}`));
  return [rollout.cut.isLonger ? textOf(lines) : base, textOf([JSON.stringify({ timestamp, ordinal: at, ...meta }), ...behind])];
}
