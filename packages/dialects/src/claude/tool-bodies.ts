import type { ContentPart, FileEdit, ItemBody, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { listAt, objectAt, objectsAt, present, stringAt } from '../shape.js';

/** What a tool's call shows, in no agent's dialect [R-THR-1]. */
interface Call {
  readonly name: string;
  readonly input: JsonObject;
  readonly cwd: string | undefined;
  readonly threadId: string;
}

const running = 'running' as const;

function prefixed(text: string, mark: '-' | '+'): string {
  return text === '' ? '' : text.split('\n').map((line) => `${mark}${line}\n`).join('');
}

/** An edit before its result tells where in the file it is: what goes and what comes. */
function editDiff(edit: JsonObject): string {
  return `@@\n${prefixed(stringAt(edit, 'old_string') ?? '', '-')}${prefixed(stringAt(edit, 'new_string') ?? '', '+')}`;
}

function editsOf({ name, input }: Call): FileEdit[] {
  const path = stringAt(input, 'file_path') ?? stringAt(input, 'notebook_path') ?? '';
  switch (name) {
    case 'Write': return [{ path, kind: 'add', diff: stringAt(input, 'content') ?? '' }];
    case 'MultiEdit': return [{ path, kind: 'update', diff: objectsAt(input, 'edits').map(editDiff).join('') }];
    case 'NotebookEdit': return [{ path, kind: 'update', diff: `@@\n${prefixed(stringAt(input, 'new_source') ?? '', '+')}` }];
    default: return [{ path, kind: 'update', diff: editDiff(input) }];
  }
}

function spawnBody({ input, threadId }: Call): ItemBody {
  return present({
    kind: 'agentCall' as const, tool: 'spawnAgent' as const, status: running, senderThreadId: threadId, receiverThreadIds: [], prompt: stringAt(input, 'prompt'), model: stringAt(input, 'model'), agents: {},
  });
}

const builders: Readonly<Record<string, (call: Call) => ItemBody>> = {
  Bash: ({ input, cwd }) => present({ kind: 'command' as const, command: stringAt(input, 'command') ?? '', cwd, source: 'agent' as const, status: running, actions: [] }),
  Edit: (call) => ({ kind: 'fileChange', changes: editsOf(call), status: running }),
  Write: (call) => ({ kind: 'fileChange', changes: editsOf(call), status: running }),
  MultiEdit: (call) => ({ kind: 'fileChange', changes: editsOf(call), status: running }),
  NotebookEdit: (call) => ({ kind: 'fileChange', changes: editsOf(call), status: running }),
  WebSearch: ({ input }) => ({ kind: 'webSearch', query: stringAt(input, 'query') ?? '', action: present({ kind: 'search' as const, query: stringAt(input, 'query') }), status: running }),
  WebFetch: ({ input }) => ({ kind: 'webSearch', query: stringAt(input, 'url') ?? '', action: present({ kind: 'openPage' as const, url: stringAt(input, 'url') }), status: running }),
  Task: spawnBody,
  Agent: spawnBody,
  ExitPlanMode: ({ input }) => ({ kind: 'plan', text: stringAt(input, 'plan') ?? '' }),
};

export function bodyOfCall(call: Call): ItemBody {
  const build = Object.hasOwn(builders, call.name) ? builders[call.name] : undefined;
  if (build) return build(call);
  const mcp = /^mcp__(.+?)__(.+)$/.exec(call.name);
  if (mcp) return { kind: 'mcpCall', server: mcp[1] ?? '', tool: mcp[2] ?? '', arguments: call.input, status: running };
  return { kind: 'toolCall', tool: call.name, arguments: call.input, status: running };
}

/** A hunk as unified diffs have it. */
function hunkText(hunk: JsonObject): string {
  const at = (name: string): string => String(typeof hunk[name] === 'number' ? hunk[name] : 0);
  const lines = listAt(hunk, 'lines').filter((line): line is string => typeof line === 'string');
  return `@@ -${at('oldStart')},${at('oldLines')} +${at('newStart')},${at('newLines')} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** What an edit did, as its result has it; the call's own words where it does not say. */
export function editedBody(body: Extract<ItemBody, { kind: 'fileChange' }>, result: JsonObject): ItemBody {
  const patch = objectsAt(result, 'structuredPatch').map(hunkText).join('');
  const path = stringAt(result, 'filePath');
  const isNew = stringAt(result, 'type') === 'create';
  const changes = body.changes.map((change) => (patch === '' && !isNew ? change : { ...change, path: path ?? change.path, kind: isNew ? ('add' as const) : ('update' as const), diff: isNew ? change.diff : patch }));
  return { ...body, changes };
}

/** The content of an MCP result as the protocol has it. */
export function mcpContent(parts: readonly ContentPart[], content: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(content)) return content;
  return parts.map((part) => (part.kind === 'text' ? { type: 'text', text: part.text } : part.kind === 'other' ? part.raw : null));
}

/** What a result says beside its text: short fields only, since the text itself is there. */
export function displayOf(result: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(result)) return undefined;
  const file = objectAt(result, 'file');
  const kept = Object.entries(file ? { ...result, ...file } : result).filter(([name, value]) => isShort(value) && !bulky.has(name));
  return kept.length ? Object.fromEntries(kept) : undefined;
}

const bulky = new Set(['stdout', 'stderr', 'content', 'originalFile', 'oldString', 'newString', 'structuredPatch', 'base64', 'prompt', 'file', 'result', 'filenames', 'plan', 'oldTodos', '__proto__']);
const SHORT_CHARS = 2_000;

function isShort(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null ? typeof value !== 'string' || value.length <= SHORT_CHARS : JSON.stringify(value).length <= SHORT_CHARS;
}
