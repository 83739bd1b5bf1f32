import type { TranscriptItem, TranscriptMarker, TranscriptTaskRef } from '../model/item.js';
import { itemId } from '../model/item.js';
import { ItemArray } from './item-array.js';
import { KeyedList } from './keyed-list.js';
import { type Order, type OrdinalBound, type Placed, firstTurnAt, labelBefore, lastLabel, orderOf, orderWith, orderWithout, positionsOf } from './order-tree.js';
import { TurnNode } from './turn-node.js';
import { Vector } from './vector.js';

/** An item as the reducer keeps it. */
export type ItemNode = TurnNode | TranscriptMarker | TranscriptTaskRef;

/** Room between the labels of two items that stand next to each other. Labels are whole numbers in a double: 2^53 / 2^24 leaves room for 500 million items. */
const LABEL_GAP = 2 ** 24;
/** Taken from the room by an item that goes on with a run of insertions at one place, so that 65,000 more find theirs. */
const LABEL_STEP = 2 ** 8;

const idOf = (node: ItemNode): string => (node instanceof TurnNode ? node.header.turnId : itemId(node));
/** An ordinal that is no number sorts as none. */
const ordinalOf = (node: ItemNode): number => (node instanceof TurnNode && node.header.ordinal === node.header.ordinal ? node.header.ordinal : -Infinity);
const readItem = (node: ItemNode): TranscriptItem => (node instanceof TurnNode ? node.read() : node);
const nodeOf = (item: TranscriptItem): ItemNode => (item.kind === 'turn' ? TurnNode.of(item) : item);

interface TimelineParts {
  readonly list: KeyedList<ItemNode>;
  readonly labels: Vector<number>;
  readonly order: Order;
  readonly newest: number;
  readonly isSequential: boolean;
  readonly known?: ItemArray | undefined;
}

/**
 * The items of an agent in their order. Immutable. Items stand in a list in order of arrival, where replacing one copies one short path; the order
 * is a tree over labels and changes only when items come or go. Every operation is O(log n), but for one that finds no label free between two
 * items: that gives all of them new ones, which some 50 insertions, each between the two before it, bring about.
 */
export class Timeline {
  private readonly list: KeyedList<ItemNode>;
  /** The label of each position of the list. */
  private readonly labels: Vector<number>;
  private readonly order: Order;
  /** The label given last: insertions next to it belong to one run. */
  private readonly newest: number;
  /** Items stand as they came: no need to ask the order. */
  private readonly isSequential: boolean;
  /** What was read of this state, or of one before it. */
  private known: ItemArray | undefined;
  private items: readonly TranscriptItem[] | undefined = undefined;

  private constructor({ list, labels, order, newest, isSequential, known }: TimelineParts) {
    this.list = list;
    this.labels = labels;
    this.order = order;
    this.newest = newest;
    this.isSequential = isSequential;
    this.known = known;
  }

  static readonly empty = Timeline.ofNodes([]);

  /** The timeline of a snapshot's items; of items with the same id the first stands. */
  static of(items: readonly TranscriptItem[]): Timeline {
    return Timeline.ofNodes(items.map(nodeOf));
  }

  private static ofNodes(nodes: readonly ItemNode[]): Timeline {
    const list = KeyedList.from(idOf, nodes);
    const placed: Placed[] = list.toArray().map((node, position) => ({ label: position * LABEL_GAP, position, ordinal: ordinalOf(node) }));
    return new Timeline({ list, labels: Vector.from(placed.map(({ label }) => label)), order: orderOf(placed), newest: -1, isSequential: true });
  }

  get(id: string): ItemNode | undefined {
    return this.list.get(id);
  }

  turn(id: string): TurnNode | undefined {
    const node = this.list.get(id);
    return node instanceof TurnNode ? node : undefined;
  }

  /** The items as they are handed out: the same array each time. */
  read(): readonly TranscriptItem[] {
    if (this.items) return this.items;
    this.items = this.known?.read((position) => readItem(this.list.at(position) as ItemNode)) ?? this.nodes().map(readItem);
    this.known = this.known?.settled(this.items) ?? ItemArray.of(this.items, this.isSequential ? undefined : positionsOf(this.order), this.list.end);
    return this.items;
  }

  /** Replaces the item of the same id in its place; a new one goes before the first turn whose ordinal reaches a bound, else to the end. */
  with(node: ItemNode, before: OrdinalBound | undefined): Timeline {
    const position = this.list.positionOf(idOf(node));
    return position < 0 ? this.withNew(node, before) : this.replaced(position, node);
  }

  without(id: string): Timeline {
    const position = this.list.positionOf(id);
    const label = this.labels.get(position);
    if (label === undefined) return this;
    const list = this.list.without(position);
    if (list.end < this.list.end) return Timeline.ofNodes(this.nodes().filter((node) => idOf(node) !== id));
    return new Timeline({ list, labels: this.labels, order: orderWithout(this.order, label), newest: this.newest, isSequential: false });
  }

  private nodes(): ItemNode[] {
    const slots = this.list.slots() as ItemNode[];
    return this.isSequential ? slots : positionsOf(this.order).map((position) => slots[position] as ItemNode);
  }

  private replaced(position: number, node: ItemNode): Timeline {
    const old = this.list.at(position);
    const list = this.list.withEntry(position, node);
    const label = this.labels.get(position) ?? 0;
    const hasMoved = !old || ordinalOf(old) !== ordinalOf(node);
    const order = hasMoved ? orderWith(this.order, { label, position, ordinal: ordinalOf(node) }) : this.order;
    return new Timeline({ list, labels: this.labels, order, newest: this.newest, isSequential: this.isSequential, known: this.known?.changed(position) });
  }

  private withNew(node: ItemNode, before: OrdinalBound | undefined): Timeline {
    const next = before && firstTurnAt(this.order, before);
    const label = this.labelFor(next);
    if (label === undefined) return Timeline.ofNodes(this.nodes()).withNew(node, before);
    const position = this.list.end;
    const isLast = next === undefined;
    return new Timeline({
      list: this.list.withEntry(position, node), labels: this.labels.push(label), order: orderWith(this.order, { label, position, ordinal: ordinalOf(node) }), newest: label,
      isSequential: this.isSequential && isLast, known: isLast ? this.known?.changed(position) : undefined,
    });
  }

  /** A label right before another one, or behind all; undefined where there is no room. */
  private labelFor(next: number | undefined): number | undefined {
    if (next === undefined) return (lastLabel(this.order) ?? -LABEL_GAP) + LABEL_GAP;
    const previous = labelBefore(this.order, next);
    if (previous === undefined) return next - LABEL_GAP;
    const half = Math.floor((next - previous) / 2);
    if (half === 0) return undefined;
    const step = Math.min(half, LABEL_STEP);
    return this.newest === previous ? previous + step : this.newest === next ? next - step : previous + half;
  }
}
