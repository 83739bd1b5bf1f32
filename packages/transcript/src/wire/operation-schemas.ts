import { z } from 'zod';
import { attachmentSchema, interactionSchema, todoSchema, transcriptPromptSchema, transcriptTaskSchema } from './entity-schemas.js';
import { transcriptFrameSchema } from './frame-schemas.js';
import { idSchema } from './id-schemas.js';
import { transcriptItemSchema, transcriptMarkerSchema, transcriptTaskRefSchema } from './item-schemas.js';
import { transcriptMetaMergeSchema, transcriptMetaSchema } from './meta-schemas.js';
import { stepHeaderSchema, turnHeaderSchema } from './turn-schemas.js';

/** A whole transcript. Lists that older peers do not send are empty. */
export const agentTranscriptSnapshotSchema = z.object({
  items: z.array(transcriptItemSchema), tasks: z.array(transcriptTaskSchema), interactions: z.array(interactionSchema).default([]), attachments: z.array(attachmentSchema).default([]),
  todos: z.array(todoSchema).default([]), prompts: z.array(transcriptPromptSchema).default([]), meta: transcriptMetaSchema, hasMoreOlder: z.boolean().optional(),
});

export const appendTargetSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('frame'), turnId: idSchema, stepId: idSchema, frameId: idSchema }), z.object({ type: z.literal('task'), taskId: idSchema }),
]);

/** One change of a transcript, see `TranscriptOperation`. */
export const transcriptOperationSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('reset'), agentId: idSchema, snapshot: agentTranscriptSnapshotSchema }),
  z.object({ op: z.literal('turn.upsert'), turn: turnHeaderSchema }),
  z.object({ op: z.literal('step.upsert'), turnId: idSchema, step: stepHeaderSchema }),
  z.object({ op: z.literal('frame.upsert'), turnId: idSchema, stepId: idSchema, frame: transcriptFrameSchema }),
  z.object({ op: z.literal('append'), target: appendTargetSchema, offset: z.int().nonnegative(), text: z.string() }),
  z.object({ op: z.literal('marker.upsert'), item: transcriptMarkerSchema, beforeTurn: z.int().optional() }),
  z.object({ op: z.literal('taskref.upsert'), item: transcriptTaskRefSchema, beforeTurn: z.int().optional() }),
  z.object({ op: z.literal('task.upsert'), task: transcriptTaskSchema }),
  z.object({ op: z.literal('interaction.upsert'), interaction: interactionSchema }),
  z.object({ op: z.literal('attachment.upsert'), attachment: attachmentSchema }),
  z.object({ op: z.literal('todo.upsert'), todo: todoSchema }),
  z.object({ op: z.literal('prompt.upsert'), prompt: transcriptPromptSchema }),
  z.object({ op: z.literal('meta.merge'), meta: transcriptMetaMergeSchema }),
  z.object({ op: z.literal('items.remove'), ids: z.array(idSchema), interactionIds: z.array(idSchema).optional() }),
]);
export const transcriptOpBatchSchema = z.object({ agentId: idSchema, ops: z.array(transcriptOperationSchema) });
