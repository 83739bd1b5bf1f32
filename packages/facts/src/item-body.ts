import { z } from 'zod';
import { contentPartSchema } from './content.js';
import { jsonValueSchema } from './json.js';

/**
 * How far an item came. `running` means only that no record ends it; a fold's `settle` turns that into "unknown".
 * `interrupted`: a record says that the person or the program stopped it. `timedOut`: an approval or a call ran out of time.
 */
export const itemStatusSchema = z.enum(['running', 'completed', 'failed', 'declined', 'interrupted', 'timedOut', 'cancelled']);
export type ItemStatus = z.infer<typeof itemStatusSchema>;

const status = itemStatusSchema;
const duration = z.number().optional();

/** What a command does, as the agent's own parser saw it. Paths as recorded. */
export const commandActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), command: z.string(), name: z.string(), path: z.string() }),
  z.object({ kind: z.literal('listFiles'), command: z.string(), path: z.string().optional() }),
  z.object({ kind: z.literal('search'), command: z.string(), query: z.string().optional(), path: z.string().optional() }),
  z.object({ kind: z.literal('unknown'), command: z.string() }),
]);
export type CommandAction = z.infer<typeof commandActionSchema>;

/** One changed file. `diff`: the content for add and delete, a unified diff for update; without the note of a move, which `movePath` carries. */
export const fileEditSchema = z.object({ path: z.string(), kind: z.enum(['add', 'delete', 'update']), movePath: z.string().optional(), diff: z.string() });
export type FileEdit = z.infer<typeof fileEditSchema>;

/** How a sub-agent stood when the call was recorded; nothing follows it later. */
export const agentStateSchema = z.object({
  status: z.enum(['pendingInit', 'running', 'interrupted', 'completed', 'errored', 'shutdown', 'notFound']),
  message: z.string().optional(),
});
export type AgentState = z.infer<typeof agentStateSchema>;

const webActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('search'), query: z.string().optional(), queries: z.array(z.string()).optional() }),
  z.object({ kind: z.literal('openPage'), url: z.string().optional() }),
  z.object({ kind: z.literal('findInPage'), url: z.string().optional(), pattern: z.string().optional() }),
  z.object({ kind: z.literal('other') }),
]);
/** What was done on the web; `other` is an action that this version does not know. */
export type WebAction = z.infer<typeof webActionSchema>;

/** One finding of a code review, with path and lines as the reviewer gave them; lines are 0 where it gave none. */
export const reviewFindingSchema = z.object({ title: z.string(), body: z.string(), path: z.string(), startLine: z.number(), endLine: z.number() });
export type ReviewFinding = z.infer<typeof reviewFindingSchema>;

const agentMessage = z.object({
  kind: z.literal('agentMessage'), text: z.string(), phase: z.enum(['commentary', 'partialAnswer', 'finalAnswer']).optional(),
  citation: z.object({ entries: z.array(z.object({ path: z.string(), lineStart: z.number(), lineEnd: z.number(), note: z.string() })), threadIds: z.array(z.string()) }).optional(),
  isAsync: z.boolean().optional(), questions: z.array(z.object({ title: z.string(), options: z.array(z.string()).nullable() })).optional(), moderation: jsonValueSchema.optional(),
});
const command = z.object({
  kind: z.literal('command'), command: z.union([z.string(), z.array(z.string())]), cwd: z.string().optional(), processId: z.string().optional(),
  source: z.enum(['agent', 'userShell', 'unifiedExecStartup', 'unifiedExecInteraction']), status, actions: z.array(commandActionSchema),
  output: z.string().optional(), exitCode: z.number().optional(), durationMs: duration, pluginId: z.string().optional(), scriptPath: z.string().optional(),
});
const mcpCall = z.object({
  kind: z.literal('mcpCall'), server: z.string(), tool: z.string(), arguments: jsonValueSchema, status, durationMs: duration,
  result: z.object({ content: z.array(jsonValueSchema), structuredContent: jsonValueSchema, meta: jsonValueSchema }).optional(), error: z.string().optional(),
  app: z.object({ connectorId: z.string(), linkId: z.string().optional(), resourceUri: z.string().optional(), appName: z.string().optional(), actionName: z.string().optional() }).optional(),
  resourceUri: z.string().optional(), pluginId: z.string().optional(), isReadOnly: z.boolean().optional(),
});
const agentCall = z.object({
  kind: z.literal('agentCall'), tool: z.enum(['spawnAgent', 'sendInput', 'resumeAgent', 'wait', 'closeAgent', 'sendMessage', 'followupTask', 'interruptAgent', 'listAgents']), status,
  senderThreadId: z.string(), receiverThreadIds: z.array(z.string()), prompt: z.string().optional(), model: z.string().optional(), effort: z.string().optional(),
  agents: z.record(z.string(), agentStateSchema),
});

/** What an item is, in no agent's dialect. Closed: a player maps what it does not know to `toolCall` or to `record.unknown`. */
export const itemBodySchema = z.discriminatedUnion('kind', [
  agentMessage,
  command,
  mcpCall,
  agentCall,
  z.object({ kind: z.literal('hookPrompt'), fragments: z.array(z.object({ text: z.string(), hookRunId: z.string() })) }),
  z.object({ kind: z.literal('reasoning'), summary: z.array(z.string()), content: z.array(z.string()) }),
  z.object({ kind: z.literal('plan'), text: z.string() }),
  z.object({ kind: z.literal('fileChange'), changes: z.array(fileEditSchema), status }),
  z.object({
    kind: z.literal('toolCall'), namespace: z.string().optional(), tool: z.string(), arguments: jsonValueSchema, status,
    output: z.array(contentPartSchema).optional(), isSuccess: z.boolean().optional(), durationMs: duration,
  }),
  z.object({ kind: z.literal('callOutput'), name: z.string(), namespace: z.string().optional(), output: jsonValueSchema }),
  z.object({
    kind: z.literal('agentActivity'), activity: z.enum(['started', 'interacted', 'interrupted', 'completed']), agentThreadId: z.string(), agentPath: z.string(),
    model: z.string().optional(), effort: z.string().optional(),
  }),
  z.object({ kind: z.literal('webSearch'), query: z.string(), action: webActionSchema.optional(), results: jsonValueSchema.optional(), status }),
  z.object({ kind: z.literal('imageView'), path: z.string() }),
  z.object({ kind: z.literal('imageGeneration'), status: z.string(), revisedPrompt: z.string().optional(), result: z.string().optional(), savedPath: z.string().optional(), extras: jsonValueSchema.optional() }),
  z.object({ kind: z.literal('sleep'), durationMs: z.number() }),
  z.object({ kind: z.literal('reviewEntered'), hint: z.string().optional() }),
  z.object({ kind: z.literal('reviewExited'), explanation: z.string().optional(), findings: z.array(reviewFindingSchema) }),
  z.object({ kind: z.literal('compaction') }),
]);
export type ItemBody = z.infer<typeof itemBodySchema>;
/** Tag of a body. */
export type ItemKind = ItemBody['kind'];
