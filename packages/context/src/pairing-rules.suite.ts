import type { JsonObject } from '@tapefold/facts';
import { isItems } from './recorded.suite.js';

const textAt = (object: JsonObject, key: string): string => (typeof object[key] === 'string' ? object[key] : '');
const listAt = (object: JsonObject | undefined, key: string): Record<string, unknown>[] => {
  const value = object?.[key];
  return isItems(value) ? value : [];
};

const callTypes: Readonly<Record<string, string>> = { function_call: 'function_call_output', custom_tool_call: 'custom_tool_call_output', tool_search_call: 'tool_search_output', local_shell_call: 'function_call_output' };
const outputTypes = new Set(Object.values(callTypes));

/** What the Responses API refuses: a call without its output behind it, an output without its call in front, one of another type; ids that repeat. */
export function responsesFaults(input: readonly JsonObject[]): string[] {
  const open = new Map<string, string>();
  const used = new Set<string>();
  const faults: string[] = [];
  for (const item of input) {
    const type = textAt(item, 'type');
    const expects = callTypes[type];
    const id = textAt(item, 'call_id');
    if (item['execution'] === 'server') continue;
    if (expects !== undefined) {
      if (used.has(id)) faults.push(`id ${id} again`);
      used.add(id);
      open.set(id, expects);
    }
    if (!outputTypes.has(type)) continue;
    if (open.get(id) !== type) faults.push(`${type} ${id} answers ${open.get(id) ?? 'nothing'}`);
    open.delete(id);
  }
  return [...faults, ...[...open].map(([id, left]) => `call ${id} waits for ${left}`)];
}

const blockIds = (blocks: readonly Record<string, unknown>[], type: string, key: string): string[] => blocks.filter((block) => block['type'] === type).map((block) => String(block[key]));

/** What the Messages API refuses: messages out of turn, empty ones, results that are not the next message's first blocks, one id twice, bad ids and names. */
export function anthropicFaults(messages: readonly JsonObject[]): string[] {
  const used = new Set<string>();
  return messages.flatMap((message, i) => {
    const blocks = listAt(message, 'content');
    const next = listAt(messages[i + 1], 'content');
    const calls = blockIds(blocks, 'tool_use', 'id');
    const before = blockIds(listAt(messages[i - 1], 'content'), 'tool_use', 'id');
    const results = blockIds(blocks, 'tool_result', 'tool_use_id');
    const isFirst = blocks.slice(0, results.length).every((block) => block['type'] === 'tool_result');
    const again = calls.filter((id) => used.has(id) || !/^[\w-]+$/.test(id));
    calls.forEach((id) => used.add(id));
    const names = blocks.filter((block) => block['type'] === 'tool_use' && !/^[\w-]{1,128}$/.test(String(block['name'])));
    const blank = blocks.filter((block) => block['type'] === 'text' && String(block['text']).trim() === '');
    return [
      ...(textAt(message, 'role') === (i % 2 === 0 ? 'user' : 'assistant') ? [] : [`message ${i} is out of turn`]), ...(blocks.length ? [] : [`message ${i} is empty`]), ...blank.map(() => `message ${i} has a blank text`),
      ...calls.filter((id) => blockIds(next, 'tool_result', 'tool_use_id').filter((result) => result === id).length !== 1).map((id) => `call ${id} has no result behind it`),
      ...results.filter((id) => !before.includes(id)).map((id) => `result ${id} has no call in front`), ...(isFirst ? [] : [`results of message ${i} do not come first`]),
      ...again.map((id) => `id ${id} again, or bad`), ...names.map((block) => `bad name ${String(block['name'])}`),
    ];
  });
}

/** What Chat Completions refuses: calls whose results do not follow at once, results without a call, one id twice, an empty answer. */
export function chatFaults(messages: readonly JsonObject[]): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  let open: string[] = [];
  messages.forEach((message, i) => {
    const role = textAt(message, 'role');
    if (role === 'tool') {
      const id = textAt(message, 'tool_call_id');
      if (!open.includes(id)) faults.push(`result ${id} of message ${i} has no call`);
      open = open.filter((other) => other !== id);
      return;
    }
    faults.push(...open.map((id) => `call ${id} has no result before message ${i}`));
    open = listAt(message, 'tool_calls').map((call) => String(call['id']));
    faults.push(...open.filter((id) => used.has(id)).map((id) => `id ${id} again`));
    open.forEach((id) => used.add(id));
    if (role === 'assistant' && message['content'] === null && open.length === 0) faults.push(`message ${i} says nothing`);
  });
  return [...faults, ...open.map((id) => `call ${id} has no result`)];
}
