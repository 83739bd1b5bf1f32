import { z } from 'zod';
import { idSchema } from './id-schemas.js';

const clientMetadata = z.array(z.record(z.string(), z.unknown())).optional();

export const transcriptSkillActivationSchema = z.object({ skillName: z.string(), skillArgs: z.string().optional() });
export const transcriptUserOriginSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), clientMetadata, skillActivations: z.array(transcriptSkillActivationSchema).optional() }),
  z.object({ kind: z.literal('skill_activation'), trigger: z.literal('user-slash'), skillName: z.string().min(1), skillArgs: z.string().optional(), clientMetadata }),
]);

const textParts = z.object({
  kind: z.literal('text'), frameId: idSchema, text: z.string(), attachmentIds: z.array(idSchema).optional(), taskId: idSchema.optional(), promptIds: z.array(idSchema).optional(),
});
/** A text block; only a person's input has an origin. */
export const textFrameSchema = z.discriminatedUnion('role', [
  textParts.extend({ role: z.literal('assistant'), origin: z.undefined().optional() }),
  textParts.extend({ role: z.literal('user'), origin: transcriptUserOriginSchema.optional() }),
]);
export const thinkingFrameSchema = z.object({ kind: z.literal('thinking'), frameId: idSchema, text: z.string() });

export const agentRefSchema = z.object({ agentId: idSchema, role: z.enum(['child', 'member']).optional() });
export const toolFrameProgressSchema = z.object({
  kind: z.enum(['stdout', 'stderr', 'progress', 'status', 'custom']), text: z.string().optional(), percent: z.number().optional(), customKind: z.string().optional(), customData: z.unknown().optional(),
});
export const toolCallFrameSchema = z.object({
  kind: z.literal('tool'), frameId: idSchema, toolCallId: idSchema, name: z.string(), view: z.string().optional(), state: z.enum(['running', 'done', 'error']), input: z.unknown().optional(),
  output: z.unknown().optional(), display: z.unknown().optional(), error: z.string().optional(), outcome: z.enum(['unknown', 'declined', 'interrupted', 'timedOut', 'cancelled']).optional(), inputText: z.string().optional(), progress: toolFrameProgressSchema.optional(),
  taskId: idSchema.optional(), approvalId: idSchema.optional(), todoId: idSchema.optional(), agentRefs: z.array(agentRefSchema).optional(),
});
export const noticeFrameSchema = z.object({
  kind: z.literal('notice'), frameId: idSchema, level: z.enum(['error', 'warning', 'info']), source: z.string().optional(), message: z.string(), detail: z.unknown().optional(),
});
export const transcriptFrameSchema = z.discriminatedUnion('kind', [textFrameSchema, thinkingFrameSchema, toolCallFrameSchema, noticeFrameSchema]);
