import { z } from 'zod';
import { anyJsonSchema } from '../json.js';
import { callStatusSchema, declinableStatusSchema, itemTail } from './item-parts.js';

const commandAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read'), command: z.string(), name: z.string(), path: z.string() }),
  z.object({ type: z.literal('listFiles'), command: z.string(), path: z.string().nullable() }),
  z.object({ type: z.literal('search'), command: z.string(), query: z.string().nullable(), path: z.string().nullable() }),
  z.object({ type: z.literal('unknown'), command: z.string() }),
]);
const commandExecution = z.object({
  type: z.literal('commandExecution'), id: z.string(), pluginId: z.string().nullable(), scriptPath: z.string().nullable(), command: z.string(), cwd: z.string(), processId: z.string().nullable(),
  source: z.enum(['agent', 'userShell', 'unifiedExecStartup', 'unifiedExecInteraction']), status: declinableStatusSchema, commandActions: z.array(commandAction),
  aggregatedOutput: z.string().nullable(), exitCode: z.number().nullable(), durationMs: z.number().nullable(), ...itemTail,
});

const changeKind = z.discriminatedUnion('type', [
  z.object({ type: z.literal('add') }), z.object({ type: z.literal('delete') }), z.object({ type: z.literal('update'), move_path: z.string().nullable() }),
]);
const fileChange = z.object({
  type: z.literal('fileChange'), id: z.string(), changes: z.array(z.object({ path: z.string(), kind: changeKind, diff: z.string() })), status: declinableStatusSchema, ...itemTail,
});

const appContext = z.object({
  connectorId: z.string(), linkId: z.string().nullable(), resourceUri: z.string().nullable(), appName: z.string().nullable(), actionName: z.string().nullable(),
});
/** `mcpAppResourceUri` is the one key of this item that the original leaves out where it has none. */
const mcpToolCall = z.object({
  type: z.literal('mcpToolCall'), id: z.string(), server: z.string(), environmentId: z.string().nullable(), tool: z.string(), status: callStatusSchema, arguments: anyJsonSchema,
  appContext: appContext.nullable(), mcpAppResourceUri: z.string().optional(), mcpAppUi: anyJsonSchema.nullable(), pluginId: z.string().nullable(), readOnlyHint: z.boolean().nullable(),
  result: z.object({ content: z.array(anyJsonSchema), structuredContent: anyJsonSchema, _meta: anyJsonSchema }).nullable(), error: z.object({ message: z.string() }).nullable(),
  durationMs: z.number().nullable(), ...itemTail,
});

const toolContent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('inputText'), text: z.string() }), z.object({ type: z.literal('inputImage'), imageUrl: z.string() }), z.object({ type: z.literal('inputAudio'), audioUrl: z.string() }),
]);
const dynamicToolCall = z.object({
  type: z.literal('dynamicToolCall'), id: z.string(), namespace: z.string().nullable(), tool: z.string(), arguments: anyJsonSchema, status: callStatusSchema,
  contentItems: z.array(toolContent).nullable(), success: z.boolean().nullable(), durationMs: z.number().nullable(), ...itemTail,
});

/** Calls of a tool: a command, a patch, an MCP tool, any other. */
export const callItemSchemas = [commandExecution, fileChange, mcpToolCall, dynamicToolCall] as const;
