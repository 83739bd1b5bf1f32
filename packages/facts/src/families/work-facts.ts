import { z } from 'zod';
import { contentPartSchema } from '../content.js';
import { envelopeSchema } from '../envelope.js';
import { jsonValueSchema } from '../json.js';
import { factKeySchema, tapeIdSchema } from '../keys.js';
import { usageSchema } from './turn-facts.js';

const task = z.object({
  taskId: z.string(), kind: z.enum(['shell', 'subagent', 'tool', 'other']), model: z.string().optional(), effort: z.string().optional(), stateReason: z.string().optional(), description: z.string().optional(), agentId: z.string().optional(), isDetached: z.boolean().optional(),
  startedAtMs: z.number().optional(), endedAtMs: z.number().optional(),
});
/** Makes the task and its reference in the timeline; `adopts` is the earlier id of the same task. A change of an unknown id makes the task only. */
const taskStarted = envelopeSchema.extend({ type: z.literal('task.started'), task, adopts: z.string().optional() });
const taskChanged = envelopeSchema.extend({ type: z.literal('task.changed'), task, outputTail: z.string().optional() });
const taskEnded = envelopeSchema.extend({
  type: z.literal('task.ended'), task, status: z.enum(['completed', 'failed', 'killed', 'stopped', 'lost', 'timedOut']), outputTail: z.string().optional(), summary: z.string().optional(),
  error: z.string().optional(), usage: usageSchema.optional(),
});

const todoReplaced = envelopeSchema.extend({
  type: z.literal('todo.replaced'), explanation: z.string().optional(), entries: z.array(z.object({ id: z.string().optional(), title: z.string(), status: z.enum(['pending', 'inProgress', 'completed']) })),
});

/** A plan document by reference: `key` (or the older `path`) as the agent names it, with size and SHA-256 where it says so. */
const planRevised = envelopeSchema.extend({
  type: z.literal('plan.revised'), payload: jsonValueSchema.optional(), planId: z.string(), version: z.number().optional(), key: z.string().optional(), path: z.string().optional(), sha256: z.string().optional(), sizeBytes: z.number().optional(),
});

/** The whole goal as it now is. `payload` here and below: the agent's own words for a marker in the timeline. */
const goalSet = envelopeSchema.extend({
  type: z.literal('goal.set'), payload: jsonValueSchema.optional(), goalId: z.string().optional(), objective: z.string().optional(), status: z.string().optional(), completionCriterion: z.string().optional(),
  budgetUsed: z.number().optional(), budgetLimit: z.number().optional(),
});
const goalCleared = envelopeSchema.extend({ type: z.literal('goal.cleared'), payload: jsonValueSchema.optional() });

const modeEntered = envelopeSchema.extend({ type: z.literal('mode.entered'), mode: z.string(), id: z.string().optional(), trigger: z.string().optional(), payload: jsonValueSchema.optional() });
const modeExited = envelopeSchema.extend({ type: z.literal('mode.exited'), mode: z.string(), id: z.string().optional(), isCancelled: z.boolean().optional(), payload: jsonValueSchema.optional() });

/** A prompt on its way through the agent's queue; what was said is `input.received`. */
const promptQueued = envelopeSchema.extend({ type: z.literal('prompt.queued'), promptId: z.string(), content: z.array(contentPartSchema).optional(), clientMetadata: jsonValueSchema.optional() });
const promptTaken = envelopeSchema.extend({ type: z.literal('prompt.taken'), promptId: z.string(), how: z.enum(['turn', 'steer']), input: factKeySchema.optional() });
const promptEnded = envelopeSchema.extend({ type: z.literal('prompt.ended'), promptId: z.string(), status: z.enum(['completed', 'failed', 'aborted', 'dropped']), reason: z.string().optional() });

/** Tokens used. Exactly one fact counts a response (`usage`); others of the same response carry only `total`, the thread's sum so far. */
const usageRecorded = envelopeSchema.extend({
  type: z.literal('usage.recorded'), responseId: z.string().optional(), model: z.string().optional(), contextTokens: z.number().optional(), usage: usageSchema.optional(), total: usageSchema.optional(), contextWindow: z.number().optional(), rateLimits: jsonValueSchema.optional(),
});

/** A document beside the tape (plan, image, long output): the blob's key, size and digest, checked by readers. */
const mediaReferenced = envelopeSchema.extend({
  type: z.literal('media.referenced'), key: z.string(), mediaType: z.string().optional(), sizeBytes: z.number().optional(), sha256: z.string().optional(), ownerTape: tapeIdSchema.optional(),
});

/** Families `task.*`, `todo.*`, `plan.*`, `goal.*`, `mode.*`, `prompt.*`, `usage.*` and `media.*`. */
export const workFactSchemas = [
  taskStarted, taskChanged, taskEnded, todoReplaced, planRevised, goalSet, goalCleared, modeEntered, modeExited, promptQueued, promptTaken, promptEnded, usageRecorded, mediaReferenced,
] as const;
