import { z } from 'zod';
import { agentDescriptorSchema, attachmentSchema, interactionSchema, todoSchema, transcriptPromptSchema, transcriptTaskSchema } from './entity-schemas.js';
import { idSchema } from './id-schemas.js';
import { transcriptItemSchema } from './item-schemas.js';
import { transcriptMetaSchema } from './meta-schemas.js';
import { transcriptOperationSchema } from './operation-schemas.js';
import { numbered, transcriptEpochSchema, transcriptSeqSchema } from './seq-schemas.js';
import { turnOriginSchema, turnStateSchema } from './turn-schemas.js';

/** A page of turns; entities and meta are always whole. Older peers send no `prompts`. */
export const transcriptResponseSchema = z.object({
  agent_id: idSchema, items: z.array(transcriptItemSchema), has_more: z.boolean(), tasks: z.array(transcriptTaskSchema), interactions: z.array(interactionSchema), attachments: z.array(attachmentSchema),
  todos: z.array(todoSchema), prompts: z.array(transcriptPromptSchema).default([]), meta: transcriptMetaSchema, agents: z.array(agentDescriptorSchema), pending_interactions: z.array(idSchema),
  ...numbered,
});

/** The batches behind a cursor, oldest first. `complete: false`: not all of them are held any more; load everything. */
export const transcriptOpsCatchupResponseSchema = z.object({
  agent_id: idSchema, batches: z.array(z.object({ seq: transcriptSeqSchema, ops: z.array(transcriptOperationSchema) })), latest_seq: transcriptSeqSchema, complete: z.boolean(),
  epoch: transcriptEpochSchema.optional(),
});

/** What a person said, by turn. Empty: only attachments. */
export const transcriptUserMessageSchema = z.object({
  turn_id: idSchema, ordinal: z.int(), state: turnStateSchema, origin: turnOriginSchema, prompt: z.string(), attachment_ids: z.array(idSchema).optional(), started_at: z.string().optional(),
});
export const transcriptUserMessagesResponseSchema = z.object({
  agents: z.array(z.object({ agent_id: idSchema, messages: z.array(transcriptUserMessageSchema), attachments: z.array(attachmentSchema) })),
});

/** What a person decided about a plan. */
export const transcriptPlanReviewSchema = z.object({
  state: z.enum(['pending', 'approved', 'rejected', 'cancelled']), selected_option: z.string().optional(), feedback: z.string().optional(),
});
/** A plan that was put before a person. `source`: where its text was found. */
export const transcriptPlanEntrySchema = z.object({
  tool_call_id: idSchema, turn_id: idSchema, source: z.enum(['interaction', 'display', 'output']), plan: z.string(), path: z.string().optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(), review: transcriptPlanReviewSchema.optional(),
});
export const transcriptPlanResponseSchema = z.object({ agent_id: idSchema, plans: z.array(transcriptPlanEntrySchema) });

export type TranscriptResponse = z.infer<typeof transcriptResponseSchema>;
export type TranscriptOpsCatchupResponse = z.infer<typeof transcriptOpsCatchupResponseSchema>;
export type TranscriptUserMessage = z.infer<typeof transcriptUserMessageSchema>;
export type TranscriptUserMessagesResponse = z.infer<typeof transcriptUserMessagesResponseSchema>;
export type TranscriptPlanReview = z.infer<typeof transcriptPlanReviewSchema>;
export type TranscriptPlanEntry = z.infer<typeof transcriptPlanEntrySchema>;
export type TranscriptPlanResponse = z.infer<typeof transcriptPlanResponseSchema>;
