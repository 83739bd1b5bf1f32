/** Bits of the hash that one level looks at. */
const LEVEL_BITS = 4;
const MASK = (1 << LEVEL_BITS) - 1;
const HASH_BITS = 32;

interface Leaf {
  readonly key: string;
  readonly hash: number;
  readonly position: number;
}
/** Children of the hash digits in `bitmap`, in their order. */
interface Branch {
  readonly bitmap: number;
  readonly children: readonly Node[];
}
/** Keys that share a whole hash. */
interface Clash {
  readonly hash: number;
  readonly leaves: readonly Leaf[];
}
type Node = Leaf | Branch | Clash;

const isBranch = (node: Node): node is Branch => 'bitmap' in node;
const isClash = (node: Node): node is Clash => 'leaves' in node;

/** A hash of 32 bits over the UTF-16 code units (FNV-1a, mixed once more, as neighbouring ids differ in their last digits only). */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

const bitOf = (hash: number, shift: number): number => 1 << ((hash >>> shift) & MASK);
const slotOf = ({ bitmap }: Branch, bit: number): number => countBits(bitmap & (bit - 1));

/** Where a key stands in a list: an immutable map from string to number that shares what did not change (a hash trie). O(log n). */
export class KeyIndex {
  private readonly root: Node | undefined;

  private constructor(root: Node | undefined) {
    this.root = root;
  }

  static readonly empty = new KeyIndex(undefined);

  get(key: string): number | undefined {
    const hash = hashOf(key);
    let node = this.root;
    for (let shift = 0; node && isBranch(node); shift += LEVEL_BITS) {
      const bit = bitOf(hash, shift);
      node = node.bitmap & bit ? node.children[slotOf(node, bit)] : undefined;
    }
    const leaf = node && isClash(node) ? node.leaves.find((one) => one.key === key) : (node as Leaf | undefined);
    return leaf?.key === key ? leaf.position : undefined;
  }

  set(key: string, position: number): KeyIndex {
    const leaf = { key, hash: hashOf(key), position };
    return new KeyIndex(this.root ? withLeaf(this.root, leaf, 0) : leaf);
  }

  delete(key: string): KeyIndex {
    return new KeyIndex(this.root && withoutKey({ node: this.root, key, hash: hashOf(key), shift: 0 }));
  }
}

function withLeaf(node: Node, leaf: Leaf, shift: number): Node {
  if (isBranch(node)) return withLeafBelow(node, leaf, shift);
  if (!isClash(node) && node.key === leaf.key) return leaf;
  if (node.hash !== leaf.hash && shift < HASH_BITS) return withLeaf({ bitmap: bitOf(node.hash, shift), children: [node] }, leaf, shift);
  const others = isClash(node) ? node.leaves.filter(({ key }) => key !== leaf.key) : [node];
  return { hash: leaf.hash, leaves: [...others, leaf] };
}

function withLeafBelow(branch: Branch, leaf: Leaf, shift: number): Branch {
  const bit = bitOf(leaf.hash, shift);
  const slot = slotOf(branch, bit);
  const children = branch.children.slice();
  if (branch.bitmap & bit) children[slot] = withLeaf(children[slot] as Node, leaf, shift + LEVEL_BITS);
  else children.splice(slot, 0, leaf);
  return { bitmap: branch.bitmap | bit, children };
}

function withoutKey(at: { readonly node: Node; readonly key: string; readonly hash: number; readonly shift: number }): Node | undefined {
  const { node, key, hash, shift } = at;
  if (isClash(node)) {
    const leaves = node.leaves.filter((leaf) => leaf.key !== key);
    return leaves.length === 1 ? leaves[0] : { hash: node.hash, leaves };
  }
  if (!isBranch(node)) return node.key === key ? undefined : node;
  const bit = bitOf(hash, shift);
  const slot = slotOf(node, bit);
  const child = node.bitmap & bit ? node.children[slot] : undefined;
  if (!child) return node;
  const left = withoutKey({ node: child, key, hash, shift: shift + LEVEL_BITS });
  const children = node.children.slice();
  if (left) children[slot] = left;
  else children.splice(slot, 1);
  return children.length ? { bitmap: left ? node.bitmap : node.bitmap & ~bit, children } : undefined;
}
