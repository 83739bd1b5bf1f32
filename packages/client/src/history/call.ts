import { type ThreadItemEntry, RPC_CODE } from '@tapefold/threads';
import type { HistoryPage } from '@tapefold/reading';
import { z } from 'zod';

/** An error that the server answered with. `code` as JSON-RPC's; `message` is the server's. */
export class RpcCallError extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
    this.name = 'RpcCallError';
  }
}

/** One call of the read protocol: gives the result, rejects with an `RpcCallError` where the server refused and with another error where the connection failed. */
export type RpcCaller = (method: string, params: object) => Promise<unknown>;

/** How a call ended. `unsupported`: the server cannot page this thread, which says nothing about its history. */
export type Answer<T> = { readonly kind: 'answer'; readonly value: T } | { readonly kind: 'unsupported' } | { readonly kind: 'failure'; readonly reason: string };

const pageShape = z.object({ data: z.array(z.unknown()), nextCursor: z.string().nullable() });
const entryShape = z.looseObject({ turnId: z.string(), item: z.looseObject({ id: z.string(), type: z.string() }) });
const turnShape = z.looseObject({ id: z.string() });

const isEntry = (value: unknown): value is ThreadItemEntry => entryShape.safeParse(value).success;
/** A turn as `thread/turns/list` gives it, as far as a plan needs it. */
export interface ListedTurn { readonly id: string; readonly [field: string]: unknown }
const isTurn = (value: unknown): value is ListedTurn => turnShape.safeParse(value).success;

async function answered<T>(run: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: 'answer', value: await run() };
  } catch (error) {
    if (error instanceof RpcCallError && error.code === RPC_CODE.unsupported) return { kind: 'unsupported' };
    return { kind: 'failure', reason: error instanceof Error ? error.message : String(error) };
  }
}

function pageOf<E>(method: string, isOne: (value: unknown) => value is E, value: unknown): HistoryPage<E> {
  const page = pageShape.safeParse(value);
  if (!page.success) throw new Error(`the answer to ${method} is no page: ${page.error.issues[0]?.path.join('.') ?? ''}`);
  const wrong = page.data.data.findIndex((each) => !isOne(each));
  if (wrong >= 0) throw new Error(`the answer to ${method} has an entry that is not as agreed: data.${wrong}`);
  return { data: page.data.data.filter(isOne), nextCursor: page.data.nextCursor };
}

/** What of a thread is asked for: newest first, from a cursor on (null: from the newest). */
export interface PageQuery { readonly threadId: string; readonly cursor: string | null; readonly limit: number }

/** One page of items. Items of kinds that this version does not know come as they are. Never rejects. */
export const listItems = (call: RpcCaller, { threadId, cursor, limit }: PageQuery): Promise<Answer<HistoryPage<ThreadItemEntry>>> =>
  answered(async () => pageOf('thread/items/list', isEntry, await call('thread/items/list', { threadId, limit, ...(cursor === null ? {} : { cursor }) })));

/** One page of turns without their items. Never rejects. */
export const listTurns = (call: RpcCaller, { threadId, cursor, limit }: PageQuery): Promise<Answer<HistoryPage<ListedTurn>>> =>
  answered(async () => pageOf('thread/turns/list', isTurn, await call('thread/turns/list', { threadId, limit, itemsView: 'notLoaded', ...(cursor === null ? {} : { cursor }) })));
