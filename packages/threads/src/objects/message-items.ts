import { z } from 'zod';
import { anyJsonSchema } from '../json.js';
import { itemTail } from './item-parts.js';
import { userContentSchema } from './user-content.js';

const userMessage = z.object({ type: z.literal('userMessage'), id: z.string(), clientId: z.string().nullable(), content: z.array(userContentSchema), ...itemTail });

const hookPrompt = z.object({ type: z.literal('hookPrompt'), id: z.string(), fragments: z.array(z.object({ text: z.string(), hookRunId: z.string() })), ...itemTail });

const memoryCitation = z.object({
  entries: z.array(z.object({ path: z.string(), lineStart: z.number(), lineEnd: z.number(), note: z.string() })), threadIds: z.array(z.string()),
});
const agentMessage = z.object({
  type: z.literal('agentMessage'), moderation: anyJsonSchema.nullable(), id: z.string(), text: z.string(), phase: z.enum(['commentary', 'partial_answer', 'final_answer']).nullable(),
  memoryCitation: memoryCitation.nullable(), delivery: z.literal('async').nullable(),
  questions: z.array(z.object({ title: z.string(), options: z.array(z.string()).nullable() })).nullable(), ...itemTail,
});

const functionCallOutput = z.object({ type: z.literal('functionCallOutput'), id: z.string(), name: z.string(), namespace: z.string().nullable(), output: anyJsonSchema, ...itemTail });

const plan = z.object({ type: z.literal('plan'), id: z.string(), text: z.string(), ...itemTail });

const reasoning = z.object({ type: z.literal('reasoning'), id: z.string(), summary: z.array(z.string()), content: z.array(z.string()), ...itemTail });

/** Items that say something: a person, a hook, the agent, or the agent to itself. */
export const messageItemSchemas = [userMessage, hookPrompt, agentMessage, functionCallOutput, plan, reasoning] as const;
