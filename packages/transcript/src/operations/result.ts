import type { AgentState, StoredState } from '../state/agent-state.js';
import type { OffsetGap } from '../state/growing.js';

/** What an operation came to. Unchanged: `state` is the very state that was given. A gap: an append was missed before, and nothing changed. */
export interface ApplyResult {
  readonly state: AgentState;
  readonly changed: boolean;
  readonly gap?: OffsetGap;
  /** Interactions that went with the turns of an `items.remove`. */
  readonly removedInteractions?: readonly string[];
}

/** What a reducer of one kind of operation answers: the next state, or the same one where nothing changed. */
export interface Reduced {
  readonly next: StoredState;
  readonly gap?: OffsetGap;
  readonly removedInteractions?: readonly string[];
}
