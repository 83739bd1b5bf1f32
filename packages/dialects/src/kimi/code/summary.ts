import type { JsonObject, JsonValue, ModelItem } from '@tapefold/facts';
import { present } from '../../shape.js';
import { addNode, chainTo, meantBy, noteEntry, noteItem } from './chain.js';
import { entryRanges } from './history.js';
import { type Play, currentTurn, refs, say, sayWord } from './play.js';
import type { NodeState } from './state.js';

export interface Summary {
  /** What a person reads. */
  readonly text: string;
  /** What the model reads, where that is more. */
  readonly forModel?: string | undefined;
  readonly origin: JsonValue;
  /** How many of a person's messages stay as they are, before the summary. */
  readonly keptMessages?: number | undefined;
  /** How many messages the summary stands for; those behind stay. */
  readonly replaced?: number | undefined;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
}

/** The messages that the model reads now, as nodes: those of an answer together. */
function presentMessages({ state }: Play): number[][] {
  let messages: number[][] = [];
  const byStep = new Map<number, number[]>();
  for (const link of chainTo(state, state.head)) {
    const at = meantBy(state, link);
    const node = state.nodes[at] as NodeState;
    if (node.kind === 'clear') messages = [];
    if (node.kind === 'summary') messages = node.isAfterKept ? [...(node.keeps ?? []).map((kept) => [...kept]), [at]] : [[at], ...(node.keeps ?? []).map((kept) => [...kept])];
    if (node.kind === 'clear' || node.kind === 'summary' || !node.entries?.length) continue;
    const own = node.kind === 'part' ? byStep.get(node.step ?? -1) : undefined;
    if (own) own.push(at);
    else messages.push([at]);
    if (node.kind === 'part' && !own) byStep.set(node.step ?? -1, messages.at(-1) as number[]);
  }
  return messages;
}

/** Which messages stay as they are. */
function keptMessages(play: Play, summary: Summary): number[][] {
  const messages = presentMessages(play);
  if (summary.keptMessages === undefined) return summary.replaced === undefined ? [] : messages.slice(summary.replaced);
  const own = messages.filter(([at]) => play.state.nodes[at ?? -1]?.isAnchor);
  return own.slice(Math.max(0, own.length - summary.keptMessages));
}

/** The history is summarised: a mark for a person, a shorter history for the model. What came before stays to be seen. */
export function tellSummary(play: Play, summary: Summary): void {
  const { state } = play;
  const place = refs(play, { turn: currentTurn(play) });
  const item: ModelItem = { kind: 'message', role: 'user', content: [{ kind: 'text', text: summary.forModel ?? summary.text }], visibility: 'control' };
  const keeps = keptMessages(play, summary);
  const isAfterKept = summary.keptMessages !== undefined ? (true as const) : undefined;
  const kept = entryRanges(play, keeps.flat().sort((a, b) => a - b)).map((entries) => ({ kind: 'kept' as const, entries }));
  const replacement = isAfterKept ? [...kept, item] : [item, ...kept];
  const node = addNode(play, present({ kind: 'summary' as const, keeps: keeps.length ? keeps : undefined, isAfterKept }));
  const payload: JsonObject = { text: summary.text, origin: summary.origin };
  const key = sayWord(play, present({
    type: 'context.compacted' as const, ...place, summary: summary.forModel ?? summary.text, replacement, trigger: state.compaction?.trigger, tokensBefore: summary.tokensBefore, tokensAfter: summary.tokensAfter, payload,
  }));
  state.compaction = null;
  noteEntry(node, key);
  if (place.turn === undefined) return;
  noteItem(node, say(play, { type: 'item.completed', ...place, id: `compaction-${play.line}`, body: { kind: 'compaction' }, visibility: 'shown', isAdded: false, context: key }));
}
