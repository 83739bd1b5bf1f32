import type { ContentPart, JsonObject, JsonValue } from '@tapefold/facts';
import type { RequestProfile } from '../normalise/profile.js';
import type { CallItem, RequestItem } from '../normalise/request-item.js';
import { dataOf, inputObject, nativeOf, toolName, wordsOf } from './parts.js';
import { callIds, roundsOf } from './rounds.js';

/** The parts of a Messages request that the history decides. */
export interface AnthropicRequest {
  /** Texts of the system prompt, in order. */
  readonly system: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
}

const isBlank = (text: string): boolean => text.trim() === '';
/** Blocks of white space alone are refused. */
const textBlocks = (text: string): JsonObject[] => (isBlank(text) ? [] : [{ type: 'text', text }]);

function imageBlock(part: Extract<ContentPart, { kind: 'image' | 'file' }>, type: 'image' | 'document'): JsonObject | undefined {
  const { url, fileId } = part.source;
  if (fileId !== undefined) return { type, source: { type: 'file', file_id: fileId } };
  if (url === undefined) return undefined;
  const data = dataOf(url);
  return { type, source: data ? { type: 'base64', media_type: data.mediaType, data: data.data } : { type: 'url', url } };
}

/** `isOwn`: blocks that no neutral part stands for were written for this provider. */
function blocksOf(parts: readonly ContentPart[], isOwn: boolean): JsonObject[] {
  return parts.flatMap((part) => {
    if (isOwn && part.kind === 'other' && isObject(part.raw)) return [part.raw];
    const media = part.kind === 'image' ? imageBlock(part, 'image') : part.kind === 'file' ? imageBlock(part, 'document') : undefined;
    return media ? [media] : textBlocks(wordsOf(part));
  });
}

function otherBlocks({ item }: RequestItem, isOwn: boolean): JsonObject[] {
  switch (item.kind) {
    case 'message': case 'media': return blocksOf(item.content, isOwn);
    case 'agentMessage': return [...textBlocks(`Message from ${item.author} to ${item.recipient}:`), ...blocksOf(item.content, isOwn)];
    case 'summary': return textBlocks(item.text);
    case 'compaction': return textBlocks('[earlier conversation, compacted for another provider]');
    case 'reasoning': case 'call': case 'result': case 'other': return [];
    default: return [];
  }
}

type Ids = ReadonlyMap<CallItem, string>;
interface Told { readonly isOwn: boolean; readonly profile: RequestProfile; readonly ids: Ids; readonly answered: ReadonlySet<CallItem> }

const thinkingTypes = new Set(['thinking', 'redacted_thinking']);

/** Blocks of the model's that stand alone, beside its calls to us: a server's tools, and what comes new. */
const isAlone = (type: string): boolean => type !== 'tool_use' && type !== 'tool_result';

/** Whether a block is of the kind that its item is. */
function isFitting(type: string, { item, answers }: RequestItem): boolean {
  switch (item.kind) {
    case 'reasoning': return thinkingTypes.has(type);
    case 'result': return answers !== undefined && type === 'tool_result';
    case 'call': case 'other': return isAlone(type);
    case 'message': case 'agentMessage': case 'media': case 'summary': case 'compaction': return false;
    default: return false;
  }
}

/** The provider's own block for an item, where its record is one. */
function ownBlock(one: RequestItem, { profile }: Told): JsonObject | undefined {
  const raw = one.isAltered ? undefined : nativeOf(one.item, profile.nativeDialect);
  return raw && typeof raw['type'] === 'string' && isFitting(raw['type'], one) ? raw : undefined;
}

function modelBlocks(one: RequestItem, told: Told): JsonObject[] {
  const { item } = one;
  const own = ownBlock(one, told);
  if (item.kind === 'message') return blocksOf(item.content, told.isOwn);
  if (item.kind === 'reasoning' || item.kind === 'other') return own ? [own] : [];
  if (item.kind !== 'call') return [];
  if (told.answered.has(item)) return [{ type: 'tool_use', id: told.ids.get(item) ?? '', name: toolName(item), input: inputObject(item.input) }];
  return own ? [own] : textBlocks(`[${item.name} call: ${item.input}]`);
}

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function resultBlock(one: RequestItem, told: Told): JsonObject[] {
  const { item, answers } = one;
  if (item.kind !== 'result' || !answers) return [];
  const tool_use_id = told.ids.get(answers) ?? '';
  const own = ownBlock(one, told);
  if (own) return [{ ...own, tool_use_id }];
  return [{ type: 'tool_result', tool_use_id, content: blocksOf(item.output, told.isOwn), ...(item.isError === undefined ? {} : { is_error: item.isError }) }];
}

/** Messages take turns: what one side says in a row is one message. */
function joined(messages: readonly { readonly role: string; readonly content: readonly JsonObject[] }[]): JsonObject[] {
  const out: { role: string; content: JsonObject[] }[] = [];
  for (const { role, content } of messages) {
    const last = out.at(-1);
    if (!content.length) continue;
    if (last?.role === role) last.content.push(...content);
    else out.push({ role, content: [...content] });
  }
  // The first word is a user's.
  return out[0]?.role === 'assistant' ? [{ role: 'user', content: textBlocks('[the conversation begins with the assistant]') }, ...out] : out;
}

const isSystem = ({ item }: RequestItem): boolean => item.kind === 'message' && (item.role === 'system' || item.role === 'developer');

/**
 * `system` and `messages` of an Anthropic request: messages take turns, results stand first in the user's message behind their calls, calls have unique ids.
 * System and developer messages in front of the conversation go to `system`, later ones are said by the user. Never throws.
 */
export function renderAnthropic(items: readonly RequestItem[], profile: RequestProfile): AnthropicRequest {
  const start = items.findIndex((one) => !isSystem(one));
  const front = start < 0 ? items : items.slice(0, start);
  const rest = start < 0 ? [] : items.slice(start);
  const isOwn = profile.nativeDialect !== undefined;
  const told: Told = { isOwn, profile, ids: callIds(rest), answered: new Set(rest.flatMap(({ answers }) => answers ?? [])) };
  const messages = roundsOf(rest).flatMap(({ side, items: said, results }) => {
    if (side === 'other') return [{ role: 'user', content: said.flatMap((one) => otherBlocks(one, isOwn)) }];
    return [{ role: 'assistant', content: said.flatMap((one) => modelBlocks(one, told)) }, { role: 'user', content: results.flatMap((result) => resultBlock(result, told)) }];
  });
  return { system: front.flatMap((one) => otherBlocks(one, isOwn)), messages: joined(messages) };
}
