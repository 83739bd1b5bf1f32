import type { FactDraft, JsonObject, OrdinalRange } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt, stringsAt } from '../shape.js';
import { textOf } from './line.js';
import { type Play, noteItem, refs, say } from './play.js';
import { closeStep } from './steps.js';
import { needTurn } from './turns.js';

/** The file says that what is above is summarised: the mark, in the turn that came last. The model's history changes when the summary is there. */
export function markBoundary(play: Play): void {
  const { node, run, at } = play;
  closeStep(play, 'completed');
  needTurn(play);
  const id = `${node.uuid}.0`;
  noteItem(play, say(play, { type: 'item.started', ...refs(play, -1), id, body: { kind: 'compaction' }, visibility: 'shown', isAdded: false }));
  run.boundary = { node: at, id, turn: node.turn, metadata: objectAt(play.line.raw, 'compactMetadata') ?? {} };
}

type Replacement = NonNullable<Extract<FactDraft, { type: 'context.compacted' }>['replacement']>;

/** Lines that stay as they are: listed, or the chain between two of them. */
function keptLines(play: Play, metadata: JsonObject): number[] {
  const listed = objectAt(metadata, 'preservedMessages');
  if (listed) {
    const uuids = stringsAt(listed, 'allUuids');
    return (uuids.length ? uuids : stringsAt(listed, 'uuids')).flatMap((uuid) => play.tree.find(uuid) ?? []);
  }
  const segment = objectAt(metadata, 'preservedSegment') ?? {};
  const head = play.tree.find(stringAt(segment, 'headUuid') ?? '');
  const lines: number[] = [];
  const seen = new Set<number>();
  for (let at = play.tree.find(stringAt(segment, 'tailUuid') ?? '') ?? -1; at >= 0 && !seen.has(at); at = play.state.nodes[at]?.parent ?? -1) {
    seen.add(at);
    lines.unshift(at);
    if (at === head) return lines;
  }
  return [];
}

function keptEntries(play: Play, lines: readonly number[]): Replacement {
  const { state, pen: { tape } } = play;
  const ranges: OrdinalRange[] = lines.flatMap((at) => (state.nodes[at]?.entries ?? []).map((from) => ({ tape, from, to: from + 1 })));
  return ranges.map((entries) => ({ kind: 'kept', entries }));
}

/** The kept lines stand right behind the summary, where the file names that as their anchor; else before it. */
function replacementOf(play: Play, metadata: JsonObject, summary: string): Replacement {
  const kept = keptEntries(play, keptLines(play, metadata));
  const anchor = stringAt(objectAt(metadata, 'preservedMessages') ?? objectAt(metadata, 'preservedSegment') ?? {}, 'anchorUuid');
  const words: Replacement = [{ kind: 'summary', text: summary }];
  return anchor === play.node.uuid ? [...words, ...kept] : [...kept, ...words];
}

function compact(play: Play, of: { metadata: JsonObject; summary: string; replacement: Replacement }): void {
  const { metadata } = of;
  const trigger = stringAt(metadata, 'trigger');
  const { run, run: { boundary }, state } = play;
  play.node.isCompaction = true;
  const context = say(play, present({
    type: 'context.compacted' as const, ...refs(play, -1), summary: of.summary, replacement: of.replacement, trigger: trigger === 'manual' || trigger === 'auto' ? (trigger as 'manual' | 'auto') : undefined,
    tokensBefore: numberAt(metadata, 'preTokens'), tokensAfter: numberAt(metadata, 'postTokens'),
  }));
  run.boundary = null;
  run.newest = { step: -1, isLine: false };
  const turn = state.turns[boundary?.turn ?? -1]?.key;
  if (boundary && turn !== undefined) say(play, { type: 'item.completed', turn, id: boundary.id, body: { kind: 'compaction' }, visibility: 'shown', isAdded: false, context });
}

/** The summary has come: from here on it is what the model reads of everything before, with the lines that were kept. */
export function compactContext(play: Play): void {
  const { metadata } = play.run.boundary ?? { metadata: {} };
  const summary = textOf(play.line.blocks);
  compact(play, { metadata, summary, replacement: replacementOf(play, metadata, summary) });
}

/** True where the chain goes through a boundary and no summary behind it: the first that speaks there stands for the summary. */
export function isUnsummarised(play: Play): boolean {
  const { state, tree, node } = play;
  const path = tree.path(node.run);
  for (let i = path.length - 1; i >= 0; i--) {
    const above = state.nodes[path[i] ?? -1];
    if (above?.isCompaction) return false;
    if (above?.isBoundary) return true;
  }
  return false;
}

/** A boundary without a summary: the line behind it is the first that the model reads. */
export function compactWithoutSummary(play: Play): void {
  const { metadata } = play.run.boundary ?? { metadata: {} };
  compact(play, { metadata, summary: '', replacement: keptEntries(play, keptLines(play, metadata)) });
}
