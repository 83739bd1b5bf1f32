import type { ModelItem } from '@tapefold/facts';
import type { ContextEntry } from '../arrange.js';

/** A call, paired by `callId`. */
export type CallItem = Extract<ModelItem, { kind: 'call' }>;
/** What a call gave back. */
export type ResultItem = Extract<ModelItem, { kind: 'result' }>;

/** One item on its way into a request. */
export interface RequestItem {
  readonly item: ModelItem;
  /** The entry it comes from; none for a result that was made up. */
  readonly entry?: ContextEntry | undefined;
  /** Its content is not what its native record says any more. */
  readonly isAltered?: true | undefined;
  /** A result's call. */
  readonly answers?: CallItem | undefined;
}

/** Why an entry of the history is not in the request. */
export type LeftOutReason = 'orphanResult' | 'unansweredCall' | 'neverSent' | 'otherProvider' | 'program';

/** An entry of the history that the request does not hold: nothing goes without being named. */
export interface LeftOut {
  readonly entry: ContextEntry;
  readonly reason: LeftOutReason;
}

/** A history ready to be written as a request. */
export interface NormalisedRequest {
  readonly items: readonly RequestItem[];
  readonly leftOut: readonly LeftOut[];
}
