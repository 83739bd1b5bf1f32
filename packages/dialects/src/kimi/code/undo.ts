import type { LineVerdict } from '@tapefold/facts';
import { numberAt } from '../../shape.js';
import { addNode, meantBy, revisitTurn } from './chain.js';
import { tellStanding } from './history.js';
import type { Play } from './play.js';
import type { KimiCodeState, NodeState } from './state.js';

const isMessage = ({ kind }: NodeState): boolean => kind === 'user' || kind === 'begin' || kind === 'tool' || kind === 'summary';

const nodeAt = (state: KimiCodeState, at: number): NodeState => state.nodes[meantBy(state, at)] as NodeState;

/** Links of the chain that an undo goes through, newest first, and those of them that it leaves. */
interface Cut { readonly passed: number[]; readonly left: Set<number> }

/** Walks up over so many words of a person; injections stay, and nothing goes beyond a compaction or clearing. O(what goes). */
function cutOf(state: KimiCodeState, count: number): Cut {
  const walked: number[] = [];
  const left = new Set<number>();
  let length = 0;
  let open = count;
  for (let at = state.head; at >= 0 && open > 0; at = state.nodes[at]?.parent ?? -1) {
    const node = nodeAt(state, at);
    if (node.kind === 'clear' || node.kind === 'summary') break;
    walked.push(at);
    if (!isMessage(node)) continue;
    if (node.isInjection) { left.add(at); continue; }
    length = walked.length;
    if (!node.isAnchor) continue;
    open -= 1;
    const owned = ownedAbove(state, at, node.id);
    walked.push(...owned);
    length = walked.length;
    at = owned.at(-1) ?? at;
  }
  return { passed: walked.slice(0, length), left };
}

/** Injections right before a message of a person that were made for it, with what is between. */
function ownedAbove(state: KimiCodeState, anchor: number, id: string | undefined): number[] {
  const between: number[] = [];
  let length = 0;
  for (let at = state.nodes[anchor]?.parent ?? -1; at >= 0 && id !== undefined; at = state.nodes[at]?.parent ?? -1) {
    const node = nodeAt(state, at);
    if (node.kind === 'clear' || node.kind === 'summary' || (isMessage(node) && (!node.isInjection || node.owner !== id))) break;
    between.push(at);
    if (isMessage(node)) length = between.length;
  }
  return between.slice(0, length);
}

/** Links that go on counting, oldest first: injections, and pieces of an answer that stays although they came behind the cut. */
function keptOf(state: KimiCodeState, { passed, left }: Cut): number[] {
  const begun = new Set(passed.flatMap((at) => { const node = nodeAt(state, at); return node.kind === 'begin' ? [node.step] : []; }));
  const isPiece = ({ kind, step }: NodeState): boolean => (kind === 'part' || kind === 'end') && !begun.has(step);
  return passed.filter((at) => left.has(at) || isPiece(nodeAt(state, at))).reverse();
}

/** `context.undo`: the last messages up to so many of a person's go. */
export function playUndo(play: Play): LineVerdict {
  const { state, raw, line } = play;
  const count = Math.floor(numberAt(raw, 'count') ?? 0);
  if (state.toldUndos.includes(line) || count <= 0) return 'ignored';
  const cut = cutOf(state, count);
  const { passed } = cut;
  const kept = keptOf(state, cut);
  const first = passed.at(-1);
  if (first !== undefined) state.head = state.nodes[first]?.parent ?? -1;
  addNode(play, { kind: 'cut', wait: null });
  for (const at of kept) addNode(play, { kind: 'kept', of: meantBy(state, at), wait: null });
  if (first !== undefined) forgetPrompts(state, state.nodes[first]?.line ?? 0);
  revisitTurn(state);
  const counting = new Set(kept.map((at) => meantBy(state, at)));
  tellStanding(play, { among: passed.map((at) => meantBy(state, at)).sort((a, b) => a - b), isCounting: (at) => counting.has(at) }, 'undo');
  return 'played';
}

/** Steers and prompts of what was undone are no longer waited for. */
function forgetPrompts(state: KimiCodeState, line: number): void {
  state.steers = state.steers.filter((steer) => steer.line < line);
  state.engine.raws = [];
}
