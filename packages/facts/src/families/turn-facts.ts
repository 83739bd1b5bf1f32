import { z } from 'zod';
import { envelopeSchema } from '../envelope.js';
import { jsonValueSchema } from '../json.js';
import { factKeySchema } from '../keys.js';

/** Why a turn failed: the message, and the agent's own machine-readable kind with its details. */
export const turnErrorSchema = z.object({ message: z.string(), kind: z.string().optional(), details: jsonValueSchema.optional(), code: jsonValueSchema.optional(), misalignment: jsonValueSchema.optional() });
export type TurnError = z.infer<typeof turnErrorSchema>;

/** How a turn ended, or (`settlesAs`) what it counts as where no record ends it. */
export const turnStatusSchema = z.enum(['completed', 'interrupted', 'failed']);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

/** Who or what opened a turn, or sent an input into one. `payload` is the agent's own description. */
export const originSchema = z.object({
  kind: z.enum(['user', 'cron', 'task', 'hook', 'shell', 'command', 'agent', 'compaction', 'side', 'other']),
  taskId: z.string().optional(), payload: jsonValueSchema.optional(),
});
export type Origin = z.infer<typeof originSchema>;

/** Token counts of one response or a sum of several; absent where no record says. `inputTokens` is the whole input, cached and cache-written tokens included. */
export const usageSchema = z.object({
  inputTokens: z.number().optional(), cachedInputTokens: z.number().optional(), cacheWriteTokens: z.number().optional(), outputTokens: z.number().optional(),
  reasoningTokens: z.number().optional(), totalTokens: z.number().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

const started = envelopeSchema.extend({
  type: z.literal('turn.started'), id: z.string(), rootTurnId: z.string().optional(), origin: originSchema.optional(), settlesAs: turnStatusSchema.optional(),
  /** Unix seconds, as Codex records them; other dialects leave it to `at`. */
  startedAt: z.number().optional(),
  /** No record opened it: its first message did, and nothing will end it. */
  isImplicit: z.boolean(),
  /** A turn of this id in an earlier segment of the thread is an older copy of this one. */
  replacesOlder: z.boolean(),
});
/** What a turn counts as when nothing ends it and nothing runs: the newest word wins, absent is interrupted. Ignored once the turn ended. */
const changed = envelopeSchema.extend({ type: z.literal('turn.changed'), turn: factKeySchema, settlesAs: turnStatusSchema.optional(), error: turnErrorSchema.optional() });
/**
 * `turnId` instead of `turn`: the turn began in an earlier segment of the thread. `startedAt` and `rootTurnId` replace what the start said; null: the
 * program that wrote the record shows none once the turn has ended.
 */
const ended = envelopeSchema.extend({
  type: z.literal('turn.ended'), turnId: z.string().optional(), status: turnStatusSchema, reason: z.string().optional(), error: turnErrorSchema.optional(),
  startedAt: z.number().nullable().optional(), rootTurnId: z.string().nullable().optional(), completedAt: z.number().optional(), durationMs: z.number().optional(), timeToFirstTokenMs: z.number().optional(),
});
const replaced = envelopeSchema.extend({ type: z.literal('turn.replaced'), turn: factKeySchema, by: factKeySchema });

const stepStarted = envelopeSchema.extend({ type: z.literal('step.started'), turn: factKeySchema, id: z.string().optional(), model: z.string().optional() });
const stepEnded = envelopeSchema.extend({
  type: z.literal('step.ended'), step: factKeySchema, status: z.enum(['completed', 'interrupted', 'failed']), finishReason: z.string().optional(), reason: z.string().optional(),
  message: z.string().optional(), timing: z.record(z.string(), z.number()).optional(),
  usage: usageSchema.optional(), firstTokenMs: z.number().optional(), streamMs: z.number().optional(),
});

/** A model call failed and is made again; what the failed attempt showed goes by `history.superseded`. */
const stepRetried = envelopeSchema.extend({
  type: z.literal('step.retried'), step: factKeySchema, failedAttempt: z.number().optional(), maxAttempts: z.number().optional(), delayMs: z.number().optional(), errorName: z.string().optional(),
  message: z.string().optional(), statusCode: z.number().optional(),
});

/** Families `turn.*` and `step.*`. */
export const turnFactSchemas = [started, changed, ended, replaced, stepStarted, stepEnded, stepRetried] as const;
