import { z } from 'zod';
import { stepUsageSchema } from './turn-schemas.js';

export const goalMetaSchema = z.object({
  objective: z.string(), status: z.enum(['active', 'paused', 'blocked', 'complete']), completionCriterion: z.string().optional(), budgetUsed: z.number().optional(), budgetLimit: z.number().optional(),
});
const plan = z.object({ reviewPath: z.string().optional(), version: z.number().optional() });
const swarm = z.object({ trigger: z.string().optional() });
const tower = z.object({});
export const modesMetaSchema = z.object({ plan: plan.optional(), swarm: swarm.optional(), tower: tower.optional() });
export const modesMetaMergeSchema = z.object({ plan: plan.nullish(), swarm: swarm.nullish(), tower: tower.nullish() });

const at = { turnId: z.number(), step: z.number() };
const stepId = z.string();
/** What the agent does. Reads the older `streaming`, which newer peers call `running`. */
export const agentPhaseMetaSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('running'), ...at, stepId, since: z.number() }),
  z.object({ kind: z.literal('streaming'), ...at, stepId, since: z.number() }),
  z.object({ kind: z.literal('tool_call'), ...at, toolCallId: z.string(), name: z.string(), since: z.number() }),
  z.object({
    kind: z.literal('retrying'), ...at, stepId, failedAttempt: z.number(), nextAttempt: z.number(), maxAttempts: z.number(), delayMs: z.number(), errorName: z.string().optional(),
    statusCode: z.number().optional(), since: z.number(),
  }),
  z.object({ kind: z.literal('awaiting_approval'), turnId: z.number(), step: z.number().optional(), approval: z.unknown().optional(), since: z.number() }),
  z.object({ kind: z.literal('interrupted'), turnId: z.number(), step: z.number().optional(), reason: z.enum(['aborted', 'max_steps', 'error']), message: z.string().optional(), at: z.number() }),
  z.object({ kind: z.literal('ended'), turnId: z.number(), reason: z.enum(['completed', 'cancelled', 'failed', 'blocked']), durationMs: z.number().optional(), at: z.number() }),
]).transform((phase) => (phase.kind === 'streaming' ? { ...phase, kind: 'running' as const } : phase));

export const agentUsageMetaSchema = z.object({ byModel: z.record(z.string(), stepUsageSchema).optional(), currentTurn: stepUsageSchema.optional(), total: stepUsageSchema.optional() });
export const agentStatusMetaSchema = z.object({
  model: z.string().optional(), thinkingEffort: z.string().optional(), usage: agentUsageMetaSchema.optional(), contextTokens: z.number().optional(), maxContextTokens: z.number().optional(),
  contextUsage: z.number().optional(), permission: z.enum(['manual', 'yolo', 'auto']).optional(), phase: agentPhaseMetaSchema.optional(),
});
export const transcriptMetaSchema = z.object({
  goal: goalMetaSchema.optional(), modes: modesMetaSchema.optional(), activity: z.enum(['idle', 'turn', 'disposing', 'unknown']).optional(), agent: agentStatusMetaSchema.optional(),
});
/** A change of the meta: null clears, absent keeps. */
export const transcriptMetaMergeSchema = transcriptMetaSchema.extend({ goal: goalMetaSchema.nullish(), modes: modesMetaMergeSchema.optional() });
