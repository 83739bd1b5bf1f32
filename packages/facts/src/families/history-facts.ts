import { z } from 'zod';
import { envelopeSchema, recordPathSchema } from '../envelope.js';
import { jsonValueSchema } from '../json.js';
import { factKeySchema, tapeIdSchema } from '../keys.js';
import { modelItemSchema } from '../model-item.js';

/** Facts of a tape from `from` to before `to` (ordinals). */
export const ordinalRangeSchema = z.object({ tape: tapeIdSchema, from: z.number().int().nonnegative(), to: z.number().int().nonnegative() });
export type OrdinalRange = z.infer<typeof ordinalRangeSchema>;

/**
 * What a person no longer sees and what the model no longer reads, resolved by the player: folds never count. The two differ, and neither is always a
 * suffix. A turn takes along all that is or will be in it, a step its items; `items`, `steps` and `inputs` are named by the key of their first fact.
 * `facts`: ranges in which facts of other families (todo, goal, plan, mode, task, notice, interaction, ends of turns and steps, marks of compactions)
 * no longer count for a person; usage, prompts and media always do. In a `context` range only facts of the model's history count, and a superseded
 * compaction or clearing never happened.
 */
const scope = {
  turns: z.array(factKeySchema), steps: z.array(factKeySchema).optional(), items: z.array(factKeySchema).optional(), inputs: z.array(factKeySchema).optional(),
  facts: z.array(ordinalRangeSchema).optional(), context: z.array(ordinalRangeSchema),
};
const superseded = envelopeSchema.extend({ type: z.literal('history.superseded'), reason: z.enum(['rollback', 'undo', 'revert', 'branch', 'rewind', 'clear', 'retracted', 'replaced']), ...scope });
const restored = envelopeSchema.extend({ type: z.literal('history.restored'), reason: z.enum(['branch', 'redo', 'adopted']), ...scope });

/**
 * The model's history grew by one entry, at its end or right `after` another one. `shows`: the item or input (key) that says the same to a person, where
 * that stands earlier on the tape.
 */
const contextAppended = envelopeSchema.extend({ type: z.literal('context.appended'), item: modelItemSchema, shows: factKeySchema.optional(), after: factKeySchema.optional() });
/** Entries of the present history that a compaction leaves as they are. */
const keptSchema = z.object({ kind: z.literal('kept'), entries: ordinalRangeSchema });
/**
 * The model's history was replaced by a shorter one: new entries and kept ones, in order. `replacementAt` instead: the list stands in the line, at this
 * path of its record, and is read from there (it was over 32 KiB).
 */
const contextCompacted = envelopeSchema.extend({
  type: z.literal('context.compacted'), summary: z.string(), replacement: z.array(z.union([modelItemSchema, keptSchema])).optional(),
  replacementAt: z.object({ record: z.number().int().nonnegative(), path: recordPathSchema, count: z.number().int().nonnegative() }).optional(),
  trigger: z.enum(['manual', 'auto']).optional(), tokensBefore: z.number().optional(), tokensAfter: z.number().optional(), payload: jsonValueSchema.optional(),
});
const contextCleared = envelopeSchema.extend({ type: z.literal('context.cleared') });
/** What the next request will be made with: model, policies, working folder, as the agent wrote it. */
const contextConfigured = envelopeSchema.extend({
  type: z.literal('context.configured'), cwd: z.string().optional(), model: z.string().optional(), effort: z.string().optional(), approvalPolicy: jsonValueSchema.optional(),
  sandboxPolicy: jsonValueSchema.optional(), instructions: z.string().optional(), native: jsonValueSchema.optional(),
});

/** What an agent wrote of a spoken session. Captions on the wire are not facts. */
const realtimeRecorded = envelopeSchema.extend({
  type: z.literal('realtime.recorded'), id: z.string(), sessionId: z.string().optional(), kind: z.string(), role: z.string().optional(), text: z.string().optional(), observedAtMs: z.number().optional(), raw: jsonValueSchema,
});

/** Families `history.*`, `context.*` and `realtime.*`. */
export const historyFactSchemas = [superseded, restored, contextAppended, contextCompacted, contextCleared, contextConfigured, realtimeRecorded] as const;
