export { type ThreadItem, type ThreadItemOf, type ThreadItemType, threadItemSchema } from './objects/thread-item.js';
export { type ItemOutcome, itemOutcomeSchema } from './objects/item-parts.js';
export { type UserContent, userContentSchema } from './objects/user-content.js';
export { type CodexErrorInfo, type ItemsView, type Turn, type TurnErrorObject, codexErrorInfoSchema, itemsViewSchema, turnErrorObjectSchema, turnSchema } from './objects/turn.js';
export { type Thread, type ThreadSource, type ThreadStatus, threadSchema, threadSourceSchema, threadStatusSchema } from './objects/thread.js';
export { type OpenInteraction, type ThreadCounts, type ThreadHead, type ThreadIdentity, type ThreadUsage, emptyThreadHead } from './fold/thread-head.js';
export type {
  Growth, InputBody, Interval, ItemHeader, ItemRow, ItemState, ItemTarget, ItemVersion, NoticeRow, Place, RealtimeRow, RowBody, TurnEnd, TurnHeader, TurnOutlook, TurnRow, Word,
} from './fold/row.js';
export type { HistoryScope, InputHeader, InputPlacing, ItemAppend, ItemRevision, RowChange } from './fold/row-change.js';
export { type FoldedFact, foldThread } from './fold/fold-thread.js';
export { type RowlessFactType, factsWithoutRow } from './fold/without-row.js';
export { type Order, compareOrder, orderAfter } from './rows/order.js';
export { isEffective } from './rows/interval.js';
export { itemAsOf } from './rows/item-state.js';
export type { RowView } from './rows/row-view.js';
export { type Row, type RowsSnapshot, ThreadRows } from './rows/thread-rows.js';
export type { StepRow } from './rows/item-index.js';
export { isOpenTurn, turnAsOf } from './rows/turn-as-of.js';
export { type ItemOptions, itemObject, wholeBody } from './items/item-object.js';
export { commandLine } from './items/command-quoting.js';
export { type TurnOptions, type TurnPhase, type TurnRows, turnObject } from './settle/turn-object.js';
export { leftoverTurn, withLeftovers } from './settle/leftovers.js';
export { type SettleOptions, type ViewOptions, runningTurn, settleThread, unsettledThread } from './settle/settle-thread.js';
export { type ThreadFacets, activeStatus, threadObject } from './settle/thread-object.js';
