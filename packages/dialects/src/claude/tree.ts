import type { ClaudeState, NodeState } from './state.js';

/** The live chain of one run: indices from its root to its leaf, and how many lines of each message are on it. */
interface Walk {
  path: number[];
  at: Map<number, number>;
  lines: Map<string, number>;
  /** Place at which the last move left the chain that was, and whether that crossed a compaction. */
  join: number;
  hasCrossed: boolean;
}

/**
 * The tree of a file's lines, with look-up tables over the plain state: which lines belong to which message, who hangs below whom, and the live chain of each run.
 * The tables are rebuilt from the state when a player goes on from a checkpoint.
 */
export class ClaudeTree {
  readonly #state: ClaudeState;
  readonly #byUuid = new Map<string, number>();
  readonly #children = new Map<number, number[]>();
  readonly #messages = new Map<string, number[]>();
  readonly #steps = new Map<string, number>();
  readonly #waiting = new Map<string, number[]>();
  readonly #walks = new Map<number, Walk>();

  constructor(state: ClaudeState) {
    this.#state = state;
    state.nodes.forEach((node, at) => this.#enter(node, at));
    state.steps.forEach(({ run, message }, at) => this.#steps.set(`${run} ${message}`, at));
    state.runs.forEach(({ leaf }, run) => { if (leaf >= 0) this.moveTo(run, leaf); });
  }

  node(at: number): NodeState | undefined {
    return this.#state.nodes[at];
  }

  find(uuid: string): number | undefined {
    return this.#byUuid.get(uuid);
  }

  add(node: NodeState): number {
    const at = this.#state.nodes.push(node) - 1;
    this.#enter(node, at);
    return at;
  }

  #enter(node: NodeState, at: number): void {
    this.#byUuid.set(node.uuid, at);
    this.#hang(node.parent, at);
    if (node.message !== undefined) append(this.#messages, `${node.run} ${node.message}`, at);
    if (node.lost !== undefined) append(this.#waiting, node.lost, at);
  }

  #hang(parent: number, at: number): void {
    if (parent >= 0) append(this.#children, parent, at);
  }

  children(at: number): readonly number[] {
    return this.#children.get(at) ?? [];
  }

  /** Lines that named this uuid as their parent before it came. */
  takeWaiting(uuid: string): number[] {
    const waiting = this.#waiting.get(uuid) ?? [];
    this.#waiting.delete(uuid);
    return waiting;
  }

  setParent(at: number, parent: number): void {
    const node = this.#state.nodes[at];
    if (!node) return;
    const siblings = this.#children.get(node.parent);
    if (siblings) siblings.splice(siblings.indexOf(at), 1);
    node.parent = parent;
    delete node.lost;
    this.#hang(parent, at);
  }

  /** Place of the last block of a message that is on the chain; -1 where none is. */
  lastPlace(run: number, message: string): number {
    const { at } = this.#walk(run);
    return Math.max(-1, ...(this.#messages.get(`${run} ${message}`) ?? []).map((line) => at.get(line) ?? -1));
  }

  step(run: number, message: string): number | undefined {
    return this.#steps.get(`${run} ${message}`);
  }

  addStep(run: number, message: string, step: number): void {
    this.#steps.set(`${run} ${message}`, step);
  }

  /** True where `at` is `ancestor` or hangs below it. */
  isUnder(at: number, ancestor: number): boolean {
    const seen = new Set<number>();
    for (let n = at; n >= 0 && !seen.has(n); n = this.#state.nodes[n]?.parent ?? -1) {
      if (n === ancestor) return true;
      seen.add(n);
    }
    return false;
  }

  #walk(run: number): Walk {
    const known = this.#walks.get(run);
    if (known) return known;
    const walk = { path: [], at: new Map<number, number>(), lines: new Map<string, number>(), join: 0, hasCrossed: false };
    this.#walks.set(run, walk);
    return walk;
  }

  path(run: number): readonly number[] {
    return this.#walk(run).path;
  }

  /** The part of the chain that the last move took up, with the line it hangs below. */
  newPath(run: number): readonly number[] {
    const { path, join } = this.#walk(run);
    return path.slice(join);
  }

  /** True where the last move left or took up a boundary or a summary. */
  hasCrossed(run: number): boolean {
    return this.#walk(run).hasCrossed;
  }

  place(at: number): number | undefined {
    return this.#walk(this.#state.nodes[at]?.run ?? 0).at.get(at);
  }

  /** Walks the chain anew from a root, as after a change of parents. Answers all lines of the run. */
  rewalk(run: number, leaf: number): Set<number> {
    this.#walks.delete(run);
    this.moveTo(run, leaf);
    return new Set(this.#state.nodes.keys());
  }

  /** Makes `leaf` the end of the run's chain; answers the lines that may have changed sides. Costs what is left and what is taken up. */
  moveTo(run: number, leaf: number): Set<number> {
    const walk = this.#walk(run);
    const fresh: number[] = [];
    const seen = new Set<number>();
    let at = leaf;
    for (; at >= 0 && !walk.at.has(at) && !seen.has(at); at = this.#state.nodes[at]?.parent ?? -1) {
      seen.add(at);
      fresh.push(at);
    }
    // A parent that was visited before closes a cycle: the walk ends there, as at a root.
    walk.join = walk.at.get(at) ?? 0;
    const gone = walk.path.splice((walk.at.get(at) ?? -1) + 1);
    for (const left of gone) this.#count(walk, left, -1);
    for (const next of fresh.reverse()) this.#count(walk, next, 1);
    const own = this.#state.runs[run];
    if (own) own.leaf = leaf;
    const moved = [...gone, ...fresh];
    walk.hasCrossed = moved.some((n) => this.#state.nodes[n]?.isBoundary || this.#state.nodes[n]?.isCompaction);
    return this.#touched(moved);
  }

  #count(walk: Walk, at: number, by: 1 | -1): void {
    if (by > 0) walk.at.set(at, walk.path.push(at) - 1);
    else walk.at.delete(at);
    const message = this.#state.nodes[at]?.message;
    if (message !== undefined) walk.lines.set(message, (walk.lines.get(message) ?? 0) + by);
  }

  /** Lines whose side depends on the given ones: blocks and results of the same messages, and notices below. */
  #touched(of: readonly number[]): Set<number> {
    const touched = new Set(of);
    const isRun = (at: number): NodeState | undefined => this.#state.nodes[at];
    for (const at of of) {
      const node = isRun(at);
      const message = node?.message ?? (node?.isResult ? isRun(node.parent)?.message : undefined);
      for (const line of message === undefined ? [] : this.#messages.get(`${node?.run ?? 0} ${message}`) ?? []) {
        touched.add(line);
        for (const child of this.children(line)) if (isRun(child)?.isResult) touched.add(child);
      }
      const parent = isRun(node?.parent ?? -1);
      if (parent?.isNotice && node) touched.add(node.parent);
    }
    // Whether a late result is read depends on the boundaries of the chain. Both are rare.
    if (of.some((at) => isRun(at)?.isBoundary)) this.#state.nodes.forEach((node, at) => { if (node.isLate) touched.add(at); });
    // A set grows while it is walked: notices below notices are found too.
    for (const at of touched) for (const child of this.children(at)) if (isRun(child)?.isNotice) touched.add(child);
    return touched;
  }

  /** Lines beside a new one that is not on the chain whose side it may change: the notices it hangs below. */
  touchedBy(at: number): Set<number> {
    return this.#touched([at]);
  }

  /** On the chain, or a block or a result of a message that is: what the model reads. */
  isTaken(at: number): boolean {
    const node = this.#state.nodes[at];
    if (!node) return false;
    const walk = this.#walk(node.run);
    if (walk.at.has(at)) return true;
    const message = node.message ?? (node.isResult ? this.#state.nodes[node.parent]?.message : undefined);
    return message !== undefined && (walk.lines.get(message) ?? 0) > 0;
  }

  /** On show: taken, or a notice beside the chain under which nobody spoke. */
  isLive(at: number): boolean {
    let node = this.#state.nodes[at];
    if (node?.isRetracted) return false;
    if (this.isTaken(at)) return true;
    if (!node?.isNotice || this.#hasTalkBelow(at)) return false;
    const seen = new Set<number>([at]);
    let above = node.parent;
    for (; above >= 0 && !seen.has(above); above = node.parent) {
      if (this.isTaken(above)) return true;
      seen.add(above);
      node = this.#state.nodes[above];
      if (!node?.isNotice) return false;
    }
    return false;
  }

  #hasTalkBelow(at: number): boolean {
    const below = new Set(this.children(at));
    for (const child of below) {
      const kind = this.#state.nodes[child]?.kind;
      if (kind === 'user' || kind === 'assistant') return true;
      for (const next of this.children(child)) below.add(next);
    }
    return false;
  }
}

function append<K>(table: Map<K, number[]>, key: K, value: number): void {
  const list = table.get(key);
  if (list) list.push(value);
  else table.set(key, [value]);
}
