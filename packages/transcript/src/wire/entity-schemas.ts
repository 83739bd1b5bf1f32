import { z } from 'zod';
import { idSchema } from './id-schemas.js';
import { stepUsageSchema } from './turn-schemas.js';

export const transcriptTaskSchema = z.object({
  taskId: idSchema, kind: z.enum(['shell', 'subagent', 'tool', 'other']), state: z.enum(['running', 'completed', 'failed', 'timed_out', 'killed', 'lost']), detached: z.boolean(),
  description: z.string().optional(), agentId: idSchema.optional(), outputTail: z.string(), startedAt: z.string().optional(), endedAt: z.string().optional(), resultSummary: z.string().optional(),
  error: z.string().optional(), stateReason: z.string().optional(), usage: stepUsageSchema.optional(), model: z.string().optional(), thinkingEffort: z.string().optional(),
});
export const interactionSchema = z.object({
  interactionId: idSchema, interactionKind: z.enum(['approval', 'question']), toolCallId: idSchema.optional(),
  state: z.enum(['pending', 'approved', 'rejected', 'cancelled', 'answered', 'dismissed']), request: z.unknown().optional(), response: z.unknown().optional(),
});
const attachmentSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('url'), url: z.string() }), z.object({ kind: z.literal('file'), fileId: idSchema }), z.object({ kind: z.literal('session_media'), fileId: idSchema }),
]);
export const attachmentSchema = z.object({
  attachmentId: idSchema, mediaType: z.string(), name: z.string().optional(), size: z.number().optional(), source: attachmentSourceSchema.optional(), placeholder: z.string().optional(),
});
export const todoItemSchema = z.object({ title: z.string(), status: z.enum(['pending', 'in_progress', 'done']) });
export const todoSchema = z.object({ todoId: idSchema, items: z.array(todoItemSchema), updatedAt: z.string().optional() });
export const transcriptPromptSchema = z.object({
  promptId: idSchema, status: z.enum(['running', 'queued', 'blocked', 'completed', 'failed', 'aborted']), userMessageId: idSchema.optional(), content: z.unknown().optional(), createdAt: z.string(),
  finishedAt: z.string().optional(), steeredAt: z.string().optional(), clientMetadata: z.array(z.record(z.string(), z.unknown())).optional(),
});
export const agentDescriptorSchema = z.object({
  agentId: idSchema, type: z.enum(['main', 'sub', 'independent']).optional(), parentAgentId: idSchema.optional(), label: z.string().optional(), createdAt: z.string().optional(),
  disposedAt: z.string().optional(),
});
