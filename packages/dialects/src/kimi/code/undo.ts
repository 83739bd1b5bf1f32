import type { LineVerdict } from '@tapefold/facts';
import { countAt, numberAt } from '../../shape.js';
import { addNode, chainTo, countingOn, meantBy, revisitTurn } from './chain.js';
import { tellStanding } from './history.js';
import type { Play } from './play.js';
import type { KimiCodeState, NodeState } from './state.js';

const isMessage = ({ kind }: NodeState): boolean => kind === 'user' || kind === 'begin' || kind === 'tool' || kind === 'summary';

const nodeAt = (state: KimiCodeState, at: number): NodeState => state.nodes[meantBy(state, at)] as NodeState;

/** What an undo takes away, as places on the chain: from `cut` on, but for what is in `kept`. */
function cutOf(state: KimiCodeState, chain: readonly number[], count: number): { cut: number; kept: number[] } {
  const kept: number[] = [];
  let left = count;
  let cut = chain.length;
  for (let place = chain.length - 1; place >= 0; place--) {
    const node = nodeAt(state, chain[place] as number);
    if (node.kind === 'clear' || node.kind === 'summary') break;
    if (!isMessage(node)) continue;
    if (node.isInjection) { kept.push(place); continue; }
    cut = place;
    if (!node.isAnchor) continue;
    left -= 1;
    cut = withOwned(state, chain, place);
    if (left === 0) break;
    place = cut;
  }
  return { cut, kept: kept.filter((place) => place > cut).reverse() };
}

/** The place of the first injection that stands right before a message of a person and was made for it, or of the message. */
function withOwned(state: KimiCodeState, chain: readonly number[], anchor: number): number {
  const { id } = nodeAt(state, chain[anchor] as number);
  let first = anchor;
  for (let place = anchor - 1; place >= 0 && id !== undefined; place--) {
    const node = nodeAt(state, chain[place] as number);
    if (!isMessage(node)) continue;
    if (!node.isInjection || node.owner !== id) break;
    first = place;
  }
  return first;
}

/** Pieces of an answer that stays, although they came behind the cut. */
function piecesOfKept(state: KimiCodeState, chain: readonly number[], cut: number): number[] {
  const begun = new Set(chain.slice(0, cut).flatMap((at) => { const node = nodeAt(state, at); return node.kind === 'begin' ? [node.step] : []; }));
  return chain.flatMap((at, place) => { const { kind, step } = nodeAt(state, at); return place >= cut && (kind === 'part' || kind === 'end') && begun.has(step) ? [place] : []; });
}

/** Steers and prompts of what was undone are no longer waited for. */
function forgetPrompts(state: KimiCodeState, line: number): void {
  state.steers = state.steers.filter((steer) => steer.line < line);
  state.engine.raws = [];
}

/** `context.undo`: the last messages up to so many of a person's go; injections stay, and nothing goes beyond a compaction or clearing. */
export function playUndo(play: Play): LineVerdict {
  const { state, raw, line } = play;
  if (state.toldUndos.includes(line)) return 'ignored';
  const count = Math.floor(numberAt(raw, 'count') ?? 0);
  if (count <= 0) return 'ignored';
  const chain = chainTo(state, state.head);
  const { cut, kept } = cutOf(state, chain, count);
  const places = [...new Set([...kept, ...piecesOfKept(state, chain, cut)])].sort((a, b) => a - b);
  const first = state.nodes[chain[cut] ?? -1];
  state.head = chain[cut - 1] ?? -1;
  addNode(play, { kind: 'cut', wait: null });
  for (const place of places) addNode(play, { kind: 'kept', of: meantBy(state, chain[place] as number), wait: null });
  if (first) forgetPrompts(state, first.line);
  revisitTurn(state);
  const after = countingOn(state, chainTo(state, state.head));
  tellStanding(play, { isCounting: (at) => after.has(at) }, 'undo');
  return 'played';
}

/** Where a switch of branches says that it goes on from. */
export function baseOf(play: Play): { branch: string; line: number } | undefined {
  const base = play.raw['base'];
  if (typeof base !== 'object' || base === null || Array.isArray(base)) return undefined;
  const line = countAt(base, 'line');
  const branch = base['branch'];
  return typeof branch === 'string' && line !== undefined ? { branch, line } : undefined;
}
