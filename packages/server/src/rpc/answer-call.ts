import { assertNever } from '@tapefold/facts';
import type { ThreadHistory } from '@tapefold/store';
import {
  type DeprecationNotice, type HistoryReader, type NotYetIndexed, type ParamsOf, type RpcCall, type Turn, accountReadAnswer, bareThread, fullReadDeprecation, initialReadState, isListedByFile, itemsPage, itemsRead, listThreads, loadedListAnswer, newestTurnsPage, searchOccurrences, threadIdOf,
  timelinePage, turnsPage,
} from '@tapefold/threads';
import { type JsonChunks, elementsAsRead, pageChunks, threadChunks, wholeValue, withMember } from './answer.js';
import { searchThreads } from './search.js';
import type { ThreadReader } from './thread-reader.js';

/** Who asks. `notify`: tells it something beside the answer; `follow`: it is told what happens in a thread from now on. */
export interface Caller {
  readonly notify: (method: DeprecationNotice['method'], params: DeprecationNotice['params']) => void;
  readonly follow: (threadId: string) => void;
}

/** A call of one of the reading methods; the handshake is the connection's. */
export type ReadingCall = Exclude<RpcCall, { method: 'initialize' }>;

async function* turnObjects(history: HistoryReader): AsyncGenerator<Turn> {
  for await (const turn of history.eachTurn()) yield history.turnObject(turn, 'full');
}

async function readThread(reader: ThreadReader, { threadId, includeTurns, asOf }: ParamsOf<'thread/read'>, { notify }: Caller): Promise<JsonChunks> {
  const id = threadIdOf(threadId);
  if (!includeTurns) {
    const { thread } = await (typeof asOf === 'number' ? reader.openAsOf(id, asOf) : reader.summary(id));
    return wholeValue({ thread: bareThread(thread), readState: initialReadState(thread) });
  }
  const { thread, history, notYetIndexed } = await opened(reader, { threadId: id, asOf });
  if (history.historyMode === 'paginated') notify('deprecationNotice', fullReadDeprecation);
  return marked(threadChunks(thread, history.turnChunks?.() ?? elementsAsRead(turnObjects(history)), initialReadState(thread)), notYetIndexed);
}

/** Of a large thread the newest turns are read from the end of its file: its first page costs no more than that of a small one. */
async function listTurns(reader: ThreadReader, params: ParamsOf<'thread/turns/list'>): Promise<JsonChunks> {
  const id = threadIdOf(params.threadId);
  const tail = typeof params.asOf === 'number' ? undefined : await reader.openNewest(id, params);
  const page = tail && newestTurnsPage(tail.history, { ...params, older: tail.newest.older });
  if (page) return marked(pageChunks(page), await reader.source.notYetIndexed(id));
  return fromHistory(reader, { method: 'thread/turns/list', params }, async (history) => pageChunks(await turnsPage(history, params)));
}

/** Threads of the page that run are told of from now on. */
async function listPage(reader: ThreadReader, params: ParamsOf<'thread/list'>, { follow }: Caller): Promise<JsonChunks> {
  const rows = await reader.all({ byFile: isListedByFile(params) });
  const { data, ...rest } = listThreads(rows, params);
  const threads = reader.listed(data, rows);
  for (const { id, status } of threads) if (status.type !== 'notLoaded') follow(id);
  return wholeValue({ data: threads, ...rest });
}

/** An answer that an index will give sooner says so. */
function marked(chunks: JsonChunks, notYetIndexed: NotYetIndexed | undefined): JsonChunks {
  return notYetIndexed ? withMember(chunks, 'notYetIndexed', notYetIndexed) : chunks;
}

/** Which thread, and as of which fact. */
type Wanted = Pick<ParamsOf<'thread/read'>, 'threadId' | 'asOf'>;

function opened(reader: ThreadReader, { threadId, asOf }: Wanted): Promise<ThreadHistory> {
  return typeof asOf === 'number' ? reader.openAsOf(threadId, asOf) : reader.open(threadId);
}

/** `ask`: what the answer depends on beside the thread. */
async function fromHistory(reader: ThreadReader, ask: Pick<ReadingCall, 'method'> & { readonly params: Wanted }, answer: (history: HistoryReader) => Promise<JsonChunks>): Promise<JsonChunks> {
  const { threadId, asOf } = ask.params;
  const { history, notYetIndexed, stamp } = await opened(reader, { threadId: threadIdOf(threadId), asOf });
  // What is searched follows behind the rows.
  if (stamp === undefined || ask.method === 'thread/searchOccurrences') return marked(await answer(history), notYetIndexed);
  return reader.answers.given(JSON.stringify([stamp, ask.method, ask.params]), () => answer(history));
}

/** Answers one call. Refusals are `RpcError`s, or errors of the packages below. */
export async function answerCall(reader: ThreadReader, call: ReadingCall, caller: Caller): Promise<JsonChunks> {
  // Before it is read: nothing that happens meanwhile is missed.
  if ('threadId' in call.params) caller.follow(threadIdOf(call.params.threadId));
  const of = (params: Wanted, answer: Parameters<typeof fromHistory>[2]): Promise<JsonChunks> => fromHistory(reader, { method: call.method, params }, answer);
  switch (call.method) {
    case 'account/read': return wholeValue(accountReadAnswer);
    case 'thread/loaded/list': return wholeValue({ ...loadedListAnswer, data: reader.live?.loaded(await reader.all()) ?? [] });
    case 'thread/list': return listPage(reader, call.params, caller);
    case 'thread/search': return wholeValue(await searchThreads(reader, call.params));
    case 'thread/read': return readThread(reader, call.params, caller);
    case 'thread/turns/list': return listTurns(reader, call.params);
    case 'thread/items/list': return of(call.params, async (history) => pageChunks(await itemsPage(history, call.params)));
    case 'thread/items/read': return of(call.params, async (history) => wholeValue(await itemsRead(history, call.params)));
    case 'thread/timeline/list': return of(call.params, async (history) => wholeValue(await timelinePage(history, call.params)));
    case 'thread/searchOccurrences': return of(call.params, async (history) => wholeValue(await searchOccurrences(history, call.params)));
    default: return assertNever(call);
  }
}
