import type { ContentPart, ItemBody, ItemStatus, JsonObject, JsonValue } from '@tapefold/facts';
import { booleanAt, listAt, numberAt, objectAt, objectsAt, present, stringAt, stringsAt } from '../shape.js';
import { toolOutputOf, webSearch } from './completed-items.js';
import { agentActivityOf, agentStateOf, commandOf, durationMsOf, fileEditsOf, imageGenerationOf, mcpResultOf, statusOf, textElementsOf } from './turn-items.js';

const wordAt = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** The parts of a legacy `user_message`, in the order in which the original program shows them. A blank message has no text part. */
export function userPartsOf(event: JsonObject): ContentPart[] {
  const message = stringAt(event, 'message') ?? '';
  const details = (key: string, i: number): { detail?: string } => present({ detail: wordAt(listAt(event, key)[i]) });
  const text: ContentPart[] = message.trim() === '' ? [] : [present({ kind: 'text' as const, text: message, elements: textElementsOf(objectsAt(event, 'text_elements')) })];
  return [
    ...text,
    ...stringsAt(event, 'images').map((url, i): ContentPart => ({ kind: 'image', source: { url }, ...details('image_details', i) })),
    ...stringsAt(event, 'local_images').map((path, i): ContentPart => ({ kind: 'image', source: { path }, ...details('local_image_details', i) })),
    ...stringsAt(event, 'audio').map((url): ContentPart => ({ kind: 'audio', source: { url } })),
    ...stringsAt(event, 'local_audio').map((path): ContentPart => ({ kind: 'audio', source: { path } })),
  ];
}

const REQUEST_HEADING = '## My request for Codex:';

/** What the agent's list shows of a first prompt: without the wrapper that IDE clients put before the request. */
export function firstPromptOf(parts: readonly ContentPart[]): string {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const heading = text.indexOf(REQUEST_HEADING);
  const request = (heading < 0 ? text : text.slice(heading + REQUEST_HEADING.length)).trim();
  return request === '' && parts.some((part) => part.kind === 'image') ? '[Image]' : request;
}

/** The body of an MCP call as its events write it: running without a result, failed by `Err` and by an `Ok` that says `isError`. */
export function mcpCallOf(event: JsonObject): ItemBody {
  const invocation = objectAt(event, 'invocation') ?? {};
  const outcome = objectAt(event, 'result') ?? {};
  const result = objectAt(outcome, 'Ok');
  const failure = outcome['Err'];
  const isFailed = failure !== undefined || (result !== undefined && booleanAt(result, 'isError') === true);
  const connectorId = stringAt(event, 'connector_id');
  const resourceUri = stringAt(event, 'mcp_app_resource_uri');
  return present({
    kind: 'mcpCall' as const, server: stringAt(invocation, 'server') ?? '', tool: stringAt(invocation, 'tool') ?? '', arguments: invocation['arguments'] ?? null,
    status: (isFailed ? 'failed' : result ? 'completed' : 'running') as ItemStatus, durationMs: durationMsOf(event['duration']), result: mcpResultOf(result),
    error: typeof failure === 'string' ? failure : undefined, resourceUri, pluginId: stringAt(event, 'plugin_id'), isReadOnly: booleanAt(event, 'read_only_hint'),
    app: connectorId === undefined ? undefined : present({ connectorId, linkId: stringAt(event, 'link_id'), resourceUri, appName: stringAt(event, 'app_name'), actionName: stringAt(event, 'action_name') }),
  });
}

/** The body of a patch as its events write it. Old ones have no status; `success` tells then. */
export function patchOf(event: JsonObject): Extract<ItemBody, { kind: 'fileChange' }> {
  const status = stringAt(event, 'status');
  const success = booleanAt(event, 'success');
  return {
    kind: 'fileChange', changes: fileEditsOf(objectAt(event, 'changes')),
    status: status === undefined && success !== undefined ? (success ? 'completed' : 'failed') : statusOf(status),
  };
}

/** The body of a dynamic tool call as its events write it; a response that does not say how it went has completed. */
export function dynamicCallOf(event: JsonObject, isResponse: boolean): ItemBody {
  const success = booleanAt(event, 'success');
  return present({
    kind: 'toolCall' as const, namespace: stringAt(event, 'namespace'), tool: stringAt(event, 'tool') ?? '', arguments: event['arguments'] ?? null,
    status: (isResponse ? (success === false ? 'failed' : 'completed') : 'running') as ItemStatus, output: isResponse ? toolOutputOf(listAt(event, 'content_items')) : undefined,
    isSuccess: success, durationMs: durationMsOf(event['duration']),
  });
}

type AgentCall = Extract<ItemBody, { kind: 'agentCall' }>;
const collabEvents: Readonly<Record<string, AgentCall['tool']>> = {
  collab_agent_spawn: 'spawnAgent', collab_agent_interaction: 'sendInput', collab_waiting: 'wait', collab_close: 'closeAgent', collab_resume: 'resumeAgent',
};

/** A sub-agent call as the `collab_*` events of early 2026 tell it; undefined for any other event. */
export function collabCallOf(type: string, event: JsonObject): { body: AgentCall; isEnd: boolean } | undefined {
  const phase = /^(collab_\w+)_(begin|end)$/.exec(type);
  const tool = phase && collabEvents[phase[1] ?? ''];
  if (!phase || !tool) return undefined;
  const isEnd = phase[2] === 'end';
  const receiver = stringAt(event, 'new_thread_id') ?? stringAt(event, 'receiver_thread_id');
  const receivers = receiver === undefined ? stringsAt(event, 'receiver_thread_ids') : [receiver];
  const states = objectAt(event, 'statuses') ?? (receiver !== undefined && event['status'] !== undefined ? { [receiver]: event['status'] } : {});
  const isFailed = isEnd && event['status'] === 'not_found';
  return {
    isEnd,
    body: present({
      kind: 'agentCall' as const, tool, status: (isEnd ? (isFailed ? 'failed' : 'completed') : 'running') as ItemStatus, senderThreadId: stringAt(event, 'sender_thread_id') ?? '',
      receiverThreadIds: receivers.length ? receivers : Object.keys(states), prompt: stringAt(event, 'prompt') || undefined, model: stringAt(event, 'model'), effort: stringAt(event, 'reasoning_effort'),
      agents: Object.fromEntries(Object.entries(states).map(([id, state]) => [id, agentStateOf(state)])),
    }),
  };
}

/** What an event of the "extended" persistence shows that today's writer no longer keeps: always added, by call id. */
export interface AddedEvent {
  readonly callId: string;
  readonly turnId: string | undefined;
  readonly body: ItemBody;
  readonly isEnd: boolean;
}

/** Events that the original program skips in legacy files; undefined for all others. */
export function addedEventOf(type: string, event: JsonObject): AddedEvent | undefined {
  const callId = stringAt(event, 'call_id') ?? stringAt(event, 'callId');
  if (callId === undefined) return undefined;
  const at = { callId, turnId: stringAt(event, 'turn_id') || stringAt(event, 'turnId') || undefined };
  switch (type) {
    case 'exec_command_begin': return { ...at, isEnd: false, body: { ...commandOf(event, stringAt(event, 'cwd')), status: 'running' } };
    case 'exec_command_end': return { ...at, isEnd: true, body: commandOf(event, stringAt(event, 'cwd')) };
    case 'patch_apply_begin': return { ...at, isEnd: false, body: { ...patchOf(event), status: 'running' } };
    case 'mcp_tool_call_begin': return { ...at, isEnd: false, body: mcpCallOf(event) };
    case 'web_search_begin': return { ...at, isEnd: false, body: { kind: 'webSearch', query: stringAt(event, 'query') ?? '', status: 'running' } };
    case 'view_image_tool_call': return { ...at, isEnd: true, body: { kind: 'imageView', path: stringAt(event, 'path') ?? '' } };
    case 'dynamic_tool_call_request': return { ...at, isEnd: false, body: dynamicCallOf(event, false) };
    case 'dynamic_tool_call_response': return { ...at, isEnd: true, body: dynamicCallOf(event, true) };
    default: {
      const collab = collabCallOf(type, event);
      return collab && { ...at, ...collab };
    }
  }
}

/** An event that the original program shows in legacy files under the record's own id; undefined for all others. */
export function namedEventOf(type: string, event: JsonObject): { id: string; body: ItemBody; completedAtMs?: number } | undefined {
  const id = stringAt(event, type === 'sub_agent_activity' ? 'event_id' : 'call_id');
  if (id === undefined) return undefined;
  switch (type) {
    case 'patch_apply_end': return { id, body: patchOf(event) };
    case 'mcp_tool_call_end': return { id, body: mcpCallOf(event) };
    case 'web_search_end': return { id, body: webSearch(event) };
    case 'image_generation_end': return { id, body: imageGenerationOf(event) };
    case 'sub_agent_activity': return { id, body: agentActivityOf(event), ...present({ completedAtMs: numberAt(event, 'occurred_at_ms') }) };
    default: return undefined;
  }
}

/** Fragments of `<hook_prompt hook_run_id="…">…</hook_prompt>`, unescaped; undefined where the text is not made of them alone. */
export function hookFragmentsOf(text: string): { text: string; hookRunId: string }[] | undefined {
  const open = '<hook_prompt hook_run_id="';
  const close = '</hook_prompt>';
  const fragments: { text: string; hookRunId: string }[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const quote = rest.startsWith(open) ? rest.indexOf('">', open.length) : -1;
    const end = quote < 0 ? -1 : rest.indexOf(close, quote);
    if (end < 0) return undefined;
    fragments.push({ hookRunId: unescaped(rest.slice(open.length, quote)), text: unescaped(rest.slice(quote + 2, end)) });
    rest = rest.slice(end + close.length).trimStart();
  }
  return fragments.length ? fragments : undefined;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
function unescaped(text: string): string {
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (...[whole, name, decimal, hex]: [whole: string, name?: string, decimal?: string, hex?: string]) => {
    if (name) return entities[name] ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

