import { put } from '../../id-table.js';
import type { Play } from './play.js';
import { ordinalOf } from './play.js';
import type { KimiCodeState, NodeState, Waiting } from './state.js';
import { present } from '../../shape.js';

/* The conversation as a tree of nodes: each record that changes it hangs one on the chain, an undo or a switch goes on from further up. */

export const idle: Waiting = { open: -1, pending: [], held: [], queue: [] };

/** What the record before left open. */
export function waiting({ state }: Play): Waiting {
  return state.nodes[state.head]?.wait ?? idle;
}

/** Changes what is open behind the newest node. */
export function wait(play: Play, change: Partial<Waiting>): void {
  const { state } = play;
  const node = state.nodes[state.head] ?? addNode(play, { kind: 'cut' });
  const next = { ...(node.wait ?? idle), ...change };
  node.wait = next.open < 0 && !next.pending.length && !next.held.length && !next.queue.length ? null : next;
}

type NewNode = Omit<Partial<NodeState>, 'parent' | 'line'> & Pick<NodeState, 'kind'>;

/** Hangs a node on the chain. Turn, newest step and what is open are taken over from the one before. */
export function addNode(play: Play, of: NewNode): NodeState {
  const { state, line } = play;
  const above = state.nodes[state.head];
  const node = present({ parent: state.head, line, turn: above?.turn ?? -1, last: above?.last ?? -1, wait: above?.wait ?? null, ...of }) as NodeState;
  state.head = state.nodes.push(node) - 1;
  state.turns[state.steps[node.step ?? -1]?.turn ?? node.turn]?.nodes.push(state.head);
  if (node.isInjection) state.injections.push(state.head);
  if (node.isAnchor && node.id !== undefined) put(state.anchors, node.id, state.head);
  return node;
}

/** Notes facts of the record as the node's own. */
export function noteEntry(node: NodeState, key: string): void {
  (node.entries ??= []).push(ordinalOf(key));
}
export function noteItem(node: NodeState, key: string): void {
  (node.items ??= []).push(ordinalOf(key));
}
export function noteInput(node: NodeState, key: string): void {
  (node.inputs ??= []).push(ordinalOf(key));
}

/** The node that a node stands for, by index. */
export function meantBy(state: KimiCodeState, at: number): number {
  return state.nodes[at]?.of ?? at;
}

/** Indices of the chain that ends at a node, its first one first. O(nodes). */
export function chainTo(state: KimiCodeState, head: number): number[] {
  const chain: number[] = [];
  for (let at = head; at >= 0; at = state.nodes[at]?.parent ?? -1) chain.push(at);
  return chain.reverse();
}

/** The conversation came back to a turn that went on once before. */
export function revisitTurn(state: KimiCodeState): void {
  const turn = state.turns[state.nodes[state.head]?.turn ?? -1];
  if (turn?.steps.length) turn.isRevisited = true;
}
