import { z } from 'zod';
import { anyJsonSchema } from '../json.js';
import { turnSchema } from './turn.js';

/** Whether the thread runs; `activeFlags` say what it waits for. */
export const threadStatusSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('notLoaded') }), z.object({ type: z.literal('idle') }), z.object({ type: z.literal('systemError') }),
  z.object({ type: z.literal('active'), activeFlags: z.array(z.enum(['waitingOnApproval', 'waitingOnUserInput'])) }),
]);
export type ThreadStatus = z.infer<typeof threadStatusSchema>;

const spawn = z.object({
  parent_thread_id: z.string(), depth: z.number(), agent_path: z.string().nullable(), agent_nickname: z.string().nullable(), agent_role: z.string().nullable(),
});
/** Where a thread came from; the inner keys are snake_case on the wire. */
export const threadSourceSchema = z.union([
  z.enum(['cli', 'vscode', 'exec', 'appServer', 'unknown']),
  z.object({ custom: z.string() }),
  z.object({ subAgent: z.union([z.enum(['review', 'compact', 'memory_consolidation']), z.object({ thread_spawn: spawn }), z.object({ other: z.string() })]) }),
]);
export type ThreadSource = z.infer<typeof threadSourceSchema>;

const gitInfo = z.object({ sha: z.string().nullable(), branch: z.string().nullable(), originUrl: z.string().nullable() });

/** A conversation of one agent. Times in Unix seconds. `turns` is empty except where an answer was asked for them. */
export const threadSchema = z.object({
  id: z.string(), environments: anyJsonSchema.nullable(), extra: anyJsonSchema.nullable(), sessionId: z.string(), forkedFromId: z.string().nullable(), attachedToThreadId: z.string().nullable(),
  parentThreadId: z.string().nullable(), preview: z.string(), ephemeral: z.boolean(), section: z.object({ id: z.string(), name: z.string(), appearance: anyJsonSchema }).nullable(),
  sectionEnteredAt: z.number().nullable(), projectId: z.string().nullable(), historyMode: z.enum(['legacy', 'paginated']), modelProvider: z.string(), model: z.string().nullable(),
  reasoningEffort: z.string().nullable(), createdAt: z.number(), updatedAt: z.number(), recencyAt: z.number().nullable(), status: threadStatusSchema, path: z.string().nullable(), cwd: z.string(),
  cliVersion: z.string(), originator: z.string(), source: threadSourceSchema, canAcceptDirectInput: z.boolean().nullable(), threadSource: anyJsonSchema.nullable(), agentNickname: z.string().nullable(),
  agentRole: z.string().nullable(), gitInfo: gitInfo.nullable(), name: z.string().nullable(), daybreakEnabled: z.boolean().nullable(), turns: z.array(turnSchema),
});
export type Thread = z.infer<typeof threadSchema>;
