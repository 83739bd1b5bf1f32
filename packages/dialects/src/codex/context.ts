import type { FactDraft, FactKey, ModelItem, OrdinalRange, TapeId } from '@tapefold/facts';
import { isJsonObject, parseFactKey, textOfParts } from '@tapefold/facts';
import { listAt, present, stringAt } from '../shape.js';
import { openCallOf } from './calls.js';
import { markOf } from '../id-table.js';
import { modelItemOf } from './model-items.js';
import type { Pen } from './pen.js';
import type { CodexRecord, CodexState, ContextTurn, InjectedContext } from './state.js';
import { currentTurn } from './turns.js';

/** What a person is shown, remembered until the model's copy of the same words comes by. Few at a time; older ones have no twin. */
export function awaitTwin(state: CodexState, twin: { key: FactKey; text: string; role: 'user' | 'assistant' }): void {
  state.awaitedTwin = { key: twin.key, mark: markOf(twin.text), role: twin.role };
}

function textOf(item: ModelItem): string {
  if (item.kind === 'message') return textOfParts(item.content);
  return item.kind === 'reasoning' ? item.summary.join('\n') : '';
}

/** Links the model's item with what showed the same words before it, in either kind of file. */
function takeTwin(state: CodexState, item: ModelItem): FactKey | undefined {
  const twin = state.awaitedTwin;
  if (!twin || (item.kind !== 'message' && item.kind !== 'reasoning') || markOf(textOf(item)) !== twin.mark) return undefined;
  state.awaitedTwin = null;
  return twin.key;
}

/**
 * Where a rollback cuts the model's history: at a message of the person or of another agent, together with the injected context right above it.
 */
function trackContextTurn(state: CodexState, item: ModelItem, ordinal: number): void {
  const isContextual = item.kind === 'message' && item.role !== 'assistant' && item.visibility !== 'shown';
  const isInstruction = item.kind === 'agentMessage' || (item.kind === 'message' && item.role === 'user' && !isContextual);
  const { from = ordinal, injected } = state.contextRun ?? {};
  if (isInstruction) state.contextTurns.push(present({ from, message: item.kind === 'message' ? ordinal : undefined, injected }));
  if (!isContextual) state.contextRun = null;
  else state.contextRun = present({ from, injected: item.visibility !== 'injected' ? injected : { from: injected?.from ?? ordinal, to: ordinal + 1, count: (injected?.count ?? 0) + 1 } });
}

/** Appends a record's item to the model's history and returns its key. */
export function appendContext(pen: Pen, record: CodexRecord): FactKey {
  const { state } = pen;
  const item = modelItemOf(record.payload, pen.native(record, record.payload));
  const ordinal = state.nextOrdinal;
  const answered = item.kind === 'result' && item.callId !== undefined ? openCallOf(state, item.callId) : undefined;
  const shows = answered ? answered.item : takeTwin(state, item);
  const key = pen.write(present({
    type: 'context.appended' as const, at: record.at, turn: currentTurn(state)?.key, call: item.kind === 'call' || item.kind === 'result' ? item.callId : undefined, item, shows,
  }));
  trackContextTurn(state, item, ordinal);
  if (item.kind === 'message' && item.role === 'user' && item.visibility === 'shown') state.lastUserContext = { key, mark: markOf(textOf(item)) };
  return key;
}

/** A message between agents that the file keeps as a record of its own. */
export function appendAgentMessage(pen: Pen, record: CodexRecord): void {
  const ordinal = pen.state.nextOrdinal;
  const item: ModelItem = {
    kind: 'agentMessage', author: stringAt(record.payload, 'author') ?? '', recipient: stringAt(record.payload, 'recipient') ?? '',
    content: [{ kind: 'text', text: stringAt(record.payload, 'content') ?? '' }], native: pen.native(record, record.payload),
  };
  pen.write(present({ type: 'context.appended' as const, at: record.at, turn: currentTurn(pen.state)?.key, item }));
  trackContextTurn(pen.state, item, ordinal);
}

/** The key of the model's copy of a message that an event shows now, where that copy came just before. */
export function contextOfInput(state: CodexState, text: string): FactKey | undefined {
  const last = state.lastUserContext;
  state.lastUserContext = null;
  return last && last.mark === markOf(text) ? last.key : undefined;
}

type Replacement = NonNullable<Extract<FactDraft, { type: 'context.compacted' }>['replacement']>;

/** Old programs put the context in anew: it is what stands above one of the person's messages, the newest that is whole (later ones may hold only what changed). */
function wholeContext(turns: readonly ContextTurn[]): InjectedContext | undefined {
  return turns.reduce<InjectedContext | undefined>((best, { injected }) => (injected && injected.count >= (best?.count ?? 0) ? injected : best), undefined);
}

/** Those programs kept the newest 20,000 tokens of messages; no conversation says so many that fit. A bound, since each compaction lists them anew. */
const KEPT_MESSAGES = 2_000;

/** What old programs kept: the context, the person's messages, then the summary as one more. */
function keptByOldRule(state: CodexState, summary: string, tape: TapeId): Replacement {
  const context = wholeContext(state.contextTurns);
  const messages = state.contextTurns.slice(-KEPT_MESSAGES).flatMap((turn) => (turn.message === undefined ? [] : [{ from: turn.message, to: turn.message + 1 }]));
  const kept = [...(context ? [{ from: context.from, to: context.to }] : []), ...messages];
  return [...kept.map((entries) => ({ kind: 'kept' as const, entries: { tape, ...entries } })), { kind: 'summary' as const, text: summary }];
}

/** A `compacted` record: the model's history is replaced. A long list stays in the file and is pointed at. */
export function compactContext(pen: Pen, record: CodexRecord): void {
  const hasList = Array.isArray(record.payload['replacement_history']);
  const items = listAt(record.payload, 'replacement_history');
  const summary = stringAt(record.payload, 'message') ?? '';
  const isAway = hasList && pen.isLong();
  const listed = (): Replacement => items.map((item, i) => modelItemOf(isJsonObject(item) ? item : {}, pen.native(record, item, ['replacement_history', i])));
  pen.state.contextRun = null;
  pen.write(present({
    type: 'context.compacted' as const, at: record.at, turn: currentTurn(pen.state)?.key, summary,
    replacementAt: isAway ? { record: record.index, path: [...record.path, 'replacement_history'], count: items.length } : undefined,
    replacement: isAway ? undefined : hasList ? listed() : keptByOldRule(pen.state, summary, tapeOf(pen.nextKey())),
  }));
}

/** What the model no longer reads after a rollback of `count` of its turns, up to the fact that is written next. */
export function dropContextTurns(state: CodexState, count: number, tape: TapeId): OrdinalRange[] {
  const dropped = state.contextTurns.splice(Math.max(0, state.contextTurns.length - count));
  const first = dropped[0];
  state.contextRun = null;
  return first ? [{ tape, from: first.from, to: state.nextOrdinal }] : [];
}

/** The tape that a key belongs to. */
export function tapeOf(key: FactKey): TapeId {
  return parseFactKey(key)?.tape ?? '';
}
