import type { ContentPart, FactKey, ItemBody, ItemStatus, JsonObject, JsonValue, LineVerdict } from '@tapefold/facts';
import { lookUp, put } from '../../id-table.js';
import { numberAt, objectAt, present, stringAt } from '../../shape.js';
import { addNode, noteEntry, noteItem, wait, waiting } from './chain.js';
import { partsOf, textIn } from './content.js';
import { type Play, refs, say, stepAt, turnAt } from './play.js';
import type { CallState, NodeState, ToolUse } from './state.js';
import { releaseMessages } from './messages.js';
import { openStepOf } from './steps.js';
import { bodyOfCall, finishedBody } from './tool-bodies.js';

/** A call as the file has it, from an event or from a message. */
export interface NativeCall {
  readonly id: string;
  readonly name: string;
  /** Undefined where the file has none. */
  readonly input: JsonValue | undefined;
  /** As the model wrote it. */
  readonly inputText: string;
  readonly display?: JsonValue | undefined;
}

/** A call's item has the call's id, unless the turn has a call of that id already. */
function itemIdOf(play: Play, of: { step: number; id: string; repeats: number }): string {
  const step = stepAt(play, of.step);
  if (of.repeats === 0 && !turnAt(play, step?.turn ?? -1)?.isRevisited) return of.id;
  return `${step?.label ?? ''}.${of.id}${of.repeats < 2 ? '' : `.${of.repeats}`}`;
}

function repeatsOf({ state }: Play, of: { turn: number; id: string }): number {
  const before = lookUp(state.calls, of.id);
  return before === undefined || before.turn !== of.turn ? 0 : before.repeats + 1;
}

/** A call of the model begins: its item and its entry. */
export function startCall(play: Play, node: NodeState, of: { step: number; call: NativeCall }): void {
  const { step: at, call } = of;
  const step = stepAt(play, at);
  if (!step) return;
  const repeats = repeatsOf(play, { turn: step.turn, id: call.id });
  const itemId = itemIdOf(play, { step: at, id: call.id, repeats });
  const body = bodyOfCall({ name: call.name, input: call.input, display: call.display, threadId: play.threadId });
  const tool: ToolUse = present({ name: call.name, input: call.input, display: call.display });
  const item = say(play, present({
    type: 'item.started' as const, ...refs(play, { step: at }), call: call.id, id: itemId, body, visibility: 'shown' as const, tool, isAdded: false, startedAtMs: play.timeMs,
  }));
  const written = play.pen.facts.at(-1);
  if (written?.type === 'item.started') put(play.state.calls, call.id, present({ turn: step.turn, step: at, repeats, itemId, item, open: present({ name: call.name, body: written.body, tool: written.tool ?? tool, large: written.large, startedAtMs: play.timeMs }) }));
  step.hasCalls = true;
  step.hasItems = true;
  node.part = 'call';
  noteItem(node, item);
  noteEntry(node, say(play, { type: 'context.appended', ...refs(play, { step: at }), call: call.id, item: { kind: 'call', callId: call.id, name: call.name, input: call.inputText, form: 'json' }, shows: item }));
}

/** `tool.call` of the open step. */
export function playCall(play: Play, event: JsonObject): LineVerdict {
  const step = openStepOf(play, event, 'stepUuid');
  const id = stringAt(event, 'toolCallId');
  if (step < 0) return 'ignored';
  if (id === undefined) return 'unknown';
  const input = event['args'];
  const node = addNode(play, { kind: 'part', step });
  startCall(play, node, { step, call: present({ id, name: stringAt(event, 'name') ?? '', input, inputText: input === undefined ? '' : JSON.stringify(input), display: event['display'] }) as NativeCall });
  const { pending } = waiting(play);
  wait(play, { pending: pending.includes(id) ? pending : [...pending, id] });
  return 'played';
}

export interface NativeResult {
  readonly callId: string;
  readonly content: JsonValue | undefined;
  readonly isError: boolean;
  readonly note?: string | undefined;
  readonly durationMs?: number | undefined;
  /** The record's own value and the way to it. */
  readonly native: JsonObject;
  readonly path: readonly string[];
}

function statusOf(play: Play, call: CallState, result: NativeResult): ItemStatus {
  if (!result.isError) return 'completed';
  if (play.state.refused.includes(result.callId)) return 'declined';
  return turnAt(play, call.turn)?.isCancelled ? 'interrupted' : 'failed';
}

/** Where texts of the call stand that its end repeats as stand-ins. */
function carried(call: NonNullable<CallState['open']>, body: ItemBody) {
  const kept = (call.large ?? []).filter(({ at }) => at[0] === 'tool' || JSON.stringify(at.slice(1).reduce(inside, call.body)) === JSON.stringify(at.slice(1).reduce(inside, body)));
  return kept.length ? kept : undefined;
}

function inside(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
}

/** The call is answered: its item is complete, and its entry stands behind it. */
export function endCall(play: Play, node: NodeState, result: NativeResult): void {
  const call = lookUp(play.state.calls, result.callId);
  const output = partsOf(result.content);
  if (call?.open) noteItem(node, completeItem(play, call, result));
  const entry: ContentPart[] = output;
  noteEntry(node, say(play, present({
    type: 'context.appended' as const, ...(call ? refs(play, { step: call.step }) : refs(play, { turn: node.turn })), call: result.callId, shows: call?.item,
    item: present({ kind: 'result' as const, callId: result.callId, output: entry, isError: result.isError ? true : undefined, native: play.pen.native(play.record, result.native, [...result.path]) }),
  })));
}

function completeItem(play: Play, call: CallState, result: NativeResult): FactKey {
  const { open } = call;
  const status = statusOf(play, call, result);
  const { body, tool, startedAtMs } = open as NonNullable<CallState['open']>;
  const done = finishedBody(body, { status, output: partsOf(result.content), text: textIn(result.content), durationMs: result.durationMs, agents: call.agents ?? [] });
  const isHeld = done.kind === 'toolCall' || (done.kind === 'command' && done.output !== undefined);
  const use: ToolUse = present({ ...tool, output: isHeld || status !== 'completed' ? undefined : result.content, error: isHeld || status === 'completed' ? undefined : textIn(result.content) });
  const key = say(play, present({
    type: 'item.completed' as const, ...refs(play, { step: call.step }), call: result.callId, id: call.itemId, body: done, visibility: 'shown' as const, tool: use, isAdded: false, startedAtMs, completedAtMs: play.timeMs,
    large: open && carried(open, done),
  }));
  const { open: _open, ...answered } = call;
  put(play.state.calls, result.callId, answered);
  return key;
}

/** `tool.result`: only for a call that waits for one. */
export function playResult(play: Play, event: JsonObject): LineVerdict {
  const callId = stringAt(event, 'toolCallId');
  const { pending } = waiting(play);
  if (callId === undefined || !pending.includes(callId)) return 'ignored';
  const result = objectAt(event, 'result') ?? {};
  const node = addNode(play, { kind: 'tool' });
  endCall(play, node, present({
    callId, content: result['output'], isError: result['isError'] === true, note: stringAt(result, 'note'), durationMs: numberAt(result, 'durationMs'), native: result, path: ['event', 'result'],
  }) as NativeResult);
  const left = pending.filter((id) => id !== callId);
  wait(play, { pending: left });
  if (!left.length) releaseMessages(play);
  return 'played';
}
