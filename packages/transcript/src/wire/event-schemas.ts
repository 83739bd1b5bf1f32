import { z } from 'zod';
import { idSchema } from './id-schemas.js';
import { agentTranscriptSnapshotSchema, transcriptOperationSchema } from './operation-schemas.js';
import { numbered } from './seq-schemas.js';

/** The frames that carry transcripts; both are made anew for each reader and never kept. */
export const TRANSCRIPT_EVENT_TYPES = ['transcript.reset', 'transcript.ops'] as const;

/** A baseline. `seq`: it includes every batch up to it. */
export const transcriptResetPayloadSchema = z.object({ agent_id: idSchema, snapshot: agentTranscriptSnapshotSchema, has_more_older: z.boolean(), ...numbered });
/** One batch, as far as the reader's grade goes. */
export const transcriptOpsPayloadSchema = z.object({ agent_id: idSchema, ops: z.array(transcriptOperationSchema), ...numbered });

export const transcriptResetEventSchema = transcriptResetPayloadSchema.extend({ type: z.literal('transcript.reset') });
export const transcriptOpsEventSchema = transcriptOpsPayloadSchema.extend({ type: z.literal('transcript.ops') });
export const transcriptEventSchema = z.discriminatedUnion('type', [transcriptResetEventSchema, transcriptOpsEventSchema]);

export type TranscriptResetEvent = z.infer<typeof transcriptResetEventSchema>;
export type TranscriptOpsEvent = z.infer<typeof transcriptOpsEventSchema>;
export type TranscriptEvent = z.infer<typeof transcriptEventSchema>;
export type TranscriptEventType = TranscriptEvent['type'];
