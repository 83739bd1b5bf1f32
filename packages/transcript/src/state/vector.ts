/** Children of a node. Small, so that a change copies little: four slots a level, nine levels for 250,000 entries. */
const FANOUT_BITS = 2;
const FANOUT = 1 << FANOUT_BITS;
const MASK = FANOUT - 1;

type Node<T> = readonly (Node<T> | T)[];

/**
 * A list that shares what did not change with the list it was made from. Reading, replacing and adding one entry touch one path of nodes:
 * O(log n) with a small constant. Immutable; every operation answers another vector.
 */
export class Vector<T> {
  readonly size: number;
  /** Levels below the root; 0: the root holds entries. */
  private readonly depth: number;
  private readonly root: Node<T>;

  private constructor(size: number, depth: number, root: Node<T>) {
    this.size = size;
    this.depth = depth;
    this.root = root;
  }

  static readonly empty: Vector<never> = new Vector<never>(0, 0, []);

  static from<T>(entries: readonly T[]): Vector<T> {
    let level: Node<T>[] = chunks(entries);
    let depth = 0;
    for (; level.length > 1; depth += 1) level = chunks(level) as Node<T>[];
    return entries.length === 0 ? Vector.empty : new Vector<T>(entries.length, depth, level[0] ?? []);
  }

  /** The entry at an index; undefined outside of the list. */
  get(index: number): T | undefined {
    if (!(index >= 0 && index < this.size)) return undefined;
    let node = this.root;
    for (let shift = this.depth * FANOUT_BITS; shift > 0; shift -= FANOUT_BITS) node = node[(index >> shift) & MASK] as Node<T>;
    return node[index & MASK] as T;
  }

  /** Replaces the entry at an index of the list, or adds one at its end. */
  set(index: number, entry: T): Vector<T> {
    if (index < this.size) return new Vector(this.size, this.depth, withEntry(this.root, { index, entry }, this.depth));
    const isFull = this.size === FANOUT << (this.depth * FANOUT_BITS);
    const depth = isFull ? this.depth + 1 : this.depth;
    return new Vector(this.size + 1, depth, withLast(isFull ? [this.root] : this.root, { index: this.size, entry }, depth));
  }

  push(entry: T): Vector<T> {
    return this.set(this.size, entry);
  }

  /** All entries as an array of their own. */
  toArray(): T[] {
    const all: T[] = [];
    collect(this.root, this.depth, all);
    return all;
  }
}

function collect<T>(node: Node<T>, depth: number, into: T[]): void {
  for (const child of node) {
    if (depth === 0) into.push(child as T);
    else collect(child as Node<T>, depth - 1, into);
  }
}

function chunks<T>(entries: readonly T[]): T[][] {
  const cut: T[][] = [];
  for (let from = 0; from < entries.length; from += FANOUT) cut.push(entries.slice(from, from + FANOUT));
  return cut;
}

/** A root with one entry replaced: copies the nodes on its path. */
function withEntry<T>(root: Node<T>, at: { readonly index: number; readonly entry: T }, depth: number): Node<T> {
  const { index, entry } = at;
  const copied = root.slice();
  let node = copied;
  for (let shift = depth * FANOUT_BITS; shift > 0; shift -= FANOUT_BITS) {
    const slot = (index >> shift) & MASK;
    const copy = (node[slot] as Node<T>).slice();
    node[slot] = copy;
    node = copy;
  }
  node[index & MASK] = entry;
  return copied;
}

/** A node with an entry put behind its last one: copies the nodes on the path, makes those that are missing. */
function withLast<T>(node: Node<T>, at: { readonly index: number; readonly entry: T }, depth: number): Node<T> {
  const slot = (at.index >> (depth * FANOUT_BITS)) & MASK;
  return withChild(node, slot, depth === 0 ? at.entry : withLast((node[slot] as Node<T> | undefined) ?? [], at, depth - 1));
}

/** A copy of a node with a child put at one of its four slots, or right behind the last one. Written out, since an array that grows by one takes room for many. */
function withChild<T>(node: Node<T>, slot: number, child: Node<T> | T): Node<T> {
  if (slot < node.length) {
    const copy = node.slice();
    copy[slot] = child;
    return copy;
  }
  const [first, second, third] = node as [T, T, T];
  switch (slot) {
    case 0: return [child];
    case 1: return [first, child];
    case 2: return [first, second, child];
    default: return [first, second, third, child];
  }
}
