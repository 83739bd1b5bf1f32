import type { ContentPart, FileEdit, ItemBody, ItemStatus, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { innerJson } from '../../json-text.js';
import { present, stringAt } from '../../shape.js';

/** What a tool's call shows, in no agent's dialect [R-THR-1]. `display`: what the program itself shows of it. */
interface Call {
  readonly name: string;
  readonly input: JsonValue | undefined;
  readonly display?: JsonValue | undefined;
  /** Native id of the thread that calls. */
  readonly threadId: string;
}

interface OpenCall { readonly name: string; readonly input: JsonObject; readonly display: JsonObject; readonly threadId: string }

const running = 'running' as const;

const marked = (text: string, mark: '-' | '+'): string => (text === '' ? '' : text.split('\n').map((line) => `${mark}${line}\n`).join(''));

/** What an edit takes away and brings; where in the file, no record says. */
function editOf({ input, display }: OpenCall): FileEdit {
  const before = stringAt(input, 'old_string') ?? stringAt(display, 'before') ?? '';
  const after = stringAt(input, 'new_string') ?? stringAt(display, 'after') ?? '';
  return { path: pathOf({ input, display }), kind: 'update', diff: `@@\n${marked(before, '-')}${marked(after, '+')}` };
}

/** As the program shows it, which is whole; else as the model wrote it. */
function pathOf({ input, display }: Pick<OpenCall, 'input' | 'display'>): string {
  return stringAt(display, 'path') ?? stringAt(input, 'path') ?? '';
}

function writtenOf({ input, display }: OpenCall): FileEdit {
  return { path: pathOf({ input, display }), kind: 'add', diff: stringAt(input, 'content') ?? stringAt(display, 'content') ?? '' };
}

function spawnBody({ input, threadId }: OpenCall): ItemBody {
  return present({
    kind: 'agentCall' as const, tool: 'spawnAgent' as const, status: running, senderThreadId: threadId, receiverThreadIds: [], prompt: stringAt(input, 'prompt'), model: stringAt(input, 'model'), agents: {},
  });
}

const builders: Readonly<Record<string, (call: OpenCall) => ItemBody>> = {
  Bash: ({ input, display }) => present({ kind: 'command' as const, command: stringAt(input, 'command') ?? stringAt(display, 'command') ?? '', cwd: stringAt(display, 'cwd'), source: 'agent' as const, status: running, actions: [] }),
  Write: (call) => ({ kind: 'fileChange', changes: [writtenOf(call)], status: running }),
  Edit: (call) => ({ kind: 'fileChange', changes: [editOf(call)], status: running }),
  WebSearch: ({ input }) => ({ kind: 'webSearch', query: stringAt(input, 'query') ?? '', action: present({ kind: 'search' as const, query: stringAt(input, 'query') }), status: running }),
  FetchURL: ({ input }) => ({ kind: 'webSearch', query: stringAt(input, 'url') ?? '', action: present({ kind: 'openPage' as const, url: stringAt(input, 'url') }), status: running }),
  Agent: spawnBody,
  ExitPlanMode: ({ input, display }) => ({ kind: 'plan', text: stringAt(display, 'plan') ?? stringAt(input, 'plan') ?? '' }),
};

/** The body of a call that runs. Tools that have no nearer kind stand as they are. */
export function bodyOfCall(call: Call): ItemBody {
  const input = isJsonObject(call.input) ? call.input : {};
  const display = isJsonObject(call.display) ? call.display : {};
  const build = Object.hasOwn(builders, call.name) ? builders[call.name] : undefined;
  if (build) return build({ name: call.name, input, display, threadId: call.threadId });
  const mcp = /^mcp__(.+?)__(.+)$/.exec(call.name);
  if (mcp) return { kind: 'mcpCall', server: mcp[1] ?? '', tool: mcp[2] ?? '', arguments: call.input ?? null, status: running };
  return { kind: 'toolCall', tool: call.name, arguments: call.input ?? null, status: running };
}

export interface Outcome {
  readonly status: ItemStatus;
  readonly output: ContentPart[];
  /** Its texts, joined. */
  readonly text: string;
  readonly durationMs?: number | undefined;
  /** Agents that the call started. */
  readonly agents: readonly string[];
}

/** The program says how a command ended in the last line of what the model reads. */
const exitForm = /\n?Command failed with exit code: (\d{1,5})\.\s*$/;

function commandBody(body: Extract<ItemBody, { kind: 'command' }>, { status, text, durationMs }: Outcome): ItemBody {
  const exit = exitForm.exec(text)?.[1];
  return present({ ...body, status, output: status === 'declined' ? undefined : text, exitCode: exit === undefined ? undefined : Number(exit), durationMs });
}

const agentStates: Partial<Record<ItemStatus, 'completed' | 'interrupted'>> = { completed: 'completed', interrupted: 'interrupted', declined: 'interrupted' };

function agentBody(body: Extract<ItemBody, { kind: 'agentCall' }>, { status, text, agents }: Outcome): ItemBody {
  const isRunning = /^status: running$/m.test(text.slice(0, 2_000));
  const state = isRunning ? ('running' as const) : agentStates[status] ?? ('errored' as const);
  const message = isRunning ? undefined : text.replace(/^[\s\S]*?\n\[summary\]\n/, '');
  return { ...body, status, receiverThreadIds: [...agents], agents: Object.fromEntries(agents.map((id) => [id, present({ status: state, message })])) };
}

const extrasForm = /\n?<mcp-result-extras>\n([\s\S]*)\n<\/mcp-result-extras>\s*$/;

function mcpBody(body: Extract<ItemBody, { kind: 'mcpCall' }>, { status, text, output, durationMs }: Outcome): ItemBody {
  if (status !== 'completed') return present({ ...body, status, durationMs, error: text });
  const content = output.map((part): JsonValue => (part.kind === 'text' ? { type: 'text', text: part.text.replace(extrasForm, '') } : part.kind === 'other' ? part.raw : { type: part.kind, url: 'source' in part ? part.source.url ?? '' : '' }));
  const extras = innerJson(extrasForm.exec(text)?.[1] ?? '');
  const structured = isJsonObject(extras) ? extras['structuredContent'] ?? null : null;
  return present({ ...body, status, durationMs, result: { content, structuredContent: structured, meta: null } });
}

/** The body that a call had, as its result leaves it. */
export function finishedBody(body: ItemBody, outcome: Outcome): ItemBody {
  const { status, output, durationMs } = outcome;
  switch (body.kind) {
    case 'command': return commandBody(body, outcome);
    case 'fileChange': case 'webSearch': return { ...body, status };
    case 'mcpCall': return mcpBody(body, outcome);
    case 'agentCall': return agentBody(body, outcome);
    case 'toolCall': return present({ ...body, status, output, isSuccess: status === 'completed', durationMs });
    default: return body;
  }
}
