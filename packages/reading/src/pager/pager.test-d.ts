import { type PagerTable, pagerTable } from './pager.js';

const { reset: _, ...withoutReset } = pagerTable.idle;
// @ts-expect-error -- a cell is missing
export const missingCell: PagerTable = { ...pagerTable, idle: withoutReset };

const { looped: __, ...withoutLooped } = pagerTable;
// @ts-expect-error -- a row is missing
export const missingRow: PagerTable = withoutLooped;

// @ts-expect-error -- a cell of a state that has a request in flight cannot stand where there is none
export const wrongCell: PagerTable['idle'] = { ...pagerTable.idle, page: pagerTable.loading.page };
