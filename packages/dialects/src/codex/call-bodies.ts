import type { ItemBody, JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { innerJson } from '../json-text.js';
import { objectAt, present, stringAt, stringsAt } from '../shape.js';
import { fileEditsOfPatch, isPatchText } from './patch-text.js';
import type { CallOutcome } from './tool-outputs.js';
import { webActionOf } from './turn-items.js';

const shellTools = new Set(['shell', 'shell_command', 'exec_command', 'local_shell', 'container.exec', 'unified_exec']);
const agentTools: Readonly<Record<string, Extract<ItemBody, { kind: 'agentCall' }>['tool']>> = {
  spawn_agent: 'spawnAgent', send_input: 'sendInput', resume_agent: 'resumeAgent', wait: 'wait', wait_agent: 'wait', close_agent: 'closeAgent', send_message: 'sendMessage',
  followup_task: 'followupTask', interrupt_agent: 'interruptAgent', list_agents: 'listAgents',
};

function parsed(text: string): JsonValue {
  const value = innerJson(text);
  return value === undefined ? text : value;
}

function commandBody(args: JsonObject): ItemBody {
  const words = stringsAt(args, 'command');
  const patch = [...words, stringAt(args, 'command') ?? '', stringAt(args, 'cmd') ?? ''].find(isPatchText);
  if (patch !== undefined && (words[0] === 'apply_patch' || /\bapply_patch\b/.test(patch))) return { kind: 'fileChange', changes: fileEditsOfPatch(patch), status: 'running' };
  return present({
    kind: 'command' as const, command: words.length ? words : stringAt(args, 'cmd') ?? stringAt(args, 'command') ?? '', cwd: stringAt(args, 'workdir') ?? stringAt(args, 'working_directory'),
    source: 'agent' as const, status: 'running' as const, actions: [],
  });
}

function agentBody(tool: Extract<ItemBody, { kind: 'agentCall' }>['tool'], args: JsonObject, senderThreadId: string): ItemBody {
  const target = stringAt(args, 'target') ?? stringAt(args, 'agent_id') ?? stringAt(args, 'id');
  return present({
    kind: 'agentCall' as const, tool, status: 'running' as const, senderThreadId, receiverThreadIds: target === undefined ? [...stringsAt(args, 'targets'), ...stringsAt(args, 'ids')] : [target],
    prompt: stringAt(args, 'message') ?? stringAt(args, 'prompt'), model: stringAt(args, 'model'), effort: stringAt(args, 'reasoning_effort'), agents: {},
  });
}

function functionBody(item: JsonObject, input: string, senderThreadId: string): ItemBody {
  const name = stringAt(item, 'name') ?? '';
  const namespace = stringAt(item, 'namespace');
  const args = parsed(input);
  const mcp = /^mcp__(.+?)(?:__(.+))?$/.exec(namespace ?? name);
  if (shellTools.has(name) && isJsonObject(args)) return commandBody(args);
  if (name === 'apply_patch') return { kind: 'fileChange', changes: fileEditsOfPatch(isJsonObject(args) ? stringAt(args, 'input') ?? '' : input), status: 'running' };
  if (mcp && (namespace !== undefined || mcp[2] !== undefined)) return { kind: 'mcpCall', server: mcp[1] ?? '', tool: namespace === undefined ? mcp[2] ?? '' : name, arguments: args, status: 'running' };
  const agentTool = Object.hasOwn(agentTools, name) ? agentTools[name] : undefined;
  if (agentTool && isJsonObject(args)) return agentBody(agentTool, args, senderThreadId);
  return present({ kind: 'toolCall' as const, namespace, tool: name, arguments: args, status: 'running' as const });
}

/** What a call of the model shows before anything is known of its end. */
export function bodyOfCall(item: JsonObject, senderThreadId: string): ItemBody {
  switch (stringAt(item, 'type')) {
    case 'local_shell_call': return commandBody(objectAt(item, 'action') ?? {});
    case 'custom_tool_call': return functionBody(item, stringAt(item, 'input') ?? '', senderThreadId);
    case 'tool_search_call': return { kind: 'toolCall', tool: 'tool_search', arguments: item['arguments'] ?? null, status: 'running' };
    default: return functionBody(item, stringAt(item, 'arguments') ?? '', senderThreadId);
  }
}

/** A search or picture that the provider ran itself: the call is its own end. */
export function bodyOfServerCall(item: JsonObject): ItemBody {
  if (stringAt(item, 'type') === 'image_generation_call') {
    return present({ kind: 'imageGeneration' as const, status: stringAt(item, 'status') ?? '', revisedPrompt: stringAt(item, 'revised_prompt'), result: stringAt(item, 'result') });
  }
  const action = webActionOf(objectAt(item, 'action'));
  const query = action?.kind === 'search' ? action.query ?? action.queries?.[0] : action && 'url' in action ? action.url : undefined;
  return present({ kind: 'webSearch' as const, query: query ?? '', action, status: 'completed' as const });
}

function agentEnd(body: Extract<ItemBody, { kind: 'agentCall' }>, outcome: CallOutcome): ItemBody {
  const answer = parsed(outcome.text);
  const agentId = isJsonObject(answer) ? stringAt(answer, 'agent_id') : undefined;
  return { ...body, status: outcome.status, receiverThreadIds: agentId === undefined || body.receiverThreadIds.length ? body.receiverThreadIds : [agentId] };
}

/** The body of a call with what its output says. Kinds without a status take the output as their end. */
export function withOutcome(body: ItemBody, outcome: CallOutcome): ItemBody {
  const { status } = outcome;
  const isDone = status === 'completed';
  switch (body.kind) {
    case 'command': return present({ ...body, status, output: outcome.text, exitCode: outcome.exitCode, durationMs: outcome.durationMs });
    case 'fileChange': return { ...body, status };
    case 'toolCall': return present({ ...body, status, output: [...outcome.parts], isSuccess: isDone, durationMs: outcome.durationMs });
    case 'mcpCall': return present({
      ...body, status, durationMs: outcome.durationMs, error: isDone ? undefined : outcome.text, result: isDone ? { content: [{ type: 'text', text: outcome.text }], structuredContent: null, meta: null } : undefined,
    });
    case 'agentCall': return agentEnd(body, outcome);
    default: return body;
  }
}
