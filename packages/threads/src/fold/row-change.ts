import type { FactKey, FactOf, ItemStatus, LargeRef, TapeId, Usage, Visibility } from '@tapefold/facts';
import type { InputBody, ItemHeader, ItemTarget, NoticeRow, Place, RealtimeRow, TurnEnd, TurnHeader } from './row.js';

/** Texts that grow: each string of `summary` and `content` is a new element; `output` is joined to what is there. */
export type ItemAppend = NonNullable<FactOf<'item.changed'>['append']>;

/** An input when it is received: in no turn yet. */
export interface InputHeader extends Omit<ItemHeader, 'body' | 'turn' | 'turnId' | 'isOpen'> {
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

type Change =
  | { readonly op: 'turn.upsert'; readonly turn: TurnHeader }
  | { readonly op: 'turn.end'; readonly turn: FactKey; readonly end: TurnEnd }
  /** The turn has a compaction, so it stays though it may be empty. */
  | { readonly op: 'turn.mark'; readonly turn: FactKey }
  /** Tokens of one more response of the turn; they add up. */
  | { readonly op: 'turn.usage'; readonly turn: FactKey; readonly usage: Usage }
  /** Turns of this id on other tapes (earlier segments) are older copies: their intervals close. */
  | { readonly op: 'turn.hideOlder'; readonly id: string; readonly tape: TapeId }
  /** Rows leave (close) or join (open) the effective history: nothing is deleted. `items`: first facts of items and inputs. */
  | { readonly op: 'history.close' | 'history.open'; readonly turns: readonly FactKey[]; readonly items: readonly FactKey[] }
  | { readonly op: 'item.upsert'; readonly item: ItemHeader; readonly place: Place }
  | { readonly op: 'item.revise'; readonly target: ItemTarget; readonly revision: ItemRevision }
  | { readonly op: 'input.receive'; readonly input: InputHeader }
  | { readonly op: 'input.place'; readonly input: FactKey; readonly turn: FactKey | null; readonly as: FactOf<'input.placed'>['as']; readonly place: Place }
  | { readonly op: 'notice.add'; readonly notice: NoticeRow }
  | { readonly op: 'realtime.add'; readonly realtime: RealtimeRow };

/** One change of rows, made by the fact at `position`. JSON throughout; a row takes changes of a position once, so a change applied twice changes nothing. */
export type RowChange = Change & { readonly position: number };
