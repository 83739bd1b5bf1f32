import type { FactKey, FactOf, TapeId, ThreadDetails, ThreadOrigin, Usage } from '@tapefold/facts';

/** Who a thread is, as the counting `thread.opened` says. `tape`: of that fact. */
export interface ThreadIdentity {
  readonly tape: TapeId;
  readonly threadId: string;
  readonly sessionId: string;
  readonly program: FactOf<'thread.opened'>['program'];
  readonly programVersion?: string | undefined;
  readonly originator?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly origin: ThreadOrigin;
  readonly historyMode: 'legacy' | 'paginated';
  readonly threadSource?: FactOf<'thread.opened'>['threadSource'];
  readonly ownHistoryFrom?: number | undefined;
}

/** Facts that have no row of their own but are counted. */
export interface ThreadCounts {
  readonly facts: number;
  readonly unknown: number;
  readonly damaged: number;
  readonly repaired: number;
}

/** Tokens as last recorded. */
export interface ThreadUsage {
  readonly last: Usage | null;
  readonly total: Usage | null;
  readonly contextWindow: number | null;
}

/** A question to the person that no record answers. `isSuperseded`: its branch was left. */
export interface OpenInteraction {
  readonly key: FactKey;
  readonly kind: FactOf<'interaction.requested'>['kind'];
  readonly isSuperseded: boolean;
}

/**
 * What the fold keeps between facts: small (it grows with segments and open interactions, never with turns), immutable, JSON throughout.
 * `offsets`: position minus ordinal, by tape, for references to facts by key. `promptTape`: the tape that said the first prompt.
 */
export interface ThreadHead {
  readonly identity: ThreadIdentity | null;
  readonly details: ThreadDetails;
  readonly promptTape: TapeId | null;
  readonly links: Readonly<Partial<Record<FactOf<'thread.linked'>['relation'], string>>>;
  readonly offsets: Readonly<Record<TapeId, number>>;
  readonly openInteractions: Readonly<Record<string, OpenInteraction>>;
  readonly usage: ThreadUsage | null;
  readonly counts: ThreadCounts;
}

/** The head before the first fact. */
export const emptyThreadHead: ThreadHead = {
  identity: null, details: {}, promptTape: null, links: {}, offsets: {}, openInteractions: {}, usage: null, counts: { facts: 0, unknown: 0, damaged: 0, repaired: 0 },
};
