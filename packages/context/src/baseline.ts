import { type FactKey, factKey } from '@tapefold/facts';
import { type ContextSettings, type ContextState, type Part, isReset, isSettings, newestLive } from './state.js';

/** What the injected context says so far: the settings, and the fact that has them. */
export interface ContextBaseline {
  readonly fact: FactKey;
  readonly settings: ContextSettings;
}

/** A compaction in the middle of a turn puts the context back in itself. */
function carriesContext(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === 'message' && part.role !== 'assistant' && part.visibility === 'injected');
}

/**
 * What the newest request was made with. Null where there is no such request, or where a compaction or clearing took the injected context away: the next
 * request injects all.
 */
export function contextBaseline(state: ContextState): ContextBaseline | null {
  const newest = newestLive(state, state.settings, isSettings);
  const reset = newestLive(state, state.resets, isReset);
  if (!newest || (reset && reset.at > newest.at && !carriesContext(reset.slot.parts))) return null;
  return { fact: factKey(newest.slot.tape, newest.slot.ordinal), settings: newest.slot.settings };
}
