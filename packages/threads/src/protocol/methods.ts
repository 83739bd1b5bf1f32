import type { z } from 'zod';
import { accountReadParamsSchema, accountReadResponseSchema, initializeParamsSchema, initializeResponseSchema } from './schemas/handshake.js';
import { itemsListParamsSchema, itemsReadParamsSchema, searchOccurrencesParamsSchema, threadReadParamsSchema, timelineListParamsSchema, turnsListParamsSchema } from './schemas/history-params.js';
import { itemsListResponseSchema, itemsReadResponseSchema, searchOccurrencesResponseSchema, timelineListResponseSchema, turnsListResponseSchema } from './schemas/history-results.js';
import { loadedListParamsSchema, threadListParamsSchema, threadSearchParamsSchema } from './schemas/list-params.js';
import { loadedListResponseSchema, threadListResponseSchema, threadReadResponseSchema, threadSearchResponseSchema } from './schemas/list-results.js';
import { otherMethods } from './other-methods.js';
import { RpcError } from './wire/rpc-error.js';
import { type StructNames, serdeText, unknownVariant } from './wire/serde-text.js';

/** The contract of one method. `isExperimental`: only for clients that announced `experimentalApi`. */
export interface MethodContract {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  readonly isExperimental: boolean;
  readonly names: StructNames;
}

/** Parameters that the original does not have: its refusals do not count them. */
const additions: readonly string[] = ['asOf'];

function contract<P extends z.ZodObject, R extends z.ZodType>(params: P, result: R, names: Pick<StructNames, 'name'> & Partial<StructNames> & { readonly isExperimental?: true }): { readonly params: P; readonly result: R; readonly isExperimental: boolean; readonly names: StructNames } {
  const { isExperimental = false, ...given } = names;
  return { params, result, isExperimental, names: { fields: Object.keys(params.shape).filter((name) => !additions.includes(name)).length, firstRequired: 0, ...given } };
}

/** The methods that are served, each with its parameters and its result. The numbers of `thread/list` are the original's, which has fields that nobody sends. */
export const methods = {
  initialize: contract(initializeParamsSchema, initializeResponseSchema, { name: 'InitializeParams', inner: { clientInfo: 'ClientInfo', capabilities: 'InitializeCapabilities' } }),
  'account/read': contract(accountReadParamsSchema, accountReadResponseSchema, { name: 'GetAccountParams' }),
  'thread/list': contract(threadListParamsSchema, threadListResponseSchema, { name: 'ThreadListParams', fields: 20, firstRequired: 2, inner: { cwd: 'ThreadListCwdFilter' } }),
  'thread/loaded/list': contract(loadedListParamsSchema, loadedListResponseSchema, { name: 'ThreadLoadedListParams' }),
  'thread/read': contract(threadReadParamsSchema, threadReadResponseSchema, { name: 'ThreadReadParams' }),
  'thread/turns/list': contract(turnsListParamsSchema, turnsListResponseSchema, { name: 'ThreadTurnsListParams' }),
  'thread/items/list': contract(itemsListParamsSchema, itemsListResponseSchema, { name: 'ThreadItemsListParams', inner: { cursor: 'ThreadItemsListCursor', deferOutput: 'ThreadItemsDeferOutput' } }),
  'thread/items/read': contract(itemsReadParamsSchema, itemsReadResponseSchema, { name: 'ThreadItemsReadParams', isExperimental: true }),
  'thread/timeline/list': contract(timelineListParamsSchema, timelineListResponseSchema, { name: 'ThreadTimelineListParams', isExperimental: true }),
  'thread/search': contract(threadSearchParamsSchema, threadSearchResponseSchema, { name: 'ThreadSearchParams', isExperimental: true }),
  'thread/searchOccurrences': contract(searchOccurrencesParamsSchema, searchOccurrencesResponseSchema, { name: 'ThreadSearchOccurrencesParams', isExperimental: true }),
} as const satisfies Record<string, MethodContract>;

/** Name of a method that is served. */
export type RpcMethod = keyof typeof methods;
/** Parameters of a method as `readCall` gives them. */
export type ParamsOf<M extends RpcMethod> = z.infer<(typeof methods)[M]['params']>;

/** A call whose method is served and whose parameters fit. */
export type RpcCall = { readonly [M in RpcMethod]: { readonly method: M; readonly params: ParamsOf<M> } }[RpcMethod];

function isServed(method: string): method is RpcMethod {
  return Object.hasOwn(methods, method);
}

/** Methods of the original that only look at something: they are not served, but they are no writing either. */
const looks = /(?:\/(?:list|read|get|installed|search|status|info|readiness|readHistories|detect|discover|listVoices|readFile|getMetadata|readDirectory)|^get\w+|^gitDiffToRemote|^fuzzyFileSearch|checkGovCloudRequirements)$|^thread\/search\//;

/**
 * Reads a call; what the original would not accept is an `RpcError` in its words (`codex-history.md` §7.3). Methods of the original that are not served
 * are told apart: those that write or run, and the others.
 */
export function readCall(method: string, params: unknown): RpcCall {
  if (!isServed(method)) throw unservedMethod(method);
  if (params === undefined || params === null) throw new RpcError('invalidRequest', { about: 'missing field `params`' });
  const { params: schema, names } = methods[method];
  const read = schema.safeParse(params);
  if (!read.success) throw new RpcError('invalidRequest', { about: serdeText(read.error.issues, params, names) });
  return { method, params: read.data } as RpcCall;
}

function unservedMethod(method: string): RpcError {
  if (otherMethods.has(method)) return new RpcError(looks.test(method) ? 'notServed' : 'readOnly', { about: method });
  return new RpcError('invalidRequest', { about: unknownVariant(method, [...Object.keys(methods), ...otherMethods]) });
}
