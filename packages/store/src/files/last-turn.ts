import type { Turn } from '@tapefold/threads';
import type { LastTurnStatus } from '../thread-source.js';

const statuses = { completed: 'completed', failed: 'failed', interrupted: 'interrupted', inProgress: 'open' } as const;

/** How a thread stands whose last turn is this one; undefined: it has none. */
export const lastTurnStatus = (last: Pick<Turn, 'status'> | undefined): LastTurnStatus => (last ? statuses[last.status] : 'empty');
