import { z } from 'zod';
import { idSchema } from './id-schemas.js';
import { transcriptFrameSchema } from './frame-schemas.js';

export const turnStateSchema = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']);
export const stepStateSchema = z.enum(['running', 'completed', 'interrupted', 'failed']);

export const turnOriginSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['user', 'hook', 'compaction', 'side', 'other']), payload: z.unknown().optional() }),
  z.object({ kind: z.literal('cron'), taskId: idSchema.optional(), payload: z.unknown().optional() }),
  z.object({ kind: z.literal('task'), taskId: idSchema, payload: z.unknown().optional() }),
]);

const count = z.number().optional();
export const transcriptUsageSchema = z.object({ inputTokens: count, outputTokens: count, cachedTokens: count, cost: count });
export const stepUsageSchema = z.object({ inputOther: z.number(), output: z.number(), inputCacheRead: z.number(), inputCacheCreation: z.number() });
export const stepTimingSchema = z.object({
  llmFirstTokenLatencyMs: count, llmStreamDurationMs: count, llmRequestBuildMs: count, llmServerFirstTokenMs: count, llmServerDecodeMs: count, llmClientConsumeMs: count, llmClientBlockedMs: count,
});
export const stepRetrySchema = z.object({
  failedAttempt: z.number(), nextAttempt: z.number(), maxAttempts: z.number(), delayMs: z.number(), errorName: z.string(), errorMessage: z.string(), statusCode: z.number().optional(),
});

const stepParts = z.object({
  kind: z.literal('step'), stepId: idSchema, turnId: idSchema, ordinal: z.int(), state: stepStateSchema, startedAt: z.string().optional(), endedAt: z.string().optional(), usage: stepUsageSchema.optional(),
  finishReason: z.string().optional(), llmTiming: stepTimingSchema.optional(), retry: stepRetrySchema.optional(), endReason: z.string().optional(), endMessage: z.string().optional(),
  /** What peers before 2.1 call `llmTiming`; read, never written. */
  timing: stepTimingSchema.optional(),
});

/** Gives an older peer's step the newer name of its timing. */
function withNewerTiming<Step extends { timing?: z.infer<typeof stepTimingSchema> | undefined; llmTiming?: z.infer<typeof stepTimingSchema> | undefined }>({ timing, ...step }: Step) {
  return timing === undefined || step.llmTiming !== undefined ? step : { ...step, llmTiming: timing };
}

/** A step without frames. Reads the older `timing`, answers `llmTiming`. */
export const stepHeaderSchema = stepParts.transform(withNewerTiming);
/** A step. Reads the older `timing`, answers `llmTiming`. */
export const transcriptStepSchema = stepParts.extend({ frames: z.array(transcriptFrameSchema) }).transform(withNewerTiming);

export const turnHeaderSchema = z.object({
  kind: z.literal('turn'), turnId: idSchema, ordinal: z.int(), triggerPromptId: idSchema.optional(), state: turnStateSchema, origin: turnOriginSchema, prompt: z.string().optional(),
  attachmentIds: z.array(idSchema).optional(), startedAt: z.string().optional(), endedAt: z.string().optional(), usage: transcriptUsageSchema.optional(), durationMs: z.number().optional(),
  error: z.string().optional(),
});
export const transcriptTurnSchema = turnHeaderSchema.extend({ steps: z.array(transcriptStepSchema) });
