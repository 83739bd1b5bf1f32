import type { FactKey, Origin, TapeId, TurnStatus } from '@tapefold/facts';
import type { TranscriptFrame } from '../model/frame.js';
import type { TranscriptMarker, TranscriptTaskRef } from '../model/item.js';
import type { StepHeader, TurnHeader } from '../model/turn.js';

/*
 * What the fold keeps of a timeline. Rows are its own and change in place; headers, frames and entities in them are never changed, only replaced, so
 * operations and snapshots that were handed out stay as they are.
 */

export interface FrameRow {
  frame: TranscriptFrame;
}

/** `key`: of the fact that began it; undefined where no fact did, and what it holds tells that a response is there. */
export interface StepRow {
  key: FactKey | undefined;
  readonly turn: TurnRow;
  header: StepHeader;
  readonly frames: FrameRow[];
  readonly frameIds: Set<string>;
  /** Frames with a number: all but tools. */
  numbered: number;
  /** It holds something that the model said, not only what was said to it. */
  isAnswered: boolean;
  /** When the newest record of it was written. */
  lastAt: string | undefined;
}

export interface TurnRow {
  readonly kind: 'turn';
  readonly key: FactKey;
  /** The agent's own id. */
  readonly id: string;
  readonly tape: TapeId;
  readonly isImplicit: boolean;
  /** Not shown (`TimelinePart`). */
  readonly isBare: boolean;
  /** Who opened it, in the words of facts: transcripts have fewer. */
  readonly openedBy: Origin['kind'];
  header: TurnHeader;
  readonly steps: StepRow[];
  /** Records begin its steps. */
  hasOwnSteps: boolean;
  /** The newest step has all of its response: what the model says next is another one. */
  isBetween: boolean;
  isEnded: boolean;
  settlesAs: TurnStatus | undefined;
  /** What went wrong, where it counts as failed. */
  outlookError: string | undefined;
}

/** Markers that stand for messages are numbered before all others, as the original numbers them. */
export interface MarkerRow {
  readonly kind: 'marker';
  readonly isOfMessage: boolean;
  marker: TranscriptMarker;
}

export interface TaskRefRow {
  readonly kind: 'taskref';
  readonly ref: TranscriptTaskRef;
}

export type TimelineRow = TurnRow | MarkerRow | TaskRefRow;

/** The id by which a row stands in the timeline. */
export function rowId(row: TimelineRow): string {
  switch (row.kind) {
    case 'turn': return row.header.turnId;
    case 'marker': return row.marker.markerId;
    case 'taskref': return row.ref.refId;
  }
}
