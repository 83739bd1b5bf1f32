export { type VisibleTextOptions, visibleText } from './visible-text.js';
export type { VisualisationUrl } from './visualisation.js';
export type { Tally } from './tally.js';
export { type ItemText, visibleTextOfItem } from './item-text.js';
export { neutraliseTerminalText } from './terminal-text.js';
export type { HistoryPage, PageRequest, PagedEntry } from './pager/history-page.js';
export type { PagerEvent, PagerGoal, PagerKind, PagerState } from './pager/pager-state.js';
export { advancePager, createPager, pagedEntries, requestToSend } from './pager/pager.js';
