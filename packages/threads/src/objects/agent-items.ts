import { z } from 'zod';
import { itemTail } from './item-parts.js';

const agentState = z.object({ status: z.enum(['pendingInit', 'running', 'interrupted', 'completed', 'errored', 'shutdown', 'notFound']), message: z.string().nullable() });
const collabAgentToolCall = z.object({
  type: z.literal('collabAgentToolCall'), id: z.string(),
  tool: z.enum(['spawnAgent', 'sendInput', 'resumeAgent', 'wait', 'closeAgent', 'sendMessage', 'followupTask', 'interruptAgent', 'listAgents']),
  status: z.enum(['inProgress', 'completed', 'failed', 'interrupted']), senderThreadId: z.string(), receiverThreadIds: z.array(z.string()), prompt: z.string().nullable(), model: z.string().nullable(),
  reasoningEffort: z.string().nullable(), agentsStates: z.record(z.string(), agentState), ...itemTail,
});

const subAgentActivity = z.object({
  type: z.literal('subAgentActivity'), model: z.string().nullable(), reasoningEffort: z.string().nullable(), id: z.string(), kind: z.enum(['started', 'interacted', 'interrupted', 'completed']),
  agentThreadId: z.string(), agentPath: z.string(), ...itemTail,
});

/** What an agent does with other agents. */
export const agentItemSchemas = [collabAgentToolCall, subAgentActivity] as const;
