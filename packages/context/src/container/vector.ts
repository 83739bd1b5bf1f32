/**
 * A list that never changes: appending or setting gives a new one that shares all but a few blocks with the old one.
 *
 *     size 71      root ── nodes ─┬─ items[32]
 *                                 └─ items[32]      tail[7]
 *
 * Blocks hold 32 elements; full ones hang in a tree of width 32, the rest waits in `tail`. Append copies at most the tail, or one path of the tree each
 * 32 elements; reading and setting follow one path. Plain data: a copy through JSON is the same list.
 */
export interface Vector<T> {
  readonly size: number;
  /** Branches between root and blocks. */
  readonly depth: number;
  readonly root: Node<T> | null;
  readonly tail: readonly T[];
}
type Node<T> = Branch<T> | Leaf<T>;
interface Branch<T> { readonly nodes: readonly Node<T>[] }
interface Leaf<T> { readonly items: readonly T[] }

const BITS = 5;
const WIDTH = 1 << BITS;

/** The empty list. */
export function emptyVector<T>(): Vector<T> {
  return { size: 0, depth: 0, root: null, tail: [] };
}

const isLeaf = <T>(node: Node<T>): node is Leaf<T> => 'items' in node;
const childOf = (block: number, depth: number): number => (block >>> (BITS * (depth - 1))) & (WIDTH - 1);

/** A path of single branches down to a block. */
function pathTo<T>(leaf: Leaf<T>, depth: number): Node<T> {
  return depth === 0 ? leaf : { nodes: [pathTo(leaf, depth - 1)] };
}

function withBlock<T>(node: Node<T>, leaf: Leaf<T>, at: { block: number; depth: number }): Node<T> {
  if (isLeaf(node)) return leaf;
  const child = childOf(at.block, at.depth);
  const nodes = [...node.nodes];
  const below = nodes[child];
  nodes[child] = below ? withBlock(below, leaf, { ...at, depth: at.depth - 1 }) : pathTo(leaf, at.depth - 1);
  return { nodes };
}

/** Hangs a full block into the tree as its next one. */
function grown<T>({ root, depth }: Vector<T>, leaf: Leaf<T>, block: number): Pick<Vector<T>, 'root' | 'depth'> {
  if (!root) return { root: leaf, depth };
  if (block === WIDTH ** depth) return { root: { nodes: [root, pathTo(leaf, depth)] }, depth: depth + 1 };
  return { root: withBlock(root, leaf, { block, depth }), depth };
}

/** The list with `value` at its end. O(log n), and O(1) as a rule; copies at most one block and one path. */
export function pushed<T>(vector: Vector<T>, value: T): Vector<T> {
  const size = vector.size + 1;
  if (vector.tail.length < WIDTH) return { ...vector, size, tail: [...vector.tail, value] };
  return { ...grown(vector, { items: vector.tail }, (vector.size >>> BITS) - 1), size, tail: [value] };
}

const treeSize = <T>({ size, tail }: Vector<T>): number => size - tail.length;

function blockAt<T>(vector: Vector<T>, block: number): readonly T[] {
  let node = vector.root;
  for (let depth = vector.depth; node && !isLeaf(node); depth -= 1) node = node.nodes[childOf(block, depth)] ?? null;
  return node?.items ?? [];
}

/** The element at `index`; undefined outside the list. O(log n). */
export function elementAt<T>(vector: Vector<T>, index: number): T | undefined {
  if (index < 0 || index >= vector.size) return undefined;
  const start = treeSize(vector);
  return index >= start ? vector.tail[index - start] : blockAt(vector, index >>> BITS)[index & (WIDTH - 1)];
}

const replaced = <T>(items: readonly T[], index: number, value: T): T[] => items.map((item, i) => (i === index ? value : item));

/** The list with another value at `index`; the same list where there is no such index. O(log n). */
export function withElement<T>(vector: Vector<T>, index: number, value: T): Vector<T> {
  if (index < 0 || index >= vector.size || !Number.isInteger(index)) return vector;
  const start = treeSize(vector);
  if (index >= start || !vector.root) return { ...vector, tail: replaced(vector.tail, index - start, value) };
  const block = index >>> BITS;
  const leaf = { items: replaced(blockAt(vector, block), index & (WIDTH - 1), value) };
  return { ...vector, root: withBlock(vector.root, leaf, { block, depth: vector.depth }) };
}

/** Elements from `from` to before `to`, in order. */
export function* elements<T>(vector: Vector<T>, from = 0, to = vector.size): Generator<T> {
  const end = Math.min(to, vector.size);
  for (let at = Math.max(0, from); at < end;) {
    const block = at >= treeSize(vector) ? vector.tail : blockAt(vector, at >>> BITS);
    const first = at >= treeSize(vector) ? treeSize(vector) : at & ~(WIDTH - 1);
    for (const value of block.slice(at - first, end - first)) yield value;
    at = first + block.length;
  }
}

/** A list of the values. O(n). */
export function vectorOf<T>(values: Iterable<T>): Vector<T> {
  let vector = emptyVector<T>();
  for (const value of values) vector = pushed(vector, value);
  return vector;
}

/** First index at which `isReached` holds, in a list in which it holds for all later ones as well; the size where it never does. O(log² n). */
export function firstIndex<T>(vector: Vector<T>, isReached: (value: T) => boolean): number {
  let low = 0;
  let high = vector.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = elementAt(vector, middle);
    if (value !== undefined && isReached(value)) high = middle;
    else low = middle + 1;
  }
  return low;
}
