import { z } from 'zod';
import { TURN_PAGE_SIZE } from '../paging/paginate-turns.js';
import { agentIdSchema, idSchema } from './id-schemas.js';
import { transcriptEpochSchema, transcriptSeqSchema } from './seq-schemas.js';

export const transcriptGradeSchema = z.enum(['off', 'turn', 'block', 'delta']);
/** Grades by agent; `*` for those that are not named. */
export const transcriptGradeSpecSchema = z.record(z.string(), transcriptGradeSchema);

/** `subscribe_v2`: which grades of a session's agents, and from which batch on (by agent, or `*`). */
export const transcriptSubscribeV2PayloadSchema = z.object({
  session_id: idSchema, transcript: transcriptGradeSpecSchema, transcript_since: z.record(z.string(), transcriptSeqSchema).optional(), transcript_epoch: transcriptEpochSchema.optional(),
});
/** `unsubscribe_v2`: these agents, or all. */
export const transcriptUnsubscribeV2PayloadSchema = z.object({ session_id: idSchema, agent_ids: z.array(idSchema).min(1).optional() });

/** What a page of turns is asked for with; both cursors at once are an error. Numbers may come as text. */
export const transcriptQuerySchema = z.object({
  agent_id: agentIdSchema, before_turn: idSchema.optional(), after_turn: idSchema.optional(), page_size: z.coerce.number().int().min(1).max(TURN_PAGE_SIZE.max).default(TURN_PAGE_SIZE.default),
}).refine(({ before_turn, after_turn }) => before_turn === undefined || after_turn === undefined, { message: 'before_turn and after_turn are mutually exclusive', path: ['before_turn'] });

/** What the batches behind a cursor are asked for with. */
export const transcriptOpsQuerySchema = z.object({ agent_id: agentIdSchema, since_seq: z.coerce.number().int().nonnegative(), epoch: transcriptEpochSchema.optional() });

export type TranscriptSubscribeV2Payload = z.infer<typeof transcriptSubscribeV2PayloadSchema>;
export type TranscriptUnsubscribeV2Payload = z.infer<typeof transcriptUnsubscribeV2PayloadSchema>;
export type TranscriptQuery = z.infer<typeof transcriptQuerySchema>;
export type TranscriptOpsQuery = z.infer<typeof transcriptOpsQuerySchema>;
