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
export { type KeptRows, type Row, type RowsSnapshot, ThreadRows } from './rows/thread-rows.js';
export { type RowAddresses, addressesOf, itemAddress } from './rows/addresses.js';
export { type Standing, type StepRow, isLeftover, standingOf } from './rows/item-index.js';
export { isOpenTurn, newestWord, turnAsOf } from './rows/turn-as-of.js';
export { type ItemOptions, itemObject, wholeBody } from './items/item-object.js';
export { type ItemTextOptions, type StoredItem, type TextForm, itemText } from './items/item-text.js';
export { commandLine } from './items/command-quoting.js';
export { type TurnOptions, type TurnPhase, type TurnRows, textAroundItems, turnObject } from './settle/turn-object.js';
export { leftoverTurn, withLeftovers } from './settle/leftovers.js';
export { type SettleOptions, type ViewOptions, runningTurn, settleThread, unsettledThread } from './settle/settle-thread.js';
export { type BranchedRows, isSuperseded, settleBranches } from './settle/branches.js';
export { type ThreadFacets, activeStatus, threadObject } from './settle/thread-object.js';
export { type NotificationMethod, type ThreadNotification, type TokenCounts, threadNotifications } from './live/notifications.js';
export { LiveThread, type Presence } from './live/live-thread.js';
export { PROTOCOL_VERSION } from './protocol/version.js';
export { type MethodContract, type ParamsOf, type RpcCall, type RpcMethod, methods, readCall } from './protocol/methods.js';
export { protocolJsonSchemas } from './protocol/json-schema.js';
export { RPC_CODE, type RpcCode, RpcError, type RpcErrorObject, type RpcFaultDetail, type RpcFaultKind, rpcFaultKinds } from './protocol/wire/rpc-error.js';
export { type UuidReading, readUuid, threadIdOf } from './protocol/wire/uuid-text.js';
export {
  type AccountReadResponse, type DeprecationNotice, type InitializeParams, type InitializeResponse, type RpcRequestId, accountReadAnswer, deprecationNoticeSchema, fullReadDeprecation, rpcRequestSchema,
} from './protocol/schemas/handshake.js';
export type { SourceKind, ThreadListParams, ThreadSearchParams, ThreadSortKey } from './protocol/schemas/list-params.js';
export {
  type LoadedListResponse, type ReadState, type ThreadListResponse, type ThreadReadResponse, type ThreadSearchHit, type ThreadSearchResponse, initialReadState, loadedListAnswer,
} from './protocol/schemas/list-results.js';
export type { DeferOutput, ItemsListParams, ItemsReadParams, SearchOccurrencesParams, ThreadReadParams, TimelineListParams, TurnsListParams } from './protocol/schemas/history-params.js';
export type { NotYetIndexed } from './protocol/schemas/parts.js';
export type { Occurrence, SearchOccurrencesResponse, ThreadItemEntry, TimelineEntry, TimelineListResponse } from './protocol/schemas/history-results.js';
export { type PlaceOf, RecordIndex, type RecordList, type RecordMark, type RecordMarks, type RecordPlace, comparePlaces, noRecords } from './protocol/answers/record-index.js';
export { type Anchor, type KeysetPage, type PageRequest, type SortDirection, clampedLimit, keysetPage } from './protocol/answers/keyset.js';
export type { EndedTurn, HistoryItem, HistoryReader, HistoryTurn, JsonChunk, PlacedRealtime, TurnRequest } from './protocol/answers/history-reader.js';
export { History, type HistoryRows, type HistorySource } from './protocol/answers/history.js';
export { type LazyPage, type PageCursors } from './protocol/answers/lazy-page.js';
export { newestTurnsPage, newestTurnsQuery, turnsPage } from './protocol/answers/turns-page.js';
export { itemsPage, itemsRead } from './protocol/answers/items-page.js';
export { timelinePage } from './protocol/answers/timeline-page.js';
export { searchOccurrences, spokenText } from './protocol/answers/occurrences.js';
export { type ListRow, bareThread } from './protocol/answers/list-row.js';
export { isListedByFile, listThreads, searchCandidates } from './protocol/answers/list-threads.js';
export { type SearchHit, firstSnippet, rawPattern, searchAnswer } from './protocol/answers/search-threads.js';
