import { type SyncTable, syncTable } from './sync.js';

const { batch: _, ...withoutBatch } = syncTable.waiting;
// @ts-expect-error -- a cell is missing
export const missingCell: SyncTable = { ...syncTable, waiting: withoutBatch };

const { catching: __, ...withoutCatching } = syncTable;
// @ts-expect-error -- a row is missing
export const missingRow: SyncTable = withoutCatching;

// @ts-expect-error -- a cell of a state that waits for missed batches cannot stand where none are asked for
export const wrongCell: SyncTable['detached'] = { ...syncTable.detached, caughtUp: syncTable.catching.caughtUp };
