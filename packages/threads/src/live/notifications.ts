import { z } from 'zod';
import { threadItemSchema } from '../objects/thread-item.js';
import { threadSchema, threadStatusSchema } from '../objects/thread.js';
import { turnErrorObjectSchema, turnSchema } from '../objects/turn.js';

const thread = { threadId: z.string() };
const turn = { ...thread, turnId: z.string() };
const item = { ...turn, itemId: z.string() };
const tokens = z.object({ totalTokens: z.number(), inputTokens: z.number(), cachedInputTokens: z.number(), cacheWriteInputTokens: z.number(), outputTokens: z.number(), reasoningOutputTokens: z.number() });
export type TokenCounts = z.infer<typeof tokens>;

/**
 * What a server tells of threads that run, by method, as Codex's app-server does (`codex-history.md` §7.5). Deltas carry no offset: a client appends them, so one that missed
 * some is sent no more of that item until `item/completed` says the whole.
 */
export const threadNotifications = {
  'thread/started': z.object({ thread: threadSchema }),
  'thread/status/changed': z.object({ ...thread, status: threadStatusSchema }),
  /** The history is not what it was (taken back, or more happened than could be told): read it anew. */
  'thread/reverted': z.object(thread),
  'thread/tokenUsage/updated': z.object({ ...turn, tokenUsage: z.object({ total: tokens, last: tokens, modelContextWindow: z.number().nullable() }) }),
  'thread/realtime/transcript/delta': z.object({ ...thread, role: z.string(), delta: z.string() }),
  'thread/realtime/transcript/done': z.object({ ...thread, role: z.string(), text: z.string() }),
  'turn/started': z.object({ ...thread, turn: turnSchema }),
  /** Its items are the final answer alone. */
  'turn/completed': z.object({ ...thread, turn: turnSchema }),
  'turn/plan/updated': z.object({ ...turn, explanation: z.string().nullable(), plan: z.array(z.object({ step: z.string(), status: z.enum(['pending', 'inProgress', 'completed']) })) }),
  error: z.object({ error: turnErrorObjectSchema, willRetry: z.boolean(), ...turn }),
  'item/started': z.object({ item: threadItemSchema, ...turn, startedAtMs: z.number() }),
  'item/completed': z.object({ item: threadItemSchema, ...turn, contentTokenCount: z.number().nullable(), completedAtMs: z.number() }),
  'item/agentMessage/delta': z.object({ ...item, delta: z.string() }),
  'item/reasoning/summaryPartAdded': z.object({ ...item, summaryIndex: z.number() }),
  'item/reasoning/summaryTextDelta': z.object({ ...item, delta: z.string(), summaryIndex: z.number() }),
  'item/reasoning/textDelta': z.object({ ...item, delta: z.string(), contentIndex: z.number() }),
  'item/commandExecution/outputDelta': z.object({ ...item, delta: z.string() }),
} as const satisfies Record<string, z.ZodObject>;

/** Name of a notification. */
export type NotificationMethod = keyof typeof threadNotifications;
/** A notification before it is sent; on the wire `emittedAtMs` stands beside. `isStart`: the first delta of its item, so that a client that knows the item can begin with it; not on the wire. */
export type ThreadNotification = { readonly [M in NotificationMethod]: { readonly method: M; readonly params: Readonly<z.infer<(typeof threadNotifications)[M]>>; readonly isStart?: true } }[NotificationMethod];
