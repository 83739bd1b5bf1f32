import { type CommandAction, type ContentPart, type FileEdit, type ItemBody, assertNever } from '@tapefold/facts';
import type { ThreadItemOf } from '../objects/thread-item.js';
import { commandLine } from './command-quoting.js';
import { callStatus, declinableStatus } from './item-status.js';
import { type ObjectParts, tailOf } from './object-parts.js';

type Body<K extends ItemBody['kind']> = Extract<ItemBody, { kind: K }>;
type Command = ThreadItemOf<'commandExecution'>;
type FileChange = ThreadItemOf<'fileChange'>;
type McpCall = ThreadItemOf<'mcpToolCall'>;
type ToolCall = ThreadItemOf<'dynamicToolCall'>;

/** What a command does, in the protocol's words. */
export function commandAction(action: CommandAction): Command['commandActions'][number] {
  const { command } = action;
  switch (action.kind) {
    case 'read': return { type: 'read', command, name: action.name, path: action.path };
    case 'listFiles': return { type: 'listFiles', command, path: action.path ?? null };
    case 'search': return { type: 'search', command, query: action.query ?? null, path: action.path ?? null };
    case 'unknown': return { type: 'unknown', command };
    default: return assertNever(action);
  }
}

/** A command as one line, quoted for a shell where the file has its words; a command without a folder ran in the thread's. */
export function commandExecution(body: Body<'command'>, parts: ObjectParts): Command {
  const { status, outcome } = declinableStatus(parts.progress);
  return {
    type: 'commandExecution', id: parts.id, pluginId: body.pluginId ?? null, scriptPath: body.scriptPath ?? null,
    command: typeof body.command === 'string' ? body.command : commandLine(body.command), cwd: body.cwd ?? parts.cwd, processId: body.processId ?? null, source: body.source, status,
    commandActions: body.actions.map(commandAction), aggregatedOutput: body.output ?? null, exitCode: body.exitCode ?? null, durationMs: body.durationMs ?? null, ...tailOf(parts, outcome),
  };
}

function changedFile(edit: FileEdit): FileChange['changes'][number] {
  if (edit.kind !== 'update') return { path: edit.path, kind: { type: edit.kind }, diff: edit.diff };
  const note = edit.movePath === undefined ? '' : `\n\nMoved to: ${edit.movePath}`;
  return { path: edit.path, kind: { type: 'update', move_path: edit.movePath ?? null }, diff: `${edit.diff}${note}` };
}

function byPath(a: FileEdit, b: FileEdit): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}

/** The files of a patch, by path; a move is told in words behind the diff, as the original has it. */
export function changedFiles(edits: readonly FileEdit[]): FileChange['changes'] {
  return [...edits].sort(byPath).map(changedFile);
}

/** A patch. */
export function fileChange(body: Body<'fileChange'>, parts: ObjectParts): FileChange {
  const { status, outcome } = declinableStatus(parts.progress);
  return { type: 'fileChange', id: parts.id, changes: changedFiles(body.changes), status, ...tailOf(parts, outcome) };
}

function appContext(app: NonNullable<Body<'mcpCall'>['app']>): McpCall['appContext'] {
  return { connectorId: app.connectorId, linkId: app.linkId ?? null, resourceUri: app.resourceUri ?? null, appName: app.appName ?? null, actionName: app.actionName ?? null };
}

/** An MCP call. `environmentId` and `mcpAppUi` are null, since no fact carries them. */
export function mcpToolCall(body: Body<'mcpCall'>, parts: ObjectParts): McpCall {
  const { status, outcome } = callStatus(parts.progress);
  const result = body.result && { content: body.result.content, structuredContent: body.result.structuredContent, _meta: body.result.meta };
  return {
    type: 'mcpToolCall', id: parts.id, server: body.server, environmentId: null, tool: body.tool, status, arguments: body.arguments, appContext: body.app ? appContext(body.app) : null,
    ...(body.resourceUri === undefined ? {} : { mcpAppResourceUri: body.resourceUri }), mcpAppUi: null, pluginId: body.pluginId ?? null, readOnlyHint: body.isReadOnly ?? null, result: result ?? null,
    error: body.error === undefined ? null : { message: body.error }, durationMs: body.durationMs ?? null, ...tailOf(parts, outcome),
  };
}

/** Text, images and sounds that a tool gave back; the protocol has no word for the rest. */
function toolContent(part: ContentPart): NonNullable<ToolCall['contentItems']> {
  const source = 'source' in part ? (part.source.url ?? part.source.path ?? part.source.fileId ?? '') : '';
  switch (part.kind) {
    case 'text': return [{ type: 'inputText', text: part.text }];
    case 'image': return [{ type: 'inputImage', imageUrl: source }];
    case 'audio': return [{ type: 'inputAudio', audioUrl: source }];
    case 'video': case 'file': case 'skill': case 'mention': case 'encrypted': case 'other': return [];
    default: return assertNever(part);
  }
}

/** A call of a tool without a type of its own, with what of its output the protocol has words for. */
export function dynamicToolCall(body: Body<'toolCall'>, parts: ObjectParts): ToolCall {
  const { status, outcome } = callStatus(parts.progress);
  return {
    type: 'dynamicToolCall', id: parts.id, namespace: body.namespace ?? null, tool: body.tool, arguments: body.arguments, status, contentItems: body.output?.flatMap(toolContent) ?? null,
    success: body.isSuccess ?? null, durationMs: body.durationMs ?? null, ...tailOf(parts, outcome),
  };
}
