import { z } from 'zod';
import { anyJsonSchema } from '../../json.js';

const clientInfo = z.object({ name: z.string(), title: z.string().nullish(), version: z.string() });
const capabilities = z.looseObject({ experimentalApi: z.boolean().optional(), optOutNotificationMethods: z.array(z.string()).nullish() });

/** `initialize`: who asks, and what it takes. Other capabilities are read over. */
export const initializeParamsSchema = z.object({ clientInfo, capabilities: capabilities.nullish() });
export type InitializeParams = z.infer<typeof initializeParamsSchema>;

/** Who answers. `codexHome`: the home that is read. */
export const initializeResponseSchema = z.object({ userAgent: z.string(), codexHome: z.string(), platformFamily: z.string(), platformOs: z.string() });
export type InitializeResponse = z.infer<typeof initializeResponseSchema>;

/** `account/read`: a harmless question that the original's own client asks first. */
export const accountReadParamsSchema = z.object({ refreshToken: z.boolean().optional() });
/** All null or false: see `accountReadAnswer`. */
export const accountReadResponseSchema = z.object({ account: z.null(), userId: z.null(), requiresOpenaiAuth: z.literal(false), workspaceRouting: z.null() });
export type AccountReadResponse = z.infer<typeof accountReadResponseSchema>;

/** Nobody is signed in, and nobody has to be. */
export const accountReadAnswer: AccountReadResponse = { account: null, userId: null, requiresOpenaiAuth: false, workspaceRouting: null };

/** Tells a client that it does something an old way. */
export const deprecationNoticeSchema = z.object({
  method: z.literal('deprecationNotice'), params: z.object({ summary: z.string(), details: z.string().nullable() }), emittedAtMs: z.number(),
});
export type DeprecationNotice = z.infer<typeof deprecationNoticeSchema>;

/** What a read of a paginated thread with all turns is told. */
export const fullReadDeprecation: DeprecationNotice['params'] = {
  summary: 'Full-history hydration is deprecated for paginated threads; omit `includeTurns` or set it to `false`, then page with `thread/turns/list` and `thread/items/list`.', details: null,
};

const requestId = z.union([z.string(), z.int()]);
/** A call: JSON-RPC 2.0 without the member `jsonrpc`. */
export const rpcRequestSchema = z.object({ id: requestId, method: z.string(), params: anyJsonSchema.optional() });
/** Id of a call, given back as it came. */
export type RpcRequestId = z.infer<typeof requestId>;
