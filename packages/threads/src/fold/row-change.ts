import type { FactKey, FactOf, ItemStatus, LargeRef, OrdinalRange, TapeId, Usage, Visibility } from '@tapefold/facts';
import type { InputBody, ItemHeader, ItemTarget, NoticeRow, Place, RealtimeRow, TurnEnd, TurnHeader, TurnOutlook, Word } from './row.js';

/** Texts that grow: each string of `summary` and `content` is a new element; `text`, `input` and `output` are joined to what is there. */
export type ItemAppend = NonNullable<FactOf<'item.changed'>['append']>;

/** An input when it is received: in no turn yet. */
export interface InputHeader extends Omit<ItemHeader, 'body' | 'turn' | 'step' | 'isOpen'> {
  readonly body: InputBody;
}

/** A part of an item changed; absent fields stay. */
export interface ItemRevision {
  readonly append?: ItemAppend | undefined;
  readonly large: readonly LargeRef[];
  readonly visibility?: Visibility | undefined;
  readonly status?: ItemStatus | undefined;
  readonly context?: FactKey | undefined;
}

/**
 * What leaves or comes back, with all that is or will be in it. `items`: first facts of items and inputs. `facts`: ranges in which ends, outlooks and
 * compactions of turns and notices count no longer, or again.
 */
export interface HistoryScope {
  readonly turns: readonly FactKey[];
  readonly steps: readonly FactKey[];
  readonly items: readonly FactKey[];
  readonly facts: readonly OrdinalRange[];
}

/** A placing of an input: `turn` null where the record names none. */
export interface InputPlacing {
  readonly input: FactKey;
  readonly turn: FactKey | null;
  readonly step: FactKey | null;
  readonly as: FactOf<'input.placed'>['as'];
  readonly otherwise: FactOf<'input.placed'>['otherwise'] | null;
  readonly place: Place;
}

type Change =
  | { readonly op: 'turn.upsert'; readonly turn: TurnHeader }
  /** By key or, where the turn began in an earlier segment, by its id. */
  | { readonly op: 'turn.end'; readonly turn: FactKey | null; readonly turnId: string | null; readonly end: TurnEnd }
  | { readonly op: 'turn.expect'; readonly turn: FactKey; readonly outlook: TurnOutlook }
  | { readonly op: 'turn.compact'; readonly turn: FactKey; readonly compaction: Word }
  /** Tokens of one more response of the turn; they add up. */
  | { readonly op: 'turn.usage'; readonly turn: FactKey; readonly usage: Usage }
  /** Turns of this id on other tapes (earlier segments) are older copies: their intervals close. */
  | { readonly op: 'turn.hideOlder'; readonly id: string; readonly tape: TapeId }
  /** Rows leave (close) or join (open) the effective history: nothing is deleted. */
  | ({ readonly op: 'history.close' | 'history.open' } & HistoryScope)
  | { readonly op: 'item.upsert'; readonly item: ItemHeader; readonly place: Place }
  | { readonly op: 'item.revise'; readonly target: ItemTarget; readonly revision: ItemRevision }
  | { readonly op: 'input.receive'; readonly input: InputHeader }
  | ({ readonly op: 'input.place' } & InputPlacing)
  | { readonly op: 'notice.add'; readonly notice: NoticeRow }
  | { readonly op: 'realtime.add'; readonly realtime: RealtimeRow };

/** One change of rows, made by the fact at `position`. JSON throughout; a row takes changes of a position once, so a change applied twice changes nothing. */
export type RowChange = Change & { readonly position: number };
