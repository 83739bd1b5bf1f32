/**
 * The order of a timeline: positions of a list, sorted by label, in a tree that also knows the greatest turn ordinal below each node. So the place
 * before "the first turn with an ordinal above n" is found without looking at every item. Immutable; each operation copies one path, O(log n).
 */
export interface OrderNode {
  /** Sorts the items; an integer between the labels of its neighbours. */
  readonly label: number;
  /** Where the item stands in the list of items. */
  readonly position: number;
  /** The turn's ordinal; -Infinity for what is no turn. */
  readonly ordinal: number;
  readonly maxOrdinal: number;
  /** Nodes in this tree. */
  readonly size: number;
  readonly left: Order;
  readonly right: Order;
}
export type Order = OrderNode | undefined;

/** One item in the order. */
export type Placed = Pick<OrderNode, 'label' | 'position' | 'ordinal'>;

/** How much larger one side may grow than the other before the tree is turned. */
const WEIGHT = 3;

const sizeOf = (tree: Order): number => tree?.size ?? 0;
const maxOf = (tree: Order): number => tree?.maxOrdinal ?? -Infinity;

function node(placed: Placed, left: Order, right: Order): OrderNode {
  const { label, position, ordinal } = placed;
  return { label, position, ordinal, maxOrdinal: Math.max(ordinal, maxOf(left), maxOf(right)), size: sizeOf(left) + 1 + sizeOf(right), left, right };
}

function turnedLeft(top: Placed, left: Order, right: OrderNode): OrderNode {
  if (right.left && sizeOf(right.left) >= 2 * sizeOf(right.right)) return node(right.left, node(top, left, right.left.left), node(right, right.left.right, right.right));
  return node(right, node(top, left, right.left), right.right);
}

function turnedRight(top: Placed, left: OrderNode, right: Order): OrderNode {
  if (left.right && sizeOf(left.right) >= 2 * sizeOf(left.left)) return node(left.right, node(left, left.left, left.right.left), node(top, left.right.right, right));
  return node(left, left.left, node(top, left.right, right));
}

function balanced(top: Placed, left: Order, right: Order): OrderNode {
  if (sizeOf(left) + sizeOf(right) > 1) {
    if (right && right.size > WEIGHT * sizeOf(left)) return turnedLeft(top, left, right);
    if (left && left.size > WEIGHT * sizeOf(right)) return turnedRight(top, left, right);
  }
  return node(top, left, right);
}

/** The order with an item put at its label, in the place of what stood there. */
export function orderWith(tree: Order, placed: Placed): OrderNode {
  if (!tree) return node(placed, undefined, undefined);
  if (placed.label < tree.label) return balanced(tree, orderWith(tree.left, placed), tree.right);
  if (placed.label > tree.label) return balanced(tree, tree.left, orderWith(tree.right, placed));
  return node(placed, tree.left, tree.right);
}

/** The order without the item at a label. */
export function orderWithout(tree: Order, label: number): Order {
  if (!tree) return undefined;
  if (label < tree.label) return balanced(tree, orderWithout(tree.left, label), tree.right);
  if (label > tree.label) return balanced(tree, tree.left, orderWithout(tree.right, label));
  if (!tree.left || !tree.right) return tree.left ?? tree.right;
  const next = firstOf(tree.right);
  return balanced(next, tree.left, orderWithout(tree.right, next.label));
}

/** An order of items that are sorted already. */
export function orderOf(sorted: readonly Placed[], from = 0, to = sorted.length): Order {
  const middle = (from + to) >> 1;
  const placed = from < to ? sorted[middle] : undefined;
  return placed && node(placed, orderOf(sorted, from, middle), orderOf(sorted, middle + 1, to));
}

function firstOf(tree: OrderNode): OrderNode {
  let first = tree;
  while (first.left) first = first.left;
  return first;
}

/** The greatest label; undefined in an empty order. */
export function lastLabel(tree: Order): number | undefined {
  let last = tree;
  while (last?.right) last = last.right;
  return last?.label;
}

/** The label right below another one; undefined where that is the first. */
export function labelBefore(tree: Order, label: number): number | undefined {
  let found: number | undefined;
  for (let at = tree; at; at = at.label < label ? at.right : at.left) if (at.label < label) found = at.label;
  return found;
}

/** Whether an ordinal is high enough. What holds for one holds for all above it. */
export type OrdinalBound = (ordinal: number) => boolean;

/** The label of the first turn whose ordinal is high enough; undefined where there is none. */
export function firstTurnAt(tree: Order, isHighEnough: OrdinalBound): number | undefined {
  let at = tree && isHighEnough(tree.maxOrdinal) ? tree : undefined;
  while (at) {
    if (at.left && isHighEnough(at.left.maxOrdinal)) at = at.left;
    else if (isHighEnough(at.ordinal)) return at.label;
    else at = at.right;
  }
  return undefined;
}

/** Positions in order. */
export function positionsOf(tree: Order, into: number[] = []): number[] {
  if (!tree) return into;
  positionsOf(tree.left, into);
  into.push(tree.position);
  return positionsOf(tree.right, into);
}
