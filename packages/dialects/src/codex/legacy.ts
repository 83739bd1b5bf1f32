import type { FactKey, ItemBody, LargeRef } from '@tapefold/facts';
import { contentDigest } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt } from '../shape.js';
import { finishCall, openCallOf, placeOf, startCall, yieldCall } from './calls.js';
import { readCompletedItem } from './completed-items.js';
import { awaitTwin, dropContextTurns, tapeOf } from './context.js';
import { type AddedEvent, addedEventOf, namedEventOf, patchOf, userPartsOf } from './event-items.js';
import { writeInput } from './inputs.js';
import { type Pen } from './pen.js';
import { playGoal, playSettings, playTokenCount } from './settings.js';
import type { CodexRecord, CodexState, TurnState } from './state.js';
import { abortOf, completionOf } from './turn-ends.js';
import { messageExtrasOf, reviewExitedOf } from './turn-items.js';
import { type TurnEnd, anchorTurn, closeTurn, countItems, currentTurn, dropTurns, endTurn, nameItem, openTurn, turnById } from './turns.js';

/*
 * Legacy event logs. Turns and ids come out as the original program computes them:
 *
 *   task_started ──► explicit turn, open ──task_complete/turn_aborted──► closed
 *   user_message ──► joins the explicit turn; closes an implicit one that has content and opens `rollout-<n>`
 *   any other item ─► joins the open turn, or opens `rollout-<n>`
 *   thread_rolled_back n ──► closes, drops the last n turns, numbers items on from what is left
 *
 * A repaired record opens no turn and takes no number: the original never saw it.
 */

/** The same UUID for the same words, always (version 8: made by an application's own rule). */
function stableUuid(key: string): string {
  const hex = `${contentDigest(key)}${contentDigest(`${key}/2`)}`.replaceAll('fnv2:', '');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** From the middle of a file, numbers cannot be known: such ids are marked, and made from where the record stands. */
const PROVISIONAL = '~';

function implicitId(pen: Pen): string {
  return pen.state.isTail ? `${PROVISIONAL}rollout@${pen.line.offset}` : `rollout-${pen.state.retained}`;
}

function ensureTurn(pen: Pen, record: CodexRecord): TurnState | undefined {
  if (record.isRepaired) return anchorTurn(pen.state);
  return currentTurn(pen.state) ?? openTurn(pen, record, { id: implicitId(pen), isImplicit: true, replacesOlder: false });
}

/** The next id of the original's own numbering, or one of ours for what a repair made readable. */
function takeItemId(pen: Pen, record: CodexRecord, turn: TurnState | undefined): string {
  const { state } = pen;
  if (record.isRepaired) return pen.ownId(record);
  if (turn) { countItems(state, turn, 1); turn.hasContent = true; }
  state.nextItem += 1;
  return state.isTail ? `${PROVISIONAL}item@${pen.line.offset}.${record.index}` : `item-${state.nextItem - 1}`;
}

/** An item that the original numbers. In files that only the model's history tells, `context` is the entry that it was made from. */
export function writeNumbered(pen: Pen, record: CodexRecord, item: { body: ItemBody; context?: FactKey }): FactKey {
  const { body, context } = item;
  const turn = ensureTurn(pen, record);
  const id = takeItemId(pen, record, turn);
  const key = pen.write(present({
    type: 'item.completed' as const, at: record.at, turn: turn?.key, id, body, visibility: 'shown' as const, isAdded: record.isRepaired, context,
  }));
  pen.state.lastReasoning = body.kind === 'reasoning' && !record.isRepaired ? { id, key } : null;
  return key;
}

/** An item under an id of its own, in the turn that it names, else in the open one. */
function writeNamed(pen: Pen, record: CodexRecord, item: { id: string; body: ItemBody; turnId?: string | undefined; startedAtMs?: number; completedAtMs?: number; context?: FactKey }): void {
  const { state } = pen;
  const turn = item.turnId ? turnById(state, item.turnId) : ensureTurn(pen, record);
  if (!turn) return;
  const added = openCallOf(state, item.id);
  if (added && (added.turn !== turn.key || added.id !== undefined)) hideItem(pen, record, { turn: added.turn, id: added.id ?? item.id });
  const moves = yieldCall(state, item.id);
  const isNew = !record.isRepaired && nameItem(state, turn, item.id);
  turn.hasContent ||= !record.isRepaired;
  if (isNew && turn === currentTurn(state)) state.lastReasoning = null;
  pen.write(present({
    type: 'item.completed' as const, at: record.at, turn: turn.key, call: item.id, id: item.id, body: item.body, visibility: 'shown' as const, isAdded: record.isRepaired,
    startedAtMs: item.startedAtMs, completedAtMs: item.completedAtMs, context: item.context, place: moves ? ('here' as const) : undefined,
  }));
}

/** A hook's words stand in the model's history only. They take no number, but count as an item; without a message id, the fact's key gives a stable one. */
export function writeHookPrompt(pen: Pen, record: CodexRecord, prompt: { fragments: { text: string; hookRunId: string }[]; context: FactKey }): void {
  const id = stringAt(record.payload, 'id') ?? stableUuid(`${tapeOf(pen.nextKey())} ${pen.ownId(record)}`);
  writeNamed(pen, record, { id, body: { kind: 'hookPrompt', fragments: prompt.fragments }, context: prompt.context });
}

function hideItem(pen: Pen, record: CodexRecord, item: { turn: FactKey | undefined; id: string }): void {
  pen.write(present({ type: 'item.changed' as const, at: record.at, turn: item.turn, id: item.id, visibility: 'control' as const }));
}

function playUserMessage(pen: Pen, record: CodexRecord): void {
  const { state } = pen;
  const content = userPartsOf(record.payload);
  for (const pending of state.pendingInputs) pen.write(present({ type: 'input.placed' as const, at: record.at, input: pending.input, as: 'twin' as const }));
  state.pendingInputs = [];
  const current = currentTurn(state);
  if (!record.isRepaired && current?.isImplicit && current.hasContent) closeTurn(state);
  const turn = ensureTurn(pen, record);
  const id = takeItemId(pen, record, turn);
  state.lastReasoning = null;
  writeInput(pen, record, { id, content, clientId: stringAt(record.payload, 'client_id'), isAdded: record.isRepaired, turn });
}

/** Typed messages that no event ever showed stand before the answer that does have one. */
function placePending(pen: Pen, record: CodexRecord): void {
  const turn = currentTurn(pen.state);
  if (!turn) return;
  for (const pending of pen.state.pendingInputs) {
    pen.write(present({ type: 'input.placed' as const, at: record.at, turn: turn.key, input: pending.input, as: turn.hasInput ? ('steers' as const) : ('opens' as const), after: turn.key }));
    turn.hasInput = true;
  }
  pen.state.pendingInputs = [];
}

function playAgentMessage(pen: Pen, record: CodexRecord): void {
  const text = stringAt(record.payload, 'message') ?? '';
  if (text === '') return;
  const key = writeNumbered(pen, record, { body: { kind: 'agentMessage', text, ...messageExtrasOf(record.payload) } });
  placePending(pen, record);
  awaitTwin(pen.state, { key, text, role: 'assistant' });
}

function playReasoning(pen: Pen, record: CodexRecord, into: 'summary' | 'content'): void {
  const text = stringAt(record.payload, 'text') ?? '';
  if (text === '') return;
  const { lastReasoning } = pen.state;
  const turn = currentTurn(pen.state);
  if (lastReasoning !== null && turn && !record.isRepaired) {
    pen.write(present({ type: 'item.changed' as const, at: record.at, turn: turn.key, id: lastReasoning.id, append: { [into]: [text] } }));
    return awaitTwin(pen.state, { key: lastReasoning.key, text, role: 'assistant' });
  }
  const key = writeNumbered(pen, record, { body: { kind: 'reasoning', summary: [], content: [], [into]: [text] } });
  awaitTwin(pen.state, { key, text, role: 'assistant' });
}

function playTurnStarted(pen: Pen, record: CodexRecord): void {
  closeTurn(pen.state);
  openTurn(pen, record, {
    id: stringAt(record.payload, 'turn_id') ?? '', isImplicit: false, startedAt: numberAt(record.payload, 'started_at'), rootTurnId: stringAt(record.payload, 'root_turn_id'), replacesOlder: false,
  });
}

/** Completion and abort name their turn; where no turn has that id, the open one is meant. */
function playTurnEnd(pen: Pen, record: CodexRecord, end: TurnEnd): void {
  const id = stringAt(record.payload, 'turn_id');
  const turn = (id === undefined ? undefined : turnById(pen.state, id)) ?? currentTurn(pen.state);
  if (turn) endTurn(pen, record, { turn, end });
}

/** The screen loses turns as displayed, the model its own turns: two targets, resolved here (the file only says how many). */
function playRollback(pen: Pen, record: CodexRecord): void {
  const { state } = pen;
  const count = Math.max(0, Math.floor(numberAt(record.payload, 'num_turns') ?? 0));
  if (count === 0) return void dropTurns(state, 0);
  state.lacksTurns ||= state.isTail && count > state.turns.length;
  const turns = dropTurns(state, count);
  const context = dropContextTurns(state, count, tapeOf(pen.nextKey()));
  Object.assign(state, { awaitedTwin: null, lastUserContext: null });
  pen.write(present({ type: 'history.superseded' as const, at: record.at, reason: 'rollback' as const, turns, context }));
}

function playItem(pen: Pen, record: CodexRecord): void {
  const item = objectAt(record.payload, 'item') ?? {};
  const read = readCompletedItem(item);
  if (!read || !('body' in read)) return;
  writeNamed(pen, record, { id: stringAt(item, 'id') ?? '', body: read.body, turnId: stringAt(record.payload, 'turn_id') });
}

/** An event of a kept type and shape. */
export function playLegacyEvent(pen: Pen, record: CodexRecord, type: string): void {
  const { payload } = record;
  switch (type) {
    case 'user_message': return playUserMessage(pen, record);
    case 'agent_message': return playAgentMessage(pen, record);
    case 'agent_reasoning': return playReasoning(pen, record, 'summary');
    case 'agent_reasoning_raw_content': return playReasoning(pen, record, 'content');
    case 'task_started': return playTurnStarted(pen, record);
    case 'task_complete': return playTurnEnd(pen, record, completionOf(payload));
    case 'turn_aborted': return playTurnEnd(pen, record, abortOf(payload));
    case 'thread_rolled_back': return playRollback(pen, record);
    case 'entered_review_mode': return void writeNumbered(pen, record, { body: present({ kind: 'reviewEntered' as const, hint: stringAt(payload, 'user_facing_hint') }) });
    case 'exited_review_mode': return void writeNumbered(pen, record, { body: reviewExitedOf(objectAt(payload, 'review_output')) });
    case 'context_compacted': return void writeNumbered(pen, record, { body: { kind: 'compaction' } });
    case 'item_completed': return playItem(pen, record);
    case 'token_count': return playTokenCount(pen, record);
    case 'thread_goal_updated': return playGoal(pen, record);
    case 'thread_settings_applied': return playSettings(pen, record);
    default: return playNamedEvent(pen, record, type);
  }
}

function playNamedEvent(pen: Pen, record: CodexRecord, type: string): void {
  const named = namedEventOf(type, record.payload);
  if (named) writeNamed(pen, record, { ...named, turnId: stringAt(record.payload, 'turn_id') });
}

/** An event that the original skips and that shows something: added under its call id, in the place of the call. Returns whether it is one. */
export function playAddedEvent(pen: Pen, record: CodexRecord, type: string): boolean {
  const old: AddedEnd | undefined = type === 'patch_apply_end' ? oldPatch(pen.state, record) : addedEventOf(type, record.payload);
  if (!old) return false;
  const place = placeOf(pen.state, old.turnId);
  const call = present({ callId: old.callId, place, body: old.body, large: old.large });
  if (old.isEnd) finishCall(pen, record, call);
  else startCall(pen, record, call);
  return true;
}

/** An event, and the references of large texts that its body takes over from the call. */
type AddedEnd = AddedEvent & { readonly large?: LargeRef[] | undefined };

/** Patches of old versions say no status and often no changes; those the call itself named. */
function oldPatch(state: CodexState, record: CodexRecord): AddedEnd | undefined {
  const callId = stringAt(record.payload, 'call_id');
  if (callId === undefined) return undefined;
  const body = patchOf(record.payload);
  const open = openCallOf(state, callId);
  const called = body.changes.length || open?.body.kind !== 'fileChange' ? undefined : open.body.changes;
  return { callId, turnId: stringAt(record.payload, 'turn_id'), body: { ...body, changes: called ?? body.changes }, isEnd: true, large: called && open?.large };
}

/** A `compacted` record makes no item, but keeps an implicit turn open for what follows. */
export function markCompaction(pen: Pen, record: CodexRecord): void {
  if (!record.isRepaired) ensureTurn(pen, record);
}

