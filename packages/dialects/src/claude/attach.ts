import { objectAt, stringAt } from '../shape.js';
import type { ClaudeLine } from './line.js';
import { type ClaudeState, type NodeState, freshRun } from './state.js';
import type { ClaudeTree } from './tree.js';

/** Where a line hangs. `lost`: it named a parent that is not there, and stands below what came before it. */
interface Attachment {
  readonly run: number;
  readonly parent: number;
  readonly lost?: string | undefined;
  /** The chain broke at a progress line: the original program reads nothing above. */
  readonly isCut: boolean;
}

/** The parent that the line names: for a boundary of a compaction, what a person sees above it. */
function namedParent(line: ClaudeLine): string | undefined {
  return isBoundary(line) ? stringAt(line.raw, 'logicalParentUuid') ?? line.parentUuid : line.parentUuid;
}

export function isBoundary(line: ClaudeLine): boolean {
  return line.name === 'system/compact_boundary';
}

/** A line that stands in the tree: `at` itself or, for a progress line, what that hangs below. Progress lines hang below no other one, so one step is enough. */
function bridged(state: ClaudeState, at: number): { parent: number; lost?: string | undefined } {
  const node = state.nodes[at];
  return node?.kind === 'bridge' ? { parent: node.parent, lost: node.parent < 0 ? node.lost : undefined } : { parent: at };
}

/** The nearest line before of the same side whose time is not later; a boundary takes the line right before it. */
function nearestBefore(state: ClaudeState, isOwn: boolean, timeMs: number): number {
  for (let at = state.nodes.length - 1; at >= 0; at--) {
    const node = state.nodes[at] as NodeState;
    if (node.kind !== 'bridge' && (node.run === 0) === isOwn && node.timeMs <= timeMs) return at;
  }
  return -1;
}

/** Opens the run of a sub-agent whose lines stand in its parent's file. */
function openRun(state: ClaudeState, line: ClaudeLine): number {
  const agent = stringAt(line.raw, 'agentId') ?? `side-${line.uuid ?? ''}`;
  const known = state.runs.findIndex((run) => run.agent === agent);
  return known >= 0 ? known : state.runs.push(freshRun(agent)) - 1;
}

/** Finds a line's parent and run by what the file says so far; a parent that comes later adopts it then. */
export function attach(state: ClaudeState, tree: ClaudeTree, of: { line: ClaudeLine; isOwn: boolean; timeMs: number }): Attachment {
  const { line, isOwn } = of;
  const named = namedParent(line);
  const found = named === undefined ? undefined : tree.find(named);
  const above = found === undefined ? { parent: -1, lost: named } : bridged(state, found);
  const isSameSide = above.parent >= 0 && (state.nodes[above.parent]?.run === 0) === isOwn;
  const isMissing = above.lost !== undefined || (isOwn && above.parent >= 0);
  const isAdoptable = line.kind !== 'bridge' && !isSameSide && isMissing;
  const parent = isSameSide ? above.parent : isAdoptable ? nearestBefore(state, isOwn, isBoundary(line) ? Infinity : of.timeMs) : -1;
  const run = isOwn ? 0 : sideRun(state, line, parent);
  return { run, parent: state.nodes[parent]?.run === run ? parent : -1, lost: isSameSide ? undefined : above.lost, isCut: found !== undefined && above.lost !== undefined };
}

function sideRun(state: ClaudeState, line: ClaudeLine, parent: number): number {
  const agent = stringAt(line.raw, 'agentId');
  if (agent !== undefined || parent < 0) return openRun(state, line);
  return state.nodes[parent]?.run ?? openRun(state, line);
}

/** A new node for a line; it shows nothing yet. */
export function freshNode(line: ClaudeLine, at: Attachment, timeMs: number): NodeState {
  const { run, parent, lost } = at;
  const message = line.kind === 'assistant' ? stringAt(line.message ?? {}, 'id') : undefined;
  const hook = stringAt(objectAt(line.raw, 'attachment') ?? {}, 'type')?.startsWith('hook_') === true;
  const marks = {
    ...(lost === undefined ? {} : { lost }), ...(message === undefined ? {} : { message }), ...(line.blocks.some(({ type }) => type === 'tool_result') && line.kind === 'user' ? { isResult: true } : {}),
    ...((line.kind === 'system' || (line.kind === 'attachment' && hook)) && !isBoundary(line) ? { isNotice: true } : {}), ...(isBoundary(line) ? { isBoundary: true } : {}),
  };
  return {
    uuid: line.uuid ?? '', kind: line.kind ?? 'other', run, parent, timeMs, digest: line.digest, turn: -1, step: -1, spans: [], items: [], inputs: [], entries: [], hasWords: false,
    isLive: false, isHidden: false, isUnread: false, isUnsaid: false, ...marks,
  };
}

/** Children that waited for this uuid hang below it from now on, unless that closed a cycle. Answers whether any does. */
export function adoptWaiting(state: ClaudeState, tree: ClaudeTree, at: number): boolean {
  const node = state.nodes[at];
  if (!node) return false;
  const { parent } = node.kind === 'bridge' ? bridged(state, at) : { parent: at };
  if (parent < 0) return false;
  const adopted = tree.takeWaiting(node.uuid).filter((child) => state.nodes[child]?.run === node.run && !tree.isUnder(parent, child));
  for (const child of adopted) tree.setParent(child, parent);
  return adopted.length > 0;
}
