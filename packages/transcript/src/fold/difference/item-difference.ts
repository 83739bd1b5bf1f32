import type { TranscriptItem } from '../../model/item.js';
import { itemId } from '../../model/item.js';
import type { StepHeader, TranscriptStep, TranscriptTurn, TurnHeader } from '../../model/turn.js';
import type { TranscriptOperation } from '../../operations/operation.js';
import { isSameValue } from '../../state/same-value.js';
import { present } from '../present.js';
import { type Changed, grown } from './grown.js';

function turnHeader(turn: TranscriptTurn): TurnHeader {
  const { steps: _, ...header } = turn;
  return header;
}

function stepHeader(step: TranscriptStep): StepHeader {
  const { frames: _, ...header } = step;
  return header;
}

/** Of upserts, those of a step: undefined where a frame went or moved. */
function stepDifference({ before, after }: Changed<TranscriptStep>): readonly TranscriptOperation[] | undefined {
  const frames = grown(before?.frames ?? [], after.frames, ({ frameId }) => frameId);
  if (!frames) return undefined;
  const { stepId, turnId } = after;
  const header = stepHeader(after);
  const isSame = before !== undefined && isSameValue(stepHeader(before), header);
  return [...(isSame ? [] : [{ op: 'step.upsert' as const, turnId, step: header }]), ...frames.map((frame) => ({ op: 'frame.upsert' as const, turnId, stepId, frame: frame.after }))];
}

/** New steps stand where their ordinals say. */
const isBehind = (steps: readonly TranscriptStep[]): boolean => steps.every(({ ordinal }, i) => i === 0 || ordinal > (steps[i - 1]?.ordinal ?? ordinal));

function turnDifference(before: TranscriptTurn | undefined, after: TranscriptTurn): readonly TranscriptOperation[] | undefined {
  const steps = grown(before?.steps ?? [], after.steps, ({ stepId }) => stepId)?.map(stepDifference);
  if (!steps || !isBehind(after.steps)) return undefined;
  const header = turnHeader(after);
  const ops: TranscriptOperation[] = before !== undefined && isSameValue(turnHeader(before), header) ? [] : [{ op: 'turn.upsert', turn: header }];
  for (const step of steps) {
    if (!step) return undefined;
    ops.push(...step);
  }
  return ops;
}

/** `beforeTurn`: ordinal of the next turn, by which a reader of a window knows whether the item is in it. */
function oneDifference({ before, after }: Changed<TranscriptItem>, beforeTurn: number | undefined): readonly TranscriptOperation[] | undefined {
  if (before !== undefined && before.kind !== after.kind) return undefined;
  switch (after.kind) {
    case 'turn': return turnDifference(before?.kind === 'turn' ? before : undefined, after);
    case 'marker': return [present({ op: 'marker.upsert', item: after, beforeTurn })];
    case 'taskref': return [present({ op: 'taskref.upsert', item: after, beforeTurn })];
  }
}

/** For each item the ordinal of the first turn behind it. */
function nextTurns(items: readonly TranscriptItem[]): ReadonlyMap<TranscriptItem, number> {
  const next = new Map<TranscriptItem, number>();
  let ordinal: number | undefined;
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const item = items[i];
    if (item?.kind === 'turn') ordinal = item.ordinal;
    else if (item && ordinal !== undefined) next.set(item, ordinal);
  }
  return next;
}

/** A new turn goes before the first one with a greater ordinal: to the end only where there is none. */
function areNewTurnsLast(changed: readonly Changed<TranscriptItem>[], after: readonly TranscriptItem[]): boolean {
  if (!changed.some(({ before }) => before === undefined)) return true;
  const ordinals = after.flatMap((item) => (item.kind === 'turn' ? [item.ordinal] : []));
  return ordinals.every((ordinal, i) => i === 0 || ordinal >= (ordinals[i - 1] ?? ordinal));
}

/** The items of the first list that the second has not. */
export function itemsGone(before: readonly TranscriptItem[], after: readonly TranscriptItem[]): readonly TranscriptItem[] {
  const kept = new Set(after.map(itemId));
  return before.filter((item) => !kept.has(itemId(item)));
}

/** The upserts that make one timeline of the other, of which no item went; undefined where none do. */
export function itemDifference(before: readonly TranscriptItem[], after: readonly TranscriptItem[]): readonly TranscriptOperation[] | undefined {
  const changed = grown(before, after, itemId);
  if (!changed || !areNewTurnsLast(changed, after)) return undefined;
  const ops: TranscriptOperation[] = [];
  const next = nextTurns(after);
  for (const one of changed) {
    const difference = oneDifference(one, next.get(one.after));
    if (!difference) return undefined;
    ops.push(...difference);
  }
  return ops;
}
