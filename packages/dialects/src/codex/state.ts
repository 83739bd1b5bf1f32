import type { FactKey, ItemBody, JsonObject, LargeRef } from '@tapefold/facts';
import { IdMap } from './id-map.js';

/**
 * How a rollout is read. Decided by its first record: `paginated` and `legacy` as `session_meta` says, `bare` for files of 2025 without envelope.
 * `responses` is a legacy file in which only the model's items tell what happened (no event has spoken yet).
 */
export type HistoryMode = 'undecided' | 'legacy' | 'paginated' | 'bare' | 'responses';

/** What the player remembers of a turn: enough to route late records and to count as the original program counts. */
export interface TurnState {
  readonly key: FactKey;
  readonly id: string;
  /** Items that the original counts: those with ids of the form `item-<n>`, and the others by id, since a second record of the same id is no new item. Null where there are none: most turns of a long thread have no more than that. */
  items: number;
  named: IdMap<true> | null;
  isImplicit: boolean;
  /** Has something that a following message must not join (implicit turns only). */
  hasContent: boolean;
  hasInput: boolean;
  status: 'open' | 'completed' | 'interrupted' | 'failed';
}

/** A call of the model that no record has ended for good. */
export interface OpenCall {
  readonly turn?: FactKey | undefined;
  readonly turnId?: string | undefined;
  /** Id of its item where that is not the call's: some providers count `call_0`, `call_1` anew in each response. */
  readonly id?: string | undefined;
  /** The fact that began its item. */
  readonly item?: FactKey | undefined;
  readonly body: ItemBody;
  readonly large?: LargeRef[] | undefined;
  /** Its output came, and yet a record of the item may follow (an interrupted or backgrounded command). */
  readonly isAnswered: boolean;
  /** The session under which a command goes on in the background. */
  readonly runsAs?: string | undefined;
}

/** Words of a person that the model's history holds and no event has shown yet. */
export interface PendingInput {
  readonly input: FactKey;
  readonly text: string;
  /** Number that the original would give a turn that it opened. */
  readonly retained: number;
}

/** A turn of the model on the tape, as a rollback counts them: the ordinal of the first fact that goes with it, and of a person's own message in it. */
export interface ContextTurn {
  readonly from: number;
  readonly message?: number | undefined;
  readonly injected?: InjectedContext | undefined;
}
/** Entries of injected context that follow each other: ordinals, and how many there are. */
export interface InjectedContext {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Everything the player knows between two lines (`checkpointOf` keeps it). */
export interface CodexState {
  mode: HistoryMode;
  nextOrdinal: number;
  /** Records that the original program numbers (`rollout-<n>`), lines before this one, the next ordinal it accepts. */
  retained: number;
  lines: number;
  expectedOrdinal: number;
  nextItem: number;
  isOpened: boolean;
  /** Play began in the middle of the file, at the start of a turn: ids that need counting are provisional. */
  isTail: boolean;
  /** A rollback, or the end of a turn, reached turns from before the place where play began. */
  lacksTurns: boolean;
  /** The tape goes on from another one. */
  hasBase: boolean;
  hasEvents: boolean;
  hasFirstPrompt: boolean;
  threadId: string;
  turns: TurnState[];
  /** Turns at the beginning of `turns` that the original does not show, and so does not count. */
  uncountedTurns: number;
  /** Index of the open turn in `turns`; legacy has at most one. */
  current: number | null;
  /** The first turn of each id. */
  turnsById: IdMap<number>;
  /** Items that the original counts, over all turns. */
  items: number;
  /**
   * Ids that the open turn already shows, as added items (`answered`: their output came) or as the original's own: the first record of a call decides
   * its place.
   */
  shown: IdMap<'added' | 'answered' | 'own'>;
  /** The reasoning that further thoughts are added to: its id and the fact that began it. */
  lastReasoning: { readonly id: string; readonly key: FactKey } | null;
  calls: IdMap<OpenCall>;
  /** Calls by the session under which their command goes on in the background. */
  background: IdMap<string>;
  pendingInputs: PendingInput[];
  /** The last words that an event showed and whose twin in the model's history is still to come. */
  awaitedTwin: { key: FactKey; mark: string; role: 'user' | 'assistant' } | null;
  lastUserContext: { key: FactKey; mark: string } | null;
  contextTurns: ContextTurn[];
  contextRun: { readonly from: number; readonly injected?: InjectedContext | undefined } | null;
  /** Responses are counted by `token_usage_record`; `token_count` then only tells the sum. */
  hasUsageRecords: boolean;
  /** The sum that was last told: the same one again counts no response. */
  lastTotal: string | null;
  /** What was last said of the thread, field by field, to be recognised. */
  details: Record<string, string>;
}

/** The state before the first line; which of the two histories the file has is undecided until a line tells. */
export function initialState(): CodexState {
  return {
    mode: 'undecided', nextOrdinal: 0, retained: 0, lines: 0, expectedOrdinal: 0, nextItem: 1, isOpened: false, isTail: false, lacksTurns: false, hasBase: false, hasEvents: false, hasFirstPrompt: false, threadId: '',
    turns: [], uncountedTurns: 0, current: null, turnsById: new IdMap(), items: 0, shown: new IdMap(), lastReasoning: null, calls: new IdMap(), background: new IdMap(), pendingInputs: [], awaitedTwin: null, lastUserContext: null, contextTurns: [], contextRun: null, hasUsageRecords: false, lastTotal: null, details: {},
  };
}

/** One record under play: what the file says, and what of it the original program could read itself. */
export interface CodexRecord {
  readonly type: string;
  readonly payload: JsonObject;
  readonly at: string | undefined;
  readonly ordinal: number | undefined;
  /** Our repair made it readable: what it shows is added and moves no count of the original's. */
  readonly isRepaired: boolean;
  /** Which of the records glued on the line, and where in it the payload stands. */
  readonly index: number;
  readonly path: readonly (string | number)[];
}
