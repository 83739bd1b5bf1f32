import type { ContentPart, JsonObject } from '@tapefold/facts';
import type { RequestProfile } from '../normalise/profile.js';
import type { CallItem, RequestItem } from '../normalise/request-item.js';
import { plainText, toolName, wordsOf } from './parts.js';
import { callIds, roundsOf } from './rounds.js';

function partOf(part: ContentPart): JsonObject {
  if (part.kind === 'image' && part.source.url !== undefined) return { type: 'image_url', image_url: { url: part.source.url } };
  return { type: 'text', text: wordsOf(part) };
}

/** A text, or parts where there is a picture between. */
function contentOf(parts: readonly ContentPart[]): string | JsonObject[] {
  const hasPicture = parts.some((part) => part.kind === 'image' && part.source.url !== undefined);
  return hasPicture ? parts.map(partOf) : plainText(parts);
}

const form = ({ isMessagePerItem }: RequestProfile, role: string): string => (role === 'developer' && !isMessagePerItem ? 'system' : role);

function otherMessage({ item }: RequestItem, profile: RequestProfile): JsonObject {
  switch (item.kind) {
    case 'message': return { role: form(profile, item.role), content: contentOf(item.content) };
    case 'agentMessage': return { role: 'user', content: `Message from ${item.author} to ${item.recipient}:\n${plainText(item.content)}` };
    case 'media': return { role: 'user', content: contentOf(item.content) };
    case 'summary': return { role: 'user', content: item.text };
    case 'compaction': return { role: 'user', content: '[earlier conversation, compacted for another provider]' };
    case 'reasoning': case 'call': case 'result': case 'other': return { role: 'user', content: '' };
    default: return { role: 'user', content: '' };
  }
}

/** What the model said, a server's own call included. */
function modelText({ item }: RequestItem): string {
  if (item.kind === 'message') return plainText(item.content);
  return item.kind === 'call' ? `[${item.name} call: ${item.input}]` : '';
}

type Ids = ReadonlyMap<CallItem, string>;

function toolCall(call: CallItem, ids: Ids): JsonObject {
  const input = call.form === 'text' ? JSON.stringify({ input: call.input }) : call.input;
  return { id: ids.get(call) ?? '', type: 'function', function: { name: toolName(call), arguments: input } };
}

function toolMessage({ item, answers }: RequestItem, ids: Ids, profile: RequestProfile): JsonObject {
  const content = item.kind === 'result' ? (profile.hasMediaInResults ? contentOf(item.output) : plainText(item.output)) : '';
  return { role: 'tool', tool_call_id: (answers && ids.get(answers)) ?? '', content };
}

/** Calls that have a result, and so are calls to us. */
const answeredIn = (results: readonly RequestItem[]): ReadonlySet<CallItem> => new Set(results.flatMap(({ answers }) => answers ?? []));

/** An answer with its thinking, in the field that the profile names; thinking alone is an answer, too. */
function withThinking(answer: readonly JsonObject[], items: readonly RequestItem[], { thinkingField }: RequestProfile): JsonObject[] {
  if (thinkingField === undefined) return [...answer];
  const thought = items.map(({ item }) => (item.kind === 'reasoning' ? [...item.summary, ...item.content].join('') : '')).join('');
  const messages = answer.length || thought === '' ? answer : [{ role: 'assistant', content: null }];
  return messages.map((message) => ({ ...message, [thinkingField]: thought }));
}

function assistantMessage(items: readonly RequestItem[], results: readonly RequestItem[], ids: Ids): JsonObject[] {
  const answered = answeredIn(results);
  const isCall = ({ item }: RequestItem): boolean => item.kind === 'call' && answered.has(item);
  const calls = items.flatMap(({ item }) => (item.kind === 'call' && answered.has(item) ? [toolCall(item, ids)] : []));
  const text = items.filter((one) => !isCall(one)).map(modelText).filter((words) => words !== '').join('\n\n');
  if (!calls.length && text === '') return [];
  return [{ role: 'assistant', content: text === '' ? null : text, ...(calls.length ? { tool_calls: calls } : {}) }];
}

/** Pictures that a tool returned: a tool's message takes only text, so they follow as a user's. */
function pictures(results: readonly RequestItem[]): JsonObject[] {
  const parts = results.flatMap(({ item }) => (item.kind === 'result' ? item.output.filter((part) => part.kind === 'image' && part.source.url !== undefined) : []));
  return parts.length ? [{ role: 'user', content: parts.map(partOf) }] : [];
}

/** One message for each item, in the order of the history. */
function perItem(items: readonly RequestItem[], profile: RequestProfile, ids: Ids): JsonObject[] {
  const answered = answeredIn(items);
  return items.flatMap((one): JsonObject[] => {
    if (one.answers) return [toolMessage(one, ids, profile)];
    if (one.item.kind === 'reasoning' || one.item.kind === 'result') return [];
    if (one.item.kind === 'call' && answered.has(one.item)) return [{ role: 'assistant', content: null, tool_calls: [toolCall(one.item, ids)] }];
    if (one.item.kind === 'call') return [{ role: 'assistant', content: modelText(one) }];
    return [otherMessage(one, profile)];
  });
}

/**
 * The `messages` of a Chat Completions request: texts and calls of one answer in one message, the results of its calls right behind it. Tool calls carry
 * their arguments as text; a tool with free text as input gets it in `input`. Never throws.
 */
export function renderChat(items: readonly RequestItem[], profile: RequestProfile): JsonObject[] {
  const ids = callIds(items);
  if (profile.isMessagePerItem) return perItem(items, profile, ids);
  return roundsOf(items).flatMap(({ side, items: said, results }) => {
    if (side === 'other') return said.map((one) => otherMessage(one, profile));
    return [...withThinking(assistantMessage(said, results, ids), said, profile), ...results.map((result) => toolMessage(result, ids, profile)), ...(profile.hasMediaInResults ? [] : pictures(results))];
  });
}
