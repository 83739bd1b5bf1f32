import { type Fact, type FactKey, type FactOf, assertNever, factKey } from '@tapefold/facts';
import { foldChanged, foldGoal, foldLinked, foldOpened } from './fold-identity.js';
import { foldInputPlaced, foldInputReceived, foldItem, foldItemChanged } from './fold-items.js';
import { foldHistory, foldOfTurn, foldTurnChanged, foldTurnEnded, foldTurnReplaced, foldTurnStarted, wordOf } from './fold-turns.js';
import { withInteraction, withoutInteractions } from './interactions.js';
import type { RowChange } from './row-change.js';
import type { ThreadCounts, ThreadHead } from './thread-head.js';

/** What one fact makes of a thread: the next head, and the changes of rows, in order. */
export interface FoldedFact {
  readonly head: ThreadHead;
  readonly changes: readonly RowChange[];
}

const none: readonly RowChange[] = [];

function counted(head: ThreadHead, count: keyof ThreadCounts): ThreadHead {
  return { ...head, counts: { ...head.counts, [count]: head.counts[count] + 1 } };
}

/** Counts the fact and notes where its tape stands in the thread. Every fact pays for this, so the copies are spelled out: an engine makes them in one go. */
function advanced(head: ThreadHead, fact: Fact, position: number): ThreadHead {
  const { identity, details, promptTape, links, openInteractions, usage, counts: { facts, unknown, damaged, repaired } } = head;
  const offset = position - fact.ordinal;
  const isKnown = Object.hasOwn(head.offsets, fact.tape) && head.offsets[fact.tape] === offset;
  const offsets = isKnown ? head.offsets : { ...head.offsets, [fact.tape]: offset };
  return { identity, details, promptTape, links, offsets, openInteractions, usage, counts: { facts: facts + 1, unknown, damaged, repaired } };
}

function withUsage(head: ThreadHead, fact: FactOf<'usage.recorded'>): ThreadHead {
  const { last = null, total = null, contextWindow = null } = head.usage ?? {};
  return { ...head, usage: { last: fact.usage ?? last, total: fact.total ?? total, contextWindow: fact.contextWindow ?? contextWindow } };
}

/** One fact counts a response; the others of it carry only the thread's sum. */
function usageChanges(fact: FactOf<'usage.recorded'>, position: number): RowChange[] {
  const { usage } = fact;
  return usage === undefined ? [] : foldOfTurn(fact, (turn) => ({ op: 'turn.usage', position, turn, usage }));
}

function noticeChange(fact: FactOf<'notice.posted'>, position: number): RowChange {
  const { at, level, code, text, visibility = 'shown' } = fact;
  return { op: 'notice.add', position, notice: { ...wordOf(fact, position), turn: fact.turn ?? null, at, level, code, text, visibility } };
}

function realtimeChange(fact: FactOf<'realtime.recorded'>, position: number): RowChange {
  const realtime = {
    key: factKey(fact.tape, fact.ordinal), position, id: fact.id, sessionId: fact.sessionId ?? null, kind: fact.kind, role: fact.role ?? null, text: fact.text ?? null, observedAtMs: fact.observedAtMs ?? null,
  };
  return { op: 'realtime.add', position, realtime };
}

/** Exhaustive by design: a new family of facts is a compile error here. */
function foldKnown(head: ThreadHead, fact: Fact, position: number): FoldedFact {
  switch (fact.type) {
    case 'thread.opened': return { head: foldOpened(head, fact), changes: none };
    case 'thread.changed': return { head: foldChanged(head, fact), changes: none };
    case 'thread.linked': return { head: foldLinked(head, fact), changes: none };
    case 'goal.set': return { head: foldGoal(head, fact), changes: none };
    case 'turn.started': return { head, changes: foldTurnStarted(fact, position) };
    case 'turn.changed': return { head, changes: foldTurnChanged(fact, position) };
    case 'turn.ended': return { head, changes: foldTurnEnded(fact, position) };
    case 'turn.replaced': return { head, changes: foldTurnReplaced(fact, position) };
    case 'history.superseded': case 'history.restored': return { head: withoutInteractions(head, fact), changes: foldHistory(fact, position) };
    case 'context.compacted': return { head, changes: foldOfTurn(fact, (turn: FactKey) => ({ op: 'turn.compact', position, turn, compaction: wordOf(fact, position) })) };
    case 'input.received': return { head, changes: foldInputReceived(fact, position) };
    case 'input.placed': return { head, changes: foldInputPlaced(head, fact, position) };
    case 'item.started': case 'item.completed': return { head, changes: foldItem(head, fact, position) };
    case 'item.changed': return { head, changes: foldItemChanged(fact, position) };
    case 'interaction.requested': case 'interaction.resolved': return { head: withInteraction(head, fact), changes: none };
    case 'usage.recorded': return { head: withUsage(head, fact), changes: usageChanges(fact, position) };
    case 'notice.posted': return { head, changes: [noticeChange(fact, position)] };
    case 'realtime.recorded': return { head, changes: [realtimeChange(fact, position)] };
    case 'record.unknown': return { head: counted(head, 'unknown'), changes: none };
    case 'record.damaged': return { head: counted(head, 'damaged'), changes: none };
    case 'record.repaired': return { head: counted(head, 'repaired'), changes: none };
    case 'thread.based': case 'agent.described': case 'agent.disposed': case 'step.started': case 'step.ended': case 'step.retried': case 'task.started': case 'task.changed': case 'task.ended':
    case 'todo.replaced': case 'plan.revised': case 'goal.cleared': case 'mode.entered': case 'mode.exited': case 'prompt.queued': case 'prompt.taken': case 'prompt.ended':
    case 'media.referenced': case 'context.appended': case 'context.cleared': case 'context.configured': return { head: head, changes: none };
    default: return assertNever(fact);
  }
}

/**
 * Folds one fact into the public read model. Pure and total over schema-valid facts; the cost does not depend on what came before.
 * `position`: the fact's dense index over the thread's segments, oldest first; positions ascend. Facts of side tapes (names, archive marks) have no
 * position of their own and change only the head: give the next one and do not count it up.
 */
export function foldThread(head: ThreadHead, fact: Fact, position: number): FoldedFact {
  return foldKnown(advanced(head, fact, position), fact, position);
}
