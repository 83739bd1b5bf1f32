import type { ContentPart, FactKey, FactOf, ItemBody, LargeRef, TapeId, TurnError, TurnStatus, Usage, Visibility } from '@tapefold/facts';

/** Positions from `from` to before `to` (null: still) at which a row is part of the effective history. */
export type Interval = readonly [from: number, to: number | null];

/** How a turn ended, as the newest record that ends it says. */
export interface TurnEnd {
  readonly position: number;
  readonly status: TurnStatus;
  readonly reason?: string | undefined;
  readonly error?: TurnError | undefined;
  readonly startedAt?: number | undefined;
  readonly completedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly at?: string | undefined;
}

/** What the fact that began a turn says of it. `position` orders turns. */
export interface TurnHeader {
  readonly key: FactKey;
  readonly id: string;
  readonly tape: TapeId;
  readonly position: number;
  readonly isImplicit: boolean;
  readonly at?: string | undefined;
  readonly rootTurnId?: string | undefined;
  readonly startedAt?: number | undefined;
  readonly origin?: FactOf<'turn.started'>['origin'];
}

/** A turn as it is kept: JSON throughout. `markedAt`: the position of the first compaction in it. `touched`: the position of the last change. */
export interface TurnRow extends TurnHeader {
  readonly effective: readonly Interval[];
  readonly ends: readonly TurnEnd[];
  readonly markedAt: number | null;
  readonly usage: Usage | null;
  readonly touched: number;
}

/** What a person, a hook or a program put in, as the body of a row. */
export interface InputBody {
  readonly kind: 'input';
  readonly clientId?: string | undefined;
  readonly content: readonly ContentPart[];
}
export type RowBody = ItemBody | InputBody;

/**
 * Where an item stands among those of its turn: at its first record, at this one, or right after a fact. `position`: of the named fact, as far as
 * the fold knows it; where a row began with that fact, the row's own place counts.
 */
export type Place = { readonly kind: 'first' } | { readonly kind: 'here' } | { readonly kind: 'after'; readonly fact: FactKey; readonly position: number | null };

/** Addresses an item: by its turn's key or, where no turn of its tape has it, by the native turn id; both null outside of turns. */
export interface ItemTarget {
  readonly turn: FactKey | null;
  readonly turnId: string | null;
  readonly id: string;
}

/** The parts of an item that a later record can change. `isOpen`: begun, and no record completed it. `large`: where whole texts of `body` stand. */
export interface ItemState {
  readonly body: RowBody;
  readonly visibility: Visibility;
  readonly isOpen: boolean;
  readonly startedAtMs?: number | undefined;
  readonly completedAtMs?: number | undefined;
  readonly context?: FactKey | undefined;
  readonly large: readonly LargeRef[];
}

/** What one fact says of an item. */
export interface ItemHeader extends ItemState, ItemTarget {
  readonly key: FactKey;
  readonly isAdded: boolean;
  readonly at?: string | undefined;
}

/** Lengths of a body's growing texts before the append at `position`. */
export interface Growth {
  readonly position: number;
  readonly summary: number;
  readonly content: number;
  readonly output: number;
}

/** A state that a later record replaced at position `until`. */
export interface ItemVersion extends ItemState {
  readonly until: number;
  readonly growth: readonly Growth[];
}

/**
 * An item or input as it is kept: JSON throughout. `key` is the fact that began it, `position` that fact's; `order` compares lexicographically among
 * the items of one turn; `placedAt` is the position at which the row came into its turn. `earlier` and `growth` serve as-of reads.
 */
export interface ItemRow extends ItemHeader {
  readonly position: number;
  readonly order: readonly number[];
  readonly placedAt: number;
  readonly placedAs: FactOf<'input.placed'>['as'] | null;
  readonly effective: readonly Interval[];
  readonly earlier: readonly ItemVersion[];
  readonly growth: readonly Growth[];
  readonly touched: number;
}

/** Something the program told the person, beside the turns. */
export interface NoticeRow {
  readonly key: FactKey;
  readonly position: number;
  readonly turn: FactKey | null;
  readonly at?: string | undefined;
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly text: string;
}

/** A record of a spoken session, shown only by `thread/timeline/list`. */
export interface RealtimeRow {
  readonly key: FactKey;
  readonly position: number;
  readonly id: string;
  readonly sessionId: string | null;
  readonly kind: string;
  readonly role: string | null;
  readonly text: string | null;
  readonly observedAtMs: number | null;
}
