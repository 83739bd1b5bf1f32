import type { ContentPart, JsonObject, JsonValue, ModelItem, Native, Visibility } from '@tapefold/facts';
import { isJsonObject, textOfParts } from '@tapefold/facts';
import { type Shape, listAt, misfit, objectsAt, present, stringAt } from '../shape.js';
import { outputPartsOf } from './tool-outputs.js';

/** What a `response_item` must have for the original program to read it. Types that are absent here it drops. */
const shapes: Readonly<Record<string, Shape>> = {
  message: { role: 'string', content: 'list' },
  agent_message: { author: 'string', recipient: 'string', content: 'list' },
  reasoning: { summary: 'list' },
  local_shell_call: { status: ['completed', 'in_progress', 'incomplete'], action: 'object' },
  function_call: { name: 'string', arguments: 'string', call_id: 'string' },
  function_call_output: { output: 'any' },
  custom_tool_call: { name: 'string', input: 'string', call_id: 'string' },
  custom_tool_call_output: { call_id: 'string', output: 'any' },
  tool_search_call: { execution: 'string', arguments: 'any' },
  tool_search_output: { status: 'string', execution: 'string', tools: 'list' },
  web_search_call: {},
  image_generation_call: { status: 'string', result: 'string' },
  additional_tools: { role: 'string', tools: 'list' },
  compaction: { encrypted_content: 'string' },
  compaction_summary: { encrypted_content: 'string' },
  context_compaction: {},
  configuration_update: {},
};

/** True where today's program would read and keep this item of the model's history. */
export function isKnownModelItem(item: JsonObject): boolean {
  const type = stringAt(item, 'type') ?? '';
  return Object.hasOwn(shapes, type) && misfit(item, shapes[type] as Shape) === undefined;
}

/** Context that the program injects under the role of the user, by its opening tag or heading. */
const injectedTags = [
  '<environment_context>', '<user_instructions>', '<INSTRUCTIONS>', '# AGENTS.md instructions', '<permissions instructions>', '<skills_instructions>', '<skill>', '<collaboration_mode>',
  '<model_switch>', '<personality_spec>', '<apps_instructions>', '<plugins_instructions>', '<multi_agent_mode>', '<realtime_conversation>', '<codex_internal_context',
];
/** Instructions of a project's file, whatever it is called: a heading, then the tag. */
const fileInstructions = /^# [^\n]*\n+<INSTRUCTIONS>/;
const controlTags = ['<turn_aborted>', '<subagent_notification>', '<user_shell_command>', '<hook_prompt', '<goal_context', '<context_window'];

/** Decided once, here: what of the model's history a person typed. */
export function messageVisibility(role: string, text: string): Visibility {
  if (role === 'assistant') return 'shown';
  if (role !== 'user') return 'injected';
  const head = text.trimStart();
  if (injectedTags.some((tag) => head.startsWith(tag)) || fileInstructions.test(head)) return 'injected';
  return controlTags.some((tag) => head.startsWith(tag)) ? 'control' : 'shown';
}

function partsOf(list: readonly JsonValue[]): ContentPart[] {
  return outputPartsOf([...list]);
}

const roles = new Set(['system', 'developer', 'user', 'assistant']);

function reasoningOf(item: JsonObject, native: Native): ModelItem {
  const texts = (key: string): string[] => objectsAt(item, key).map((part) => stringAt(part, 'text') ?? '');
  return { kind: 'reasoning', summary: texts('summary'), content: texts('content'), isEncrypted: typeof item['encrypted_content'] === 'string', native };
}

function callOf(item: JsonObject, native: Native): ModelItem {
  const call = (name: string, input: JsonValue | undefined, form: 'json' | 'text' | 'server'): ModelItem => present({
    kind: 'call' as const, callId: stringAt(item, 'call_id') ?? stringAt(item, 'id'), name, namespace: stringAt(item, 'namespace'),
    input: typeof input === 'string' ? input : JSON.stringify(input ?? null), form, native,
  });
  switch (stringAt(item, 'type')) {
    case 'function_call': return call(stringAt(item, 'name') ?? '', item['arguments'], 'json');
    case 'custom_tool_call': return call(stringAt(item, 'name') ?? '', item['input'], 'text');
    case 'local_shell_call': return call('local_shell', item['action'], 'json');
    case 'tool_search_call': return call('tool_search', item['arguments'], 'json');
    case 'web_search_call': return call('web_search', item['action'], 'server');
    default: return call('image_generation', item['revised_prompt'], 'server');
  }
}

/** The neutral form of a `response_item`. Every known type has one; unknown ones become `other` and keep what they are in `native`. */
export function modelItemOf(item: JsonObject, native: Native): ModelItem {
  const type = stringAt(item, 'type') ?? '';
  switch (type) {
    case 'message': {
      const content = partsOf(listAt(item, 'content'));
      const role = stringAt(item, 'role') ?? 'user';
      return { kind: 'message', role: (roles.has(role) ? role : 'user') as 'user', content, visibility: messageVisibility(role, textOfParts(content)), native };
    }
    case 'agent_message': return { kind: 'agentMessage', author: stringAt(item, 'author') ?? '', recipient: stringAt(item, 'recipient') ?? '', content: partsOf(listAt(item, 'content')), native };
    case 'reasoning': return reasoningOf(item, native);
    case 'function_call': case 'custom_tool_call': case 'local_shell_call': case 'tool_search_call': case 'web_search_call': case 'image_generation_call': return callOf(item, native);
    case 'function_call_output': case 'custom_tool_call_output': return present({ kind: 'result' as const, callId: stringAt(item, 'call_id'), output: outputPartsOf(item['output']), native });
    case 'tool_search_output': return present({ kind: 'result' as const, callId: stringAt(item, 'call_id'), output: listAt(item, 'tools').map((raw): ContentPart => ({ kind: 'other', raw })), native });
    case 'compaction': case 'compaction_summary': case 'context_compaction': return { kind: 'compaction', isEncrypted: isJsonObject(item) && typeof item['encrypted_content'] === 'string', native };
    default: return { kind: 'other', type, native };
  }
}
