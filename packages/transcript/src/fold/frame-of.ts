import { type FactOf, type ItemBody, type ItemStatus, type JsonValue, assertNever, isJsonObject, textOfParts } from '@tapefold/facts';
import type { AgentRef, ToolCallFrame, ToolFrameState } from '../model/frame.js';
import type { FrameContent } from './document.js';
import { present } from './present.js';

export type ToolUse = NonNullable<FactOf<'item.started'>['tool']>;

/** A call as the model's history has it, for items that do not say themselves what was called. */
export interface CalledTool {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly input: JsonValue;
}

/** What a frame is made from. `call`: the id that call and result share. */
export interface FrameSource {
  readonly callId: string;
  readonly isCall: boolean;
  readonly isOpen: boolean;
  readonly body: ItemBody;
  readonly tool?: ToolUse | undefined;
  readonly called?: CalledTool | undefined;
}

interface ToolView {
  readonly name: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly display?: unknown;
  readonly error?: string | undefined;
  readonly agentRefs?: readonly AgentRef[] | undefined;
  readonly status: ItemStatus;
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');
const textOr = (text: string): string | undefined => (text === '' ? undefined : text);

function contentText(content: readonly JsonValue[]): string {
  return content.map((part) => (typeof part === 'object' && part !== null && !Array.isArray(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function planDisplay(plan: string, path?: string): JsonValue | undefined {
  return plan.trim() === '' ? undefined : { kind: 'plan_review', plan, ...(path === undefined ? {} : { path }) };
}

/** The agents that a call started; for calls about agents that were there before, none. */
function startedAgents({ tool, receiverThreadIds }: Extract<ItemBody, { kind: 'agentCall' }>): readonly AgentRef[] | undefined {
  return tool === 'spawnAgent' && receiverThreadIds.length > 0 ? receiverThreadIds.map((agentId) => ({ agentId, role: 'child' })) : undefined;
}

/** A body as a call: what it is named, what went in and what came out. Undefined for what is no call. */
function toolView(body: ItemBody, isOpen: boolean): ToolView | undefined {
  const unsaid: ItemStatus = isOpen ? 'running' : 'completed';
  switch (body.kind) {
    case 'command': return { name: 'shell', input: present({ command: body.command, cwd: body.cwd }), output: body.output, status: body.status };
    case 'fileChange': return { name: 'apply_patch', input: { changes: body.changes }, status: body.status };
    case 'mcpCall': return { name: `mcp__${body.server}__${body.tool}`, input: body.arguments, output: body.result && contentText(body.result.content), error: body.error, status: body.status };
    case 'toolCall': return { name: body.tool, input: body.arguments, output: body.output && textOfParts(body.output), status: body.status };
    case 'agentCall': return {
      name: body.tool, input: present({ prompt: body.prompt, model: body.model, receivers: body.receiverThreadIds.length ? body.receiverThreadIds : undefined }), status: body.status,
      output: textOr(joined(Object.values(body.agents).map(({ message = '' }) => message))), agentRefs: startedAgents(body),
    };
    case 'callOutput': return { name: body.name === '' ? 'unknown' : body.name, output: body.output, status: 'completed' };
    case 'webSearch': return { name: 'web_search', input: present({ query: body.query, action: body.action }), output: body.results, status: body.status };
    case 'imageView': return { name: 'view_image', input: { path: body.path }, status: unsaid };
    case 'imageGeneration': return { name: 'image_generation', input: present({ prompt: body.revisedPrompt }), output: body.savedPath, status: isOpen && body.status !== 'completed' ? 'running' : body.status === 'failed' ? 'failed' : 'completed' };
    case 'sleep': return { name: 'sleep', input: { durationMs: body.durationMs }, status: unsaid };
    case 'plan': return { name: 'plan', display: planDisplay(body.text), status: unsaid };
    case 'agentMessage': case 'hookPrompt': case 'reasoning': case 'agentActivity': case 'reviewEntered': case 'reviewExited': case 'compaction': return undefined;
    default: return assertNever(body);
  }
}

const states: Readonly<Record<ItemStatus, ToolFrameState>> = { running: 'running', completed: 'done', failed: 'error', declined: 'error', interrupted: 'error', timedOut: 'error', cancelled: 'error' };

/** What a frame says that ended badly and of which no record says how. */
const endings: Readonly<Partial<Record<ItemStatus, string>>> = {
  failed: 'The call failed.', declined: 'The call was declined.', interrupted: 'The call was interrupted.', timedOut: 'The call ran out of time.', cancelled: 'The call was cancelled.',
};

/** How a call ended that neither succeeded nor plainly failed. */
type Outcome = NonNullable<ToolCallFrame['outcome']>;
const outcomes: Readonly<Partial<Record<ItemStatus, Outcome>>> = { declined: 'declined', interrupted: 'interrupted', timedOut: 'timedOut', cancelled: 'cancelled' };

function errorOf(view: ToolView, output: unknown): string | undefined {
  if (states[view.status] !== 'error') return undefined;
  if (view.error !== undefined && view.error !== '') return view.error;
  return typeof output === 'string' && output !== '' ? output : endings[view.status];
}

function calledName({ namespace, name }: CalledTool): string {
  return namespace === undefined ? name : `${namespace}${name}`;
}

const isPart = (value: JsonValue): boolean => isJsonObject(value) && typeof value['type'] === 'string';

/** A list of content parts reads as their texts, as the original shows it: bytes of pictures are no part of a transcript. */
function outputText(output: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(output) && output.length > 0 && output.every(isPart) ? contentText(output) : output;
}

function toolFrame(view: ToolView, source: FrameSource): FrameContent {
  const { tool, called, callId } = source;
  const output = outputText(tool?.output) ?? view.output ?? tool?.error;
  return present({
    kind: 'tool' as const, toolCallId: callId, name: tool?.name ?? (called ? calledName(called) : view.name), state: states[view.status], input: tool ? tool.input : called ? called.input : view.input, inputText: tool?.inputText,
    output, error: errorOf({ ...view, error: tool?.error ?? view.error }, output), outcome: outcomes[view.status], display: tool?.display ?? view.display, agentRefs: view.agentRefs,
  });
}

const isReview = (display: JsonValue | undefined): boolean => isJsonObject(display) && display['kind'] === 'plan_review';

/** A call whose body is a plan shows it for review, whatever else its result says. */
function planTool(body: Extract<ItemBody, { kind: 'plan' }>, source: FrameSource): FrameContent {
  const { tool } = source;
  const path = isJsonObject(tool?.display) ? tool.display['filePath'] : undefined;
  const display = isReview(tool?.display) ? tool?.display : planDisplay(body.text, typeof path === 'string' ? path : undefined) ?? tool?.display;
  const status: ItemStatus = tool?.error !== undefined ? 'failed' : source.isOpen ? 'running' : 'completed';
  return toolFrame({ name: 'plan', display, status }, { ...source, tool: tool && present({ ...tool, display }) });
}

/** Summaries where there are some: raw reasoning is not for every eye. */
function reasoningText(body: Extract<ItemBody, { kind: 'reasoning' }>): string {
  const summary = joined(body.summary);
  return summary === '' ? joined(body.content) : summary;
}

/** The frame that shows an item, without its id; undefined where the timeline shows it otherwise (a compaction is a marker). Pure. */
export function frameOf(source: FrameSource): FrameContent | undefined {
  const { body } = source;
  switch (body.kind) {
    case 'agentMessage': return { kind: 'text', role: 'assistant', text: body.text };
    case 'reasoning': return { kind: 'thinking', text: reasoningText(body) };
    case 'hookPrompt': return { kind: 'text', role: 'user', text: body.fragments.map(({ text }) => text).join('\n') };
    case 'agentActivity': return { kind: 'notice', level: 'info', source: 'agent', message: `${body.agentPath}: ${body.activity}`, detail: present({ agentId: body.agentThreadId, model: body.model, effort: body.effort }) };
    case 'reviewEntered': return present({ kind: 'notice' as const, level: 'info' as const, source: 'review', message: body.hint ?? 'A review was started.' });
    case 'reviewExited': return present({ kind: 'notice' as const, level: 'info' as const, source: 'review', message: body.explanation ?? 'The review was finished.', detail: body.findings.length ? body.findings : undefined });
    case 'compaction': return undefined;
    case 'plan': return planTool(body, source);
    default: {
      const view = toolView(body, source.isOpen);
      return view && toolFrame(view, source);
    }
  }
}
