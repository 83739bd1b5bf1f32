import type { JsonObject, LargeRef } from '@tapefold/facts';
import { isJsonObject, textOfParts } from '@tapefold/facts';
import { lookUp, put, remove } from '../../id-table.js';
import { innerJson } from '../../json-text.js';
import { objectAt, objectsAt, present, stringAt } from '../../shape.js';
import { contentOf } from './content.js';
import { type Play, type Played, here, nextBlockId, say, sayOwn, timeMs } from './play.js';
import type { CallState } from './state.js';
import { endTurn, needTurn } from './turns.js';
import { type CliResult, bodyOfCall, bodyWithResult, shortDisplay, todosOf } from './tool-bodies.js';

/** Who calls, as facts name it. */
const senderOf = ({ run, identity }: Play): string => run.agent ?? identity.namedThreadId ?? '';

/** Arguments as an object, where they are whole. */
function inputOf(text: string): JsonObject | undefined {
  const value = text === '' ? {} : innerJson(text);
  return isJsonObject(value) ? value : undefined;
}

const ownOf = ({ turn, step }: CallState): { turn?: string; step?: string } => present({ turn: turn ?? undefined, step: step ?? undefined });

function toolOf(call: Pick<CallState, 'name' | 'arguments'>): { name: string; input?: JsonObject; inputText?: string } {
  const input = inputOf(call.arguments);
  return { name: call.name, ...(input ? { input } : { inputText: call.arguments }) };
}

/** The item of a call whose arguments are as far as they have come. */
function showCall(play: Play, id: string, call: Omit<CallState, 'item'>): string {
  const key = say(play, present({ type: 'item.started' as const, ...ownOf(call as CallState), call: id, id, body: call.body, visibility: 'shown' as const, tool: toolOf(call), isAdded: false, startedAtMs: call.startedAtMs }));
  const written = play.pen.facts.at(-1);
  if (written?.type === 'item.started') Object.assign(call, present({ body: written.body, large: written.large }));
  return key;
}

/** The model's history gets a call once its arguments are whole. */
function sayCall(play: Play, id: string, call: CallState): void {
  if (call.isSaid) return;
  call.isSaid = true;
  sayOwn(play, { ...ownOf(call), call: id, item: { kind: 'call', callId: id, name: call.name, input: call.arguments === '' ? '{}' : call.arguments, form: 'json' }, shows: call.item });
}

/** A call of the model begins; more of its arguments may follow. */
export function startCall(play: Play): Played {
  needTurn(play);
  const { payload, run } = play;
  const called = objectAt(payload, 'function') ?? {};
  const id = stringAt(payload, 'id') ?? nextBlockId(play);
  const name = stringAt(called, 'name') ?? '';
  const text = stringAt(called, 'arguments') ?? '';
  const input = inputOf(text);
  const call: Omit<CallState, 'item'> = {
    run: play.runIndex, turn: run.turn, step: run.step, name, arguments: text, isSaid: false, body: bodyOfCall({ name, input: input ?? {}, sender: senderOf(play) }), startedAtMs: timeMs(play),
  };
  const item = showCall(play, id, call);
  const kept: CallState = { ...call, item };
  put(play.state.calls, id, kept);
  Object.assign(run, { block: null, latest: id });
  run.items.push(item);
  // An empty text may be the beginning of one.
  if (input && text !== '') sayCall(play, id, kept);
  return 'played';
}

/** More of the arguments of the run's newest call, whatever came between. */
export function growCall(play: Play): Played {
  const { run, payload, state } = play;
  const call = run.latest === null ? undefined : lookUp(state.calls, run.latest);
  const part = stringAt(payload, 'arguments_part');
  if (!call || run.latest === null || part === undefined) return 'ignored';
  call.arguments += part;
  const input = inputOf(call.arguments);
  if (!input) return 'played';
  call.body = bodyOfCall({ name: call.name, input, sender: senderOf(play) });
  showCall(play, run.latest, call);
  sayCall(play, run.latest, call);
  return 'played';
}

/** A call that the log has lost, though others of its records speak of it. */
export function impliedCall(play: Play, id: string, name: string): CallState {
  needTurn(play);
  const call: Omit<CallState, 'item'> = { run: play.runIndex, turn: play.run.turn, step: play.run.step, name, arguments: '', isSaid: false, body: bodyOfCall({ name, input: {}, sender: senderOf(play) }), startedAtMs: timeMs(play) };
  const kept: CallState = { ...call, item: showCall(play, id, call) };
  put(play.state.calls, id, kept);
  return kept;
}

function resultOf(returned: JsonObject, isRejected: boolean): CliResult {
  const message = stringAt(returned, 'message') ?? '';
  const isError = returned['is_error'] === true;
  const failure = /timed? ?out|killed by timeout/i.test(message) ? ('timedOut' as const) : ('failed' as const);
  const status = isRejected ? ('declined' as const) : isError ? failure : ('completed' as const);
  return { output: contentOf(returned['output']), message, display: objectsAt(returned, 'display'), status };
}

/** Texts of the call that the body with its result still carries as stand-ins. */
function carriedLarge(call: CallState, body: CallState['body']): LargeRef[] | undefined {
  const kept = (call.large ?? []).filter(({ at }) => at[0] === 'tool' || (at[0] === 'body' && JSON.stringify(at.slice(1).reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], call.body)) === JSON.stringify(at.slice(1).reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], body))));
  return kept.length > 0 ? kept : undefined;
}

/** What the model reads of a result: what the program notes of it, then the output. */
function sayResult(play: Play, id: string, of: { call: CallState | undefined; result: CliResult }): void {
  const { output, message, status } = of.result;
  const isError = status !== 'completed';
  play.run.hasResult = true;
  const note = message === '' ? [] : [{ kind: 'text' as const, text: `<system>${isError ? 'ERROR: ' : ''}${message}</system>` }];
  say(play, present({ type: 'context.appended' as const, ...(of.call ? ownOf(of.call) : here(play)), call: id, item: { kind: 'result' as const, callId: id, output: [...note, ...output], isError }, shows: of.call?.item }));
}

/** A result that answers no call of the log: it stands by itself. */
function orphan(play: Play, id: string, result: CliResult): Played {
  needTurn(play);
  const output = result.output.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : part.kind === 'other' ? part.raw : { type: part.kind }));
  say(play, { type: 'item.completed', ...here(play), id: id === '' ? nextBlockId(play) : id, body: { kind: 'callOutput', name: 'unknown', output }, visibility: 'shown', isAdded: false });
  return 'played';
}

function complete(play: Play, id: string, of: { call: CallState; result: CliResult }): void {
  const { call, result } = of;
  const body = bodyWithResult(call.body, result, call.agent);
  const display = shortDisplay(result.display);
  const tool = present({ ...toolOf(call), display, error: result.status === 'failed' && result.message !== '' ? result.message : undefined });
  const large = carriedLarge(call, body);
  say(play, present({ type: 'item.completed' as const, ...ownOf(call), call: id, id, body, visibility: 'shown' as const, tool, isAdded: false, startedAtMs: call.startedAtMs, completedAtMs: timeMs(play), large }));
}

/** What a result says besides: a list of tasks, work in the background, the answer to a question. */
function sayBeside(play: Play, id: string, of: { call: CallState; result: CliResult }): void {
  const { call: { question, ...call }, result } = of;
  const entries = todosOf(result.display);
  if (entries && result.status === 'completed') say(play, { type: 'todo.replaced', ...ownOf(call), call: id, entries });
  for (const block of result.display) if (stringAt(block, 'type') === 'background_task') startTask(play, block);
  if (question) say(play, { type: 'interaction.resolved', ...ownOf(call), call: id, id: question.id, request: question.key, outcome: result.status === 'completed' ? 'answered' : 'dismissed', response: textOfParts(result.output) });
}

function startTask(play: Play, block: JsonObject): void {
  const taskId = stringAt(block, 'task_id');
  const kind = stringAt(block, 'kind') === 'agent' ? ('subagent' as const) : ('shell' as const);
  if (taskId !== undefined) say(play, { type: 'task.started', ...here(play), task: present({ taskId, kind, description: stringAt(block, 'description'), isDetached: true, startedAtMs: timeMs(play) }) });
}

/** A sub-agent ends with the call that started it. */
function endAgent(play: Play, { index, result }: { readonly index: number | undefined; readonly result: CliResult }): void {
  const run = index === undefined ? undefined : play.state.runs[index];
  if (run && index !== undefined && run.turn !== null) endTurn({ ...play, run, runIndex: index }, result.status === 'completed' ? 'completed' : 'interrupted');
}

export function endCall(play: Play): Played {
  const { payload, state } = play;
  const id = stringAt(payload, 'tool_call_id') ?? '';
  const call = lookUp(state.calls, id);
  const result = resultOf(objectAt(payload, 'return_value') ?? {}, call?.isRejected === true);
  if (!call) return orphan(play, id, result);
  play.run.block = null;
  endAgent(play, { index: lookUp(state.groups, `${id} ${call.agent ?? ''}`), result });
  sayCall(play, id, call);
  complete(play, id, { call, result });
  sayResult(play, id, { call, result });
  sayBeside(play, id, { call, result });
  remove(state.calls, id);
  return 'played';
}
