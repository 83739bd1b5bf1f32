import { z } from 'zod';
import { contentPartSchema } from '../content.js';
import { envelopeSchema, visibilitySchema } from '../envelope.js';
import { itemBodySchema, itemStatusSchema } from '../item-body.js';
import { jsonValueSchema } from '../json.js';
import { factKeySchema } from '../keys.js';
import { originSchema } from './turn-facts.js';

/**
 * An input is received once and placed at least once; placed anew, the newest placing counts. Where it opens a turn, `turn.started` comes first. An input
 * that is never placed opens a turn of its own when it is settled. `deferred` is not in any turn yet; `otherwise` is what
 * `settle` makes of it when nothing more comes. `dropped` never reached the agent. `twin` says that another input is the same words written a second time; this one makes no item.
 */
const inputReceived = envelopeSchema.extend({
  type: z.literal('input.received'), id: z.string(),
  /** See `item.*`. */
  turnId: z.string().optional(), clientId: z.string().optional(), content: z.array(contentPartSchema), visibility: visibilitySchema,
  origin: originSchema.optional(), promptIds: z.array(z.string()).optional(),
  /** See `item.*`: an added input moves no id of the original's. */
  isAdded: z.boolean(), startedAtMs: z.number().optional(), completedAtMs: z.number().optional(), context: factKeySchema.optional(),
});
const inputPlaced = envelopeSchema.extend({
  type: z.literal('input.placed'), input: factKeySchema, as: z.enum(['opens', 'steers', 'notifies', 'deferred', 'dropped', 'twin']),
  otherwise: z.enum(['opens', 'steers', 'notifies', 'dropped']).optional(), after: factKeySchema.optional(),
});

/** The tool behind a body that was mapped to a neutral kind: what the model called and what came back, where the body does not hold the same. */
const toolUseSchema = z.object({
  name: z.string(), namespace: z.string().optional(), input: jsonValueSchema.optional(), inputText: z.string().optional(), output: jsonValueSchema.optional(), error: z.string().optional(),
  display: jsonValueSchema.optional(),
});

const itemShape = {
  /** Native id, or the id that the original program computes; unique inside the turn. An item is addressed by turn and id. */
  id: z.string(),
  /** Native turn id where no turn of this tape has it: the turn is in an earlier segment, or nowhere. */
  turnId: z.string().optional(),
  body: itemBodySchema, visibility: visibilitySchema, tool: toolUseSchema.optional(),
  /** Shown by us and not by the program that wrote the file: it carries its own id and moves no id or count of the original's. The newest fact of an item wins. */
  isAdded: z.boolean(),
  startedAtMs: z.number().optional(), completedAtMs: z.number().optional(),
  /** The entry of the model's history that says the same, where that stands earlier on the tape. */
  context: factKeySchema.optional(),
};
const place = {
  /** Where the item stands: absent, at its first record; `here`, at this one; else right after the named fact. */
  place: z.union([z.literal('here'), z.object({ after: factKeySchema })]).optional(),
};

const started = envelopeSchema.extend({ type: z.literal('item.started'), ...itemShape, ...place });
/** A part of an item changed while it lasts: texts appended to it, or another visibility. */
const changed = envelopeSchema.extend({
  type: z.literal('item.changed'), id: z.string(), turnId: z.string().optional(),
  append: z.object({ text: z.string().optional(), summary: z.array(z.string()).optional(), content: z.array(z.string()).optional(), input: z.string().optional(), output: z.string().optional() }).optional(),
  /** How far a tool says it is; the newest wins. */
  progress: z.object({ kind: z.enum(['stdout', 'stderr', 'progress', 'status', 'custom']), text: z.string().optional(), percent: z.number().optional(), data: jsonValueSchema.optional() }).optional(),
  visibility: visibilitySchema.optional(), status: itemStatusSchema.optional(), context: factKeySchema.optional(),
});
const completed = envelopeSchema.extend({ type: z.literal('item.completed'), ...itemShape, ...place });

const interactionRequested = envelopeSchema.extend({ type: z.literal('interaction.requested'), id: z.string(), kind: z.enum(['approval', 'question', 'tool']), request: jsonValueSchema });
const interactionResolved = envelopeSchema.extend({
  type: z.literal('interaction.resolved'), id: z.string(), request: factKeySchema.optional(), outcome: z.enum(['approved', 'rejected', 'answered', 'dismissed', 'cancelled', 'timedOut']), response: jsonValueSchema.optional(),
});

/** Families `input.*`, `item.*` and `interaction.*`. */
export const itemFactSchemas = [inputReceived, inputPlaced, started, changed, completed, interactionRequested, interactionResolved] as const;
