import type { ContentPart, ItemBody, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { type Shape, booleanAt, listAt, misfit, numberAt, objectAt, objectsAt, present, stringAt, stringsAt } from '../shape.js';
import {
  agentActivityOf, agentStateOf, commandOf, durationMsOf, fileEditsOf, imageGenerationOf, inputPartsOf, isReadableCitation, mcpResultOf, messageExtrasOf, pathOfUri, reviewExitedOf, statusOf, webActionOf,
} from './turn-items.js';

/** An item of `item_completed`: a person's input, or the body of an item. */
export type CompletedItem = { readonly input: ContentPart[]; readonly clientId: string | undefined } | { readonly body: ItemBody };

interface ItemReader {
  readonly shape: Shape;
  readonly read: (item: JsonObject) => CompletedItem | undefined;
}

const collabTools: Readonly<Record<string, Extract<ItemBody, { kind: 'agentCall' }>['tool']>> = {
  spawn_agent: 'spawnAgent', send_input: 'sendInput', resume_agent: 'resumeAgent', wait: 'wait', close_agent: 'closeAgent', send_message: 'sendMessage', followup_task: 'followupTask',
  interrupt_agent: 'interruptAgent', list_agents: 'listAgents',
};

const body = (value: ItemBody): CompletedItem => ({ body: value });

function textOf(parts: readonly JsonObject[]): string {
  return parts.map((part) => stringAt(part, 'text') ?? '').join('');
}

/** `content_items` of a dynamic tool call. */
export function toolOutputOf(list: readonly JsonValue[]): ContentPart[] {
  return list.filter(isJsonObject).map((part): ContentPart => {
    switch (stringAt(part, 'type')) {
      case 'inputText': return { kind: 'text', text: stringAt(part, 'text') ?? '' };
      case 'inputImage': return { kind: 'image', source: { url: stringAt(part, 'imageUrl') ?? stringAt(part, 'image_url') ?? '' } };
      case 'inputAudio': return { kind: 'audio', source: { url: stringAt(part, 'audioUrl') ?? stringAt(part, 'audio_url') ?? '' } };
      default: return { kind: 'other', raw: part };
    }
  });
}

function mcpCall(item: JsonObject): CompletedItem {
  const connectorId = stringAt(item, 'connectorId');
  const resourceUri = stringAt(item, 'mcpAppResourceUri');
  const app = connectorId === undefined ? undefined : present({
    connectorId, linkId: stringAt(item, 'linkId'), resourceUri, appName: stringAt(item, 'appName'), actionName: stringAt(item, 'actionName'),
  });
  return body(present({
    kind: 'mcpCall' as const, server: stringAt(item, 'server') ?? '', tool: stringAt(item, 'tool') ?? '', arguments: item['arguments'] ?? null, status: statusOf(stringAt(item, 'status')),
    durationMs: durationMsOf(item['duration']), result: mcpResultOf(objectAt(item, 'result')), error: stringAt(objectAt(item, 'error') ?? {}, 'message'), app, resourceUri,
    pluginId: stringAt(item, 'pluginId'), isReadOnly: booleanAt(item, 'readOnlyHint'),
  }));
}

function agentCall(item: JsonObject): CompletedItem {
  const states = Object.entries(objectAt(item, 'agents_states') ?? {}).map(([id, state]) => [id, agentStateOf(state)] as const);
  return body(present({
    kind: 'agentCall' as const, tool: collabTools[stringAt(item, 'tool') ?? ''] ?? 'sendMessage', status: statusOf(stringAt(item, 'status')), senderThreadId: stringAt(item, 'sender_thread_id') ?? '',
    receiverThreadIds: stringsAt(item, 'receiver_thread_ids'), prompt: stringAt(item, 'prompt'), model: stringAt(item, 'model'), effort: stringAt(item, 'reasoning_effort'),
    agents: Object.fromEntries(states),
  }));
}

const sleepShape: Shape = { durationMs: 'number' };

function extension(item: JsonObject): CompletedItem | undefined {
  switch (stringAt(item, 'kind')) {
    case 'clock.sleep': return misfit(item, sleepShape) ? undefined : body({ kind: 'sleep', durationMs: numberAt(item, 'durationMs') ?? 0 });
    case 'web.search': return body(webSearch(item));
    case 'image_gen.generation': return body(imageGenerationOf(item));
    default: return undefined;
  }
}

/** A search as its item or its event tells it; only finished ones are written. */
export function webSearch(item: JsonObject): ItemBody {
  return present({
    kind: 'webSearch' as const, query: stringAt(item, 'query') ?? '', action: webActionOf(objectAt(item, 'action')), results: item['results'] ?? undefined, status: 'completed' as const,
  });
}

const readers: Readonly<Record<string, ItemReader>> = {
  UserMessage: { shape: { content: 'list' }, read: (item) => ({ input: inputPartsOf(listAt(item, 'content')), clientId: stringAt(item, 'client_id') }) },
  HookPrompt: {
    shape: { fragments: 'list' },
    read: (item) => body({ kind: 'hookPrompt', fragments: objectsAt(item, 'fragments').map((part) => ({ text: stringAt(part, 'text') ?? '', hookRunId: stringAt(part, 'hookRunId') ?? stringAt(part, 'hook_run_id') ?? '' })) }),
  },
  AgentMessage: {
    shape: { content: 'list', 'phase?': ['commentary', 'partial_answer', 'final_answer'] },
    read: (item) => (isReadableCitation(item) ? body({ kind: 'agentMessage', text: textOf(objectsAt(item, 'content')), ...messageExtrasOf(item) }) : undefined),
  },
  Plan: { shape: { text: 'string' }, read: (item) => body({ kind: 'plan', text: stringAt(item, 'text') ?? '' }) },
  Reasoning: { shape: { summary_text: 'strings', 'raw_content?': 'strings' }, read: (item) => body({ kind: 'reasoning', summary: stringsAt(item, 'summary_text'), content: stringsAt(item, 'raw_content') }) },
  CommandExecution: {
    shape: { command: 'strings', cwd: 'string', 'status': ['in_progress', 'completed', 'failed', 'declined'] },
    read: (item) => (pathOfUri(stringAt(item, 'cwd')) === undefined ? undefined : body(commandOf(item, pathOfUri(stringAt(item, 'cwd'))))),
  },
  FileChange: { shape: { changes: 'object' }, read: (item) => body({ kind: 'fileChange', changes: fileEditsOf(objectAt(item, 'changes')), status: statusOf(stringAt(item, 'status')) }) },
  McpToolCall: { shape: { server: 'string', tool: 'string' }, read: mcpCall },
  DynamicToolCall: {
    shape: { tool: 'string' },
    read: (item) => body(present({
      kind: 'toolCall' as const, namespace: stringAt(item, 'namespace'), tool: stringAt(item, 'tool') ?? '', arguments: item['arguments'] ?? null, status: statusOf(stringAt(item, 'status')),
      output: Array.isArray(item['content_items']) ? toolOutputOf(listAt(item, 'content_items')) : undefined, isSuccess: booleanAt(item, 'success'), durationMs: durationMsOf(item['duration']),
    })),
  },
  CollabAgentToolCall: { shape: { tool: Object.keys(collabTools), sender_thread_id: 'string' }, read: agentCall },
  SubAgentActivity: { shape: { agent_thread_id: 'string', kind: 'string' }, read: (item) => body(agentActivityOf(item)) },
  WebSearch: { shape: { query: 'string' }, read: (item) => body(webSearch(item)) },
  ImageView: { shape: { path: 'string' }, read: (item) => { const path = pathOfUri(stringAt(item, 'path')); return path === undefined ? undefined : body({ kind: 'imageView', path }); } },
  ImageGeneration: { shape: { status: 'string', result: 'string' }, read: (item) => body(imageGenerationOf(item)) },
  EnteredReviewMode: { shape: {}, read: (item) => body(present({ kind: 'reviewEntered' as const, hint: stringAt(item, 'user_facing_hint') })) },
  ExitedReviewMode: { shape: {}, read: (item) => body(reviewExitedOf(objectAt(item, 'review_output'))) },
  ContextCompaction: { shape: {}, read: () => body({ kind: 'compaction' }) },
  FunctionCallOutput: { shape: { name: 'string' }, read: (item) => body(present({ kind: 'callOutput' as const, name: stringAt(item, 'name') ?? '', namespace: stringAt(item, 'namespace'), output: item['output'] ?? null })) },
  Extension: { shape: { kind: 'string' }, read: extension },
};

/** Reads the item of an `item_completed`; undefined where its type or shape is one that the original program cannot read either. */
export function readCompletedItem(item: JsonObject): CompletedItem | undefined {
  const type = stringAt(item, 'type') ?? '';
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (!reader || stringAt(item, 'id') === undefined || misfit(item, reader.shape) !== undefined) return undefined;
  return reader.read(item);
}
