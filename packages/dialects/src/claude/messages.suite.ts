import { readFileSync } from 'node:fs';
import { type ContentPart, type Fact, type JsonObject, type JsonValue, type ModelItem, isJsonObject, parseFactKey } from '@tapefold/facts';

/*
 * The messages that the model would read next, from facts: claude-history §7.1 in the simplest way that could be right, and the normal form of §7.3. The real
 * fold is another package's; here it checks that the facts say enough.
 */

interface Entry { readonly ordinal: number; readonly item: ModelItem; readonly isLive: boolean; readonly step?: string | undefined; readonly line: number }
/** A field that should be a text, as one. */
export function plainText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

export interface Message { role: string; content: JsonObject[] }

function unreadOrdinals(facts: readonly Fact[]): Set<number> {
  const unread = new Set<number>();
  for (const fact of facts) {
    if (fact.type !== 'history.superseded' && fact.type !== 'history.restored') continue;
    for (const { from, to } of fact.context) for (let at = from; at < to; at++) {
      if (fact.type === 'history.superseded') unread.add(at);
      else unread.delete(at);
    }
  }
  return unread;
}

/** The model's history, in its order. */
export function historyOf(facts: readonly Fact[], agent?: string): Entry[] {
  const unread = unreadOrdinals(facts);
  let list: Entry[] = [];
  for (const fact of facts) {
    if (fact.agent !== agent) continue;
    const isLive = !unread.has(fact.ordinal);
    if (fact.type === 'context.appended') {
      const after = fact.after === undefined ? -1 : list.findIndex(({ ordinal }) => ordinal === parseFactKey(fact.after ?? '')?.ordinal);
      list.splice(after < 0 ? list.length : after + 1, 0, { ordinal: fact.ordinal, item: fact.item, isLive, step: fact.step, line: fact.line.offset });
    } else if (fact.type === 'context.cleared' && isLive) list = [];
    else if (fact.type === 'context.compacted' && isLive) {
      const before = list;
      list = (fact.replacement ?? []).flatMap((kept): Entry[] => (kept.kind === 'kept'
        ? before.filter(({ ordinal, isLive: wasLive }) => wasLive && ordinal >= kept.entries.from && ordinal < kept.entries.to)
        : [{ ordinal: fact.ordinal, item: kept, isLive: true, line: fact.line.offset }]));
    }
  }
  return list.filter(({ isLive }) => isLive);
}

function blockOf(part: ContentPart): JsonObject[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }];
  const data = part.kind === 'image' ? /^data:([^;]*);base64,(.*)$/s.exec(part.source.url ?? '') : null;
  if (data) return [{ type: 'image', source: { type: 'base64', media_type: data[1] ?? '', data: data[2] ?? '' } }];
  return part.kind === 'other' && isJsonObject(part.raw) ? [part.raw] : [{ type: part.kind }];
}

const rawOf = (item: ModelItem): JsonObject | undefined => ('native' in item && item.native && 'raw' in item.native && isJsonObject(item.native.raw) ? item.native.raw : undefined);

/** One entry as blocks of a message; none where the program leaves it out of a request. */
function blocksOf(entry: Entry, answered: ReadonlySet<string | undefined>, called: ReadonlySet<string | undefined>): JsonObject[] {
  const { item } = entry;
  switch (item.kind) {
    // What was typed inside a turn is glued into the result before it (§7.2).
    case 'message': return rawOf(item)?.['type'] === 'queued_command' ? [] : item.content.flatMap(blockOf);
    case 'summary': return [{ type: 'text', text: item.text }];
    case 'call': return answered.has(item.callId) ? [{ type: 'tool_use', id: item.callId ?? '', name: item.name, input: JSON.parse(item.input) as JsonValue }] : [];
    case 'result': return called.has(item.callId) ? [{ type: 'tool_result', tool_use_id: item.callId ?? '', content: rawOf(item)?.['content'] ?? item.output.flatMap(blockOf), ...(item.isError ? { is_error: true } : {}) }] : [];
    case 'reasoning': return [rawOf(item) ?? {}];
    default: return [];
  }
}

const roleOf = ({ item }: Entry): string => (item.kind === 'message' ? item.role : item.kind === 'call' || item.kind === 'reasoning' ? 'assistant' : 'user');
const isThinking = (block: JsonObject): boolean => block['type'] === 'thinking' || block['type'] === 'redacted_thinking';
const isBlank = (block: JsonObject): boolean => block['type'] === 'text' && plainText(block['text']).trim() === '';

/** The messages of the next request, before the normal form. */
export function messagesOf(facts: readonly Fact[], agent?: string): Message[] {
  const entries = historyOf(facts, agent);
  const ids = (kind: 'call' | 'result'): Set<string | undefined> => new Set(entries.flatMap(({ item }) => (item.kind === kind ? [item.callId] : [])));
  const [answered, called] = [ids('result'), ids('call')];
  const isLost = (line: number): boolean => {
    const calls = entries.filter((entry) => entry.line === line && entry.item.kind === 'call');
    return calls.length > 0 && calls.every(({ item }) => item.kind === 'call' && !answered.has(item.callId));
  };
  const groups: { of: string; message: Message }[] = [];
  for (const entry of entries) {
    if (roleOf(entry) === 'assistant' && isLost(entry.line)) continue;
    const of = roleOf(entry) === 'assistant' && entry.step ? entry.step : `entry ${entry.ordinal}`;
    const last = groups.at(-1);
    const content = blocksOf(entry, answered, called);
    if (last?.of === of) last.message.content.push(...content);
    else groups.push({ of, message: { role: roleOf(entry), content } });
  }
  return groups.map(({ message }) => message).filter(({ role, content }) => role !== 'assistant' || !(content.every(isThinking) || content.every(isBlank)));
}

function normalText(text: string): string {
  const rest = text.startsWith('<system-reminder>') ? text.slice(text.lastIndexOf('</system-reminder>') + '</system-reminder>'.length) : text;
  return rest.trim();
}

function normalResult(block: JsonObject): JsonObject {
  const content = Array.isArray(block['content']) ? block['content'].filter(isJsonObject) : [{ type: 'text', text: plainText(block['content'] ?? '') }];
  const kept: JsonObject[] = [];
  for (const part of content) {
    if (part['type'] === 'tool_reference') { kept.push({ type: 'text', text: 'reference' }); continue; }
    if (part['type'] !== 'text') { kept.push(part); continue; }
    const [before = '', ...rest] = plainText(part['text']).split('<system-reminder>');
    if (before.trim() !== '') kept.push({ type: 'text', text: before.trim() });
    if (rest.length) break;
  }
  return { type: 'tool_result', tool_use_id: block['tool_use_id'] ?? '', content: kept, ...(block['is_error'] === true ? { is_error: true } : {}) };
}

function normalBlock(block: JsonObject): JsonObject[] {
  switch (block['type']) {
    case 'text': { const text = normalText(plainText(block['text'])); return text === '' || text === '(no content)' ? [] : [{ type: 'text', text }]; }
    case 'tool_result': return [normalResult(block)];
    case 'tool_use': return [{ type: 'tool_use', id: block['id'] ?? '', name: block['name'] === 'Task' ? 'Agent' : block['name'] ?? '', input: block['name'] === 'ExitPlanMode' ? {} : block['input'] ?? {} }];
    case 'thinking': case 'redacted_thinking': { const { signature: _signature, cache_control: _cache, ...rest } = block; return [rest]; }
    default: { const { cache_control: _cache, ...rest } = block; return [rest]; }
  }
}

/** The normal form of §7.3. */
export function normalMessages(messages: readonly { role: string; content: JsonValue }[]): Message[] {
  const normal: Message[] = [];
  for (const { role, content } of messages) {
    if (role === 'system') continue;
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content.filter(isJsonObject) : []).flatMap(normalBlock);
    const last = normal.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length) normal.push({ role, content: blocks });
  }
  for (const message of normal) message.content = [...message.content.filter(({ type }) => type === 'tool_result'), ...message.content.filter(({ type }) => type !== 'tool_result')];
  return normal;
}

const added = new Set(['Continue from where you left off.', 'No response requested.', 'ORACLE PROBE']);

/** Without what the program adds at the end when it takes a session up again. */
export function withoutProbe(messages: readonly Message[]): Message[] {
  const kept = messages.map(({ role, content }) => ({ role, content: [...content] }));
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    while (added.has(plainText(last.content.at(-1)?.['text']))) last.content.pop();
    if (last.content.length) break;
    kept.pop();
  }
  return kept;
}

export function readJsonFile(path: string): JsonValue {
  return JSON.parse(readFileSync(path, 'utf8')) as JsonValue;
}
