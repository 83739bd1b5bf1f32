import type { FactKey, ItemBody } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt } from '../shape.js';
import { yieldCall } from './calls.js';
import { type CompletedItem, readCompletedItem } from './completed-items.js';
import { awaitTwin } from './context.js';
import { writeInput } from './inputs.js';
import type { Pen } from './pen.js';
import { playGoal, playSettings, playTokenCount } from './settings.js';
import type { CodexRecord, CodexState, TurnState } from './state.js';
import { abortOf, completionOf } from './turn-ends.js';
import { type TurnEnd, endTurn, openTurn, turnById } from './turns.js';

/*
 * Paginated files: every item is one `item_completed`, addressed by turn and item id; several turns may be open. Events of the legacy kind are twins of
 * items and are not read. Lines whose ordinal was there before are ones that the original leaves out: what they show is kept out of sight.
 */

/** Whether the original takes the line; moves the expected ordinal on. Gaps are accepted, repetitions are not; a line without ordinal counts as the next. */
export function acceptsOrdinal(state: CodexState, ordinal: number | undefined): boolean {
  if (ordinal === undefined) return true;
  if (ordinal < state.expectedOrdinal) return false;
  state.expectedOrdinal = ordinal + 1;
  return true;
}

function playTurnStarted(pen: Pen, record: CodexRecord): void {
  const id = stringAt(record.payload, 'turn_id');
  if (id === undefined || turnById(pen.state, id)) return;
  openTurn(pen, record, {
    id, isImplicit: false, startedAt: numberAt(record.payload, 'started_at'), rootTurnId: stringAt(record.payload, 'root_turn_id'), replacesOlder: true,
  });
}

/**
 * Ends a turn once; start and root are then what the ending record says of them. A turn that no record of this tape began is there from its end on (a
 * review's), unless an earlier segment can have begun it.
 */
function playTurnEnd(pen: Pen, record: CodexRecord, told: TurnEnd): void {
  const { state } = pen;
  const id = stringAt(record.payload, 'turn_id');
  const known = id === undefined ? undefined : turnById(state, id);
  if (id === undefined || (known && known.status !== 'open')) return;
  const end: TurnEnd = { ...told, startedAt: numberAt(record.payload, 'started_at') ?? null, rootTurnId: stringAt(record.payload, 'root_turn_id') ?? null };
  state.lacksTurns ||= state.isTail && !known;
  if (!known && state.hasBase) return void pen.write(present({ type: 'turn.ended' as const, at: record.at, turnId: id, ...end }));
  const open = state.current;
  const turn = known ?? openTurn(pen, record, { id, isImplicit: false, replacesOlder: true });
  endTurn(pen, record, { turn, end });
  if (!known) state.current = open;
}

interface ItemPlace { readonly id: string; readonly turn: TurnState | undefined; readonly turnId: string; readonly isHidden: boolean }

function textOfBody(body: ItemBody): string | undefined {
  if (body.kind === 'agentMessage') return body.text;
  return body.kind === 'reasoning' ? body.summary.join('\n') : undefined;
}

function times(record: CodexRecord): { startedAtMs?: number; completedAtMs?: number } {
  return present({ startedAtMs: numberAt(record.payload, 'started_at_ms'), completedAtMs: numberAt(record.payload, 'completed_at_ms') });
}

function writeBody(pen: Pen, record: CodexRecord, item: ItemPlace & { body: ItemBody }): FactKey {
  const moves = yieldCall(pen.state, item.id);
  pen.state.shown.set(item.id, 'own');
  return pen.write(present({
    type: 'item.completed' as const, at: record.at, turn: item.turn?.key, turnId: item.turn ? undefined : item.turnId, id: item.id, body: item.body,
    visibility: item.isHidden ? ('control' as const) : ('shown' as const), isAdded: record.isRepaired, ...times(record), place: moves ? ('here' as const) : undefined,
  }));
}

function writeItem(pen: Pen, record: CodexRecord, item: ItemPlace & { read: CompletedItem }): void {
  const { read } = item;
  if ('body' in read) {
    const key = writeBody(pen, record, { ...item, body: read.body });
    const text = textOfBody(read.body);
    if (text !== undefined) awaitTwin(pen.state, { key, text, role: 'assistant' });
    return;
  }
  if (item.isHidden) return;
  writeInput(pen, record, { id: item.id, content: read.input, clientId: read.clientId, isAdded: record.isRepaired, turn: item.turn, turnId: item.turnId, ...times(record) });
}

function playItem(pen: Pen, record: CodexRecord, isAccepted: boolean): boolean {
  const item = objectAt(record.payload, 'item');
  const turnId = stringAt(record.payload, 'turn_id');
  const read = item && readCompletedItem(item);
  if (!read || turnId === undefined) return false;
  writeItem(pen, record, { id: stringAt(item, 'id') ?? '', turn: turnById(pen.state, turnId), turnId, isHidden: !isAccepted, read });
  return true;
}

/** An event; `isAccepted` is false for a repeated ordinal. Returns whether the event was one that this kind of file is read from. */
export function playPaginatedEvent(pen: Pen, record: CodexRecord, event: { type: string; isAccepted: boolean }): boolean {
  const { payload } = record;
  if (event.type === 'item_completed') return playItem(pen, record, event.isAccepted);
  if (!event.isAccepted) return false;
  switch (event.type) {
    case 'task_started': playTurnStarted(pen, record); return true;
    case 'task_complete': playTurnEnd(pen, record, completionOf(payload)); return true;
    case 'turn_aborted': playTurnEnd(pen, record, abortOf(payload)); return true;
    case 'token_count': playTokenCount(pen, record); return true;
    case 'thread_goal_updated': playGoal(pen, record); return true;
    case 'thread_settings_applied': playSettings(pen, record); return true;
    default: return false;
  }
}

