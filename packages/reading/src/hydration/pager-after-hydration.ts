import type { PagedEntry } from '../pager/history-page.js';
import type { PagerState } from '../pager/pager-state.js';
import { isNothing, nothingLoaded } from '../pager/loaded.js';
import type { HydratedTurn, HydrationState } from './hydration-state.js';

/**
 * The pager that goes on where a plan stands: it shows what is loaded, and asks next with the plan's cursor. Request ids go on too. Of a plan that still
 * waits for items the answer goes to nobody: the pager asks for the same page itself.
 */
export function pagerAfterHydration<E extends PagedEntry, T extends HydratedTurn>(state: HydrationState<E, T>): PagerState<E> {
  const { entries, itemChain, lastRequestId } = state.progress;
  const loaded = { ...nothingLoaded, paged: entries, lastRequestId };
  if (state.kind === 'unsupported') return { kind: 'unsupported', loaded };
  switch (itemChain.status) {
    case 'ended': return { kind: isNothing(loaded) ? 'empty' : 'start', loaded };
    case 'looped': return { kind: 'looped', loaded };
    case 'stalled': return { kind: 'more', loaded, chain: itemChain.rest };
    case 'open':
      if (state.kind === 'failed') return { kind: 'failed', loaded, chain: itemChain, goal: 'page', reason: state.reason };
      return itemChain.cursor === null ? { kind: 'idle', loaded } : { kind: 'more', loaded, chain: itemChain };
  }
}
