import type { FactKey, ItemBody, JsonObject, LargeRef } from '@tapefold/facts';
import { growLarge, isJsonObject } from '@tapefold/facts';
import { numberAt, present, stringAt } from '../shape.js';
import { bodyOfCall, bodyOfServerCall, withOutcome } from './call-bodies.js';
import type { Pen } from './pen.js';
import type { CodexRecord, CodexState, OpenCall } from './state.js';
import { type CallOutcome, outcomeOf } from './tool-outputs.js';
import { anchorTurn, currentTurn, turnById, turnByKey } from './turns.js';

/*
 * Calls of the model as items. The original program shows none of them in legacy files and only finished ones in paginated files, so each is *added*:
 * it carries the call's id and moves no count. In a paginated file the item record of the same id takes over where it comes; an answered call without
 * one stays out of sight unless its answer says that it was declined, interrupted, or goes on in the background (D-1, D-2).
 */

interface CallPlace { readonly turn?: FactKey | undefined; readonly turnId?: string | undefined }

/** Turn of a record of the model: named by the record, else the open turn, else the newest. */
export function placeOf(state: CodexState, turnId: string | undefined): CallPlace {
  const named = turnId === undefined || turnId === '' ? anchorTurn(state) : turnById(state, turnId);
  return named ? { turn: named.key } : present({ turnId });
}

/** The turn that an item of the model names. */
export function turnIdOf(item: JsonObject): string | undefined {
  const metadata = item['internal_chat_message_metadata_passthrough'];
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? stringAt(metadata, 'turn_id') : undefined;
}

const refs = (place: CallPlace): { turn?: FactKey; turnId?: string } => present({ turn: place.turn, turnId: place.turnId });

/** The call of this id that nothing has ended. One of a turn that was rolled back is gone with it. */
export function openCallOf(state: CodexState, callId: string): OpenCall | undefined {
  const open = state.calls.get(callId);
  if (open?.turn === undefined || turnByKey(state, open.turn)) return open;
  state.calls.delete(callId);
  return undefined;
}

/** True where the open turn has an item of this id already, whoever shows it. */
function isShown(state: CodexState, id: string): boolean {
  return state.shown.has(id) || currentTurn(state)?.named?.has(id) === true;
}

/** Begins an added item for a call, unless its item is already there. */
export function startCall(pen: Pen, record: CodexRecord, call: { callId: string; place: CallPlace; body: ItemBody; context?: FactKey }): void {
  const { state } = pen;
  const isAgain = state.mode !== 'paginated' && state.shown.get(call.callId) === 'answered';
  if (openCallOf(state, call.callId) || (isShown(state, call.callId) && !isAgain)) return;
  const id = isAgain ? pen.ownId(record) : undefined;
  writeStart(pen, record, { callId: call.callId, open: present({ ...call.place, id, body: call.body, isAnswered: false }), context: call.context });
}

/** Writes `item.started` and keeps the body as it was written, so that a large text does not live on in the player. */
function writeStart(pen: Pen, record: CodexRecord, call: { callId: string; open: OpenCall; context: FactKey | undefined }): void {
  const { callId, open } = call;
  const item = pen.write(present({
    type: 'item.started' as const, at: record.at, call: callId, ...refs(open), id: open.id ?? callId, body: open.body, visibility: 'shown' as const, isAdded: true, context: call.context, large: open.large,
  }));
  const written = pen.facts.at(-1);
  if (written?.type === 'item.started') pen.state.calls.set(callId, present({ ...open, item: open.item ?? item, body: written.body, large: written.large }));
}

/** Ends an added item with a whole body. */
export function finishCall(pen: Pen, record: CodexRecord, call: { callId: string; place: CallPlace; body: ItemBody; large?: LargeRef[] | undefined; visibility?: 'control'; context?: FactKey }): void {
  const open = openCallOf(pen.state, call.callId);
  const place = open ?? call.place;
  pen.state.calls.delete(call.callId);
  pen.state.shown.set(call.callId, 'added');
  pen.write(present({
    type: 'item.completed' as const, at: record.at, call: call.callId, ...refs(place), id: open?.id ?? call.callId, body: call.body, visibility: call.visibility ?? ('shown' as const), isAdded: true,
    context: call.context, large: call.large,
  }));
}

/** The original's own item of this id is about to be written: it stands where its record stands. Returns whether an added item must move. */
export function yieldCall(state: CodexState, id: string): boolean {
  const shown = state.shown.get(id);
  const wasAdded = openCallOf(state, id) !== undefined || shown === 'added' || shown === 'answered';
  state.calls.delete(id);
  state.shown.delete(id);
  return wasAdded;
}

/** A `response_item` that calls or answers; `context` is the key of its entry in the model's history. */
export function playCall(pen: Pen, record: CodexRecord, context: FactKey): void {
  const item = record.payload;
  switch (stringAt(item, 'type')) {
    case 'function_call': case 'custom_tool_call': case 'local_shell_call': case 'tool_search_call': {
      const callId = stringAt(item, 'call_id') ?? stringAt(item, 'id');
      if (callId !== undefined) startCall(pen, record, { callId, place: placeOf(pen.state, turnIdOf(item)), body: bodyOfCall(item, pen.state.threadId), context });
      return;
    }
    case 'function_call_output': case 'custom_tool_call_output': case 'tool_search_output': return answerCall(pen, record);
    case 'web_search_call': case 'image_generation_call': return serverCall(pen, record, context);
    default:
  }
}

function answerCall(pen: Pen, record: CodexRecord): void {
  const callId = stringAt(record.payload, 'call_id');
  if (callId === undefined) return;
  const open = openCallOf(pen.state, callId);
  if (!open && pen.state.shown.get(callId) === 'added') pen.state.shown.set(callId, 'answered');
  if (!open || open.isAnswered) return;
  const outcome = stringAt(record.payload, 'type') === 'tool_search_output' ? outcomeOf('') : outcomeOf(record.payload['output']);
  const body = withOutcome(open.body, outcome);
  if (outcome.runsAs !== undefined && body.kind === 'command') return keepRunning(pen, record, { callId, open: { ...open, runsAs: outcome.runsAs }, body });
  if (outcome.exitCode !== undefined && open.body.kind === 'toolCall') endBackground(pen, record, { poll: open.body, outcome });
  if (pen.state.mode !== 'paginated') {
    finishCall(pen, record, { callId, place: open, body, large: open.large });
    pen.state.shown.set(callId, 'answered');
    return;
  }
  answerInPaginated(pen, record, { callId, open, body, isTold: ['interrupted', 'declined', 'timedOut'].includes(outcome.status) });
}

/** A poll of a background command told its end: the command is over, and what it printed since belongs to it. */
function endBackground(pen: Pen, record: CodexRecord, told: { poll: Extract<ItemBody, { kind: 'toolCall' }>; outcome: CallOutcome }): void {
  const args = told.poll.arguments;
  const session = told.poll.tool === 'write_stdin' && isJsonObject(args) ? numberAt(args, 'session_id')?.toString() ?? stringAt(args, 'session_id') : undefined;
  const callId = session === undefined ? undefined : pen.state.background.get(session);
  const command = callId === undefined ? undefined : openCallOf(pen.state, callId);
  if (callId === undefined || command?.runsAs !== session || command?.body.kind !== 'command' || pen.state.mode === 'paginated') return;
  const { text, large } = grownOutput(command, command.body.output ?? '', told.outcome.text);
  finishCall(pen, record, { callId, place: command, body: withOutcome(command.body, { ...told.outcome, text, durationMs: undefined }), large });
}

/** The output of a command that printed more. What it printed before may be carried by reference, and then the whole is. */
function grownOutput(open: OpenCall, before: string, more: string): { text: string; large: LargeRef[] | undefined } {
  const carried = open.large?.find(({ at }) => at.join('/') === 'body/output');
  if (!carried) return { text: `${before}${more}`, large: open.large };
  const grown = growLarge(before, carried, more);
  return { text: grown.text, large: open.large?.map((ref) => (ref === carried ? grown.ref : ref)) };
}

function keepRunning(pen: Pen, record: CodexRecord, call: { callId: string; open: OpenCall; body: ItemBody }): void {
  const body = call.body.kind === 'command' ? present({ ...call.body, status: 'running' as const, exitCode: undefined, durationMs: undefined }) : call.body;
  writeStart(pen, record, { callId: call.callId, open: { ...call.open, body, isAnswered: true }, context: undefined });
  if (call.open.runsAs !== undefined) pen.state.background.set(call.open.runsAs, call.callId);
}

function answerInPaginated(pen: Pen, record: CodexRecord, call: { callId: string; open: OpenCall; body: ItemBody; isTold: boolean }): void {
  const { callId, open, body, isTold } = call;
  finishCall(pen, record, present({ callId, place: open, body, large: open.large, visibility: isTold ? undefined : ('control' as const) }));
  if (isTold) pen.state.calls.set(callId, { ...open, isAnswered: true });
}

/** In a paginated file the item record tells it; elsewhere the call is all there is, unless an event of the same id was there first. */
function serverCall(pen: Pen, record: CodexRecord, context: FactKey): void {
  const { state } = pen;
  if (state.mode === 'paginated') return;
  const id = stringAt(record.payload, 'id') ?? pen.ownId(record);
  if (isShown(state, id)) return;
  finishCall(pen, record, { callId: id, place: placeOf(state, turnIdOf(record.payload)), body: bodyOfServerCall(record.payload), context });
}
