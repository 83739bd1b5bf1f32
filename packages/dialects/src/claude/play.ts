import type { FactDraft, FactKey, TapeIdentity } from '@tapefold/facts';
import { parseFactKey } from '@tapefold/facts';
import { present } from '../shape.js';
import type { ClaudeLine } from './line.js';
import type { Pen } from '../pen.js';
import type { ClaudeState, NodeState, RunState, StepState, TurnState } from './state.js';
import type { ClaudeTree } from './tree.js';

/** One line of the tree under play: what the file says and what the player knows. */
export interface Play {
  readonly identity: TapeIdentity;
  readonly state: ClaudeState;
  readonly tree: ClaudeTree;
  readonly pen: Pen;
  readonly line: ClaudeLine;
  /** The line's node, and its index. */
  readonly node: NodeState;
  readonly at: number;
  readonly run: RunState;
  /** A newer copy of a line that was played before: where its entries stood in the model's history. */
  readonly replaces?: { after: FactKey | undefined; readonly replacedInput: FactKey | undefined } | undefined;
}

/** Writes a fact of this line: at its time and, in a run of a sub-agent, of that agent. */
export function say(play: Play, draft: FactDraft): FactKey {
  return play.pen.write(present({ at: play.line.at, agent: play.run.agent, ...draft }) as FactDraft);
}

/** The references of what belongs to the line's turn and step. */
export function refs(play: Play, step: number = play.node.step): { turn?: FactKey | undefined; step?: FactKey | undefined } {
  const { state, node } = play;
  return present({ turn: state.turns[node.turn]?.key, step: state.steps[step]?.key });
}

export function ordinalOf(key: FactKey): number {
  return parseFactKey(key)?.ordinal ?? 0;
}

export function turnOf(play: Play, turn: number = play.node.turn): TurnState | undefined {
  return play.state.turns[turn];
}

export function stepOf(play: Play, step: number): StepState | undefined {
  return play.state.steps[step];
}

/** The item's key goes to what a branch switch takes away. */
export function noteItem(play: Play, key: FactKey): FactKey {
  play.node.items.push(ordinalOf(key));
  return key;
}

/** Writes what the line's content says, and notes which facts are its own. */
export function tellContent(play: Play, tell: () => void): void {
  const { node, state, pen } = play;
  const from = state.nextOrdinal;
  const first = pen.facts.length;
  tell();
  if (state.nextOrdinal > from) node.spans.push([from, state.nextOrdinal]);
  for (const fact of pen.facts.slice(first)) {
    if (fact.type === 'context.appended' || fact.type === 'context.compacted' || fact.type === 'context.cleared') node.entries.push(fact.ordinal);
    else if (fact.type === 'input.received') node.inputs.push(fact.ordinal);
    else if (isWord(fact.type)) node.hasWords = true;
  }
}

/** Families that count for a person and are neither items nor turns: a branch switch takes them along by ranges. */
function isWord(type: FactDraft['type']): boolean {
  return /^(?:todo|goal|plan|mode|task|notice|interaction)\./.test(type);
}
