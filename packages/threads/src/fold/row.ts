import type { ContentPart, FactKey, FactOf, ItemBody, LargeRef, Origin, TapeId, TurnError, TurnStatus, Usage, Visibility } from '@tapefold/facts';

/** Positions from `from` to before `to` (null: still) at which a row is part of the effective history. */
export type Interval = readonly [from: number, to: number | null];

/** A fact that says something of a turn, or beside it, and that a history fact can take back: the newest effective one counts. */
export interface Word {
  readonly key: FactKey;
  readonly position: number;
  readonly effective: readonly Interval[];
}

/** How a turn ended. `startedAt` and `rootTurnId` replace what the start said, null as well. */
export interface TurnEnd extends Word {
  readonly status: TurnStatus;
  readonly rootTurnId?: string | null | undefined;
  readonly reason?: string | undefined;
  readonly error?: TurnError | undefined;
  readonly startedAt?: number | null | undefined;
  readonly completedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly at?: string | undefined;
}

/** What a turn counts as when no record ends it and nothing runs. */
export interface TurnOutlook extends Word {
  readonly settlesAs?: TurnStatus | undefined;
  readonly error?: TurnError | undefined;
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
  readonly origin?: Origin | undefined;
  readonly settlesAs?: TurnStatus | undefined;
}

/** A turn as it is kept: JSON throughout. `compactions` keep it though it may be empty. `touched`: the position of the last change. */
export interface TurnRow extends TurnHeader {
  readonly effective: readonly Interval[];
  readonly ends: readonly TurnEnd[];
  readonly outlooks: readonly TurnOutlook[];
  readonly compactions: readonly Word[];
  readonly usage: Usage | null;
  readonly touched: number;
}

/** What a person, a hook or a program put in, as the body of a row. */
export interface InputBody {
  readonly kind: 'input';
  readonly clientId?: string | undefined;
  readonly origin?: Origin | undefined;
  readonly content: readonly ContentPart[];
}
/** What a row of an item holds: the body of an item fact, or an input. */
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
  readonly step: FactKey | null;
  readonly isAdded: boolean;
  readonly at?: string | undefined;
}

/** Lengths of a body's growing texts before the append at `position`. `output` null: there was none. */
export interface Growth {
  readonly position: number;
  readonly summary: number;
  readonly content: number;
  readonly text: number;
  readonly input: number;
  readonly output: number | null;
}

/** A state that a later record replaced at position `until`. */
export interface ItemVersion extends ItemState {
  readonly until: number;
  readonly growth: readonly Growth[];
}

/**
 * An item or input as it is kept: JSON throughout. `key` is the fact that began it, `position` that fact's; `order` compares lexicographically among
 * the items of one turn; `placedAt` is the position at which the row came into its turn. Of inputs: `placedAs` is the newest placing, `otherwise` what a
 * deferred one becomes when nothing more comes, in the turn `heldFor`. `earlier` and `growth` serve as-of reads.
 */
export interface ItemRow extends ItemHeader {
  readonly position: number;
  readonly order: readonly number[];
  readonly placedAt: number;
  readonly placedAs: FactOf<'input.placed'>['as'] | null;
  readonly otherwise: FactOf<'input.placed'>['otherwise'] | null;
  readonly heldFor: FactKey | null;
  readonly effective: readonly Interval[];
  readonly earlier: readonly ItemVersion[];
  readonly growth: readonly Growth[];
  readonly touched: number;
}

/** Something the program told the person, beside the turns. */
export interface NoticeRow extends Word {
  readonly turn: FactKey | null;
  readonly at?: string | undefined;
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly text: string;
  readonly visibility: Visibility;
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
