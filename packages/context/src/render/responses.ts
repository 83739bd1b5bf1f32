import type { ContentPart, JsonObject, JsonValue, ModelItem } from '@tapefold/facts';
import type { RequestProfile } from '../normalise/profile.js';
import type { RequestItem, ResultItem } from '../normalise/request-item.js';
import { nativeOf, safeId, wordsOf } from './parts.js';

/** What a program keeps for itself in a record, and never sends. */
const ownKeys = new Set(['internal_chat_message_metadata_passthrough']);

function partOf(part: ContentPart, textType: 'input_text' | 'output_text'): JsonObject {
  const { kind } = part;
  if (kind === 'image') {
    const { url, fileId } = part.source;
    if (url !== undefined || fileId !== undefined) {
      return { type: 'input_image', ...(url === undefined ? { file_id: fileId ?? '' } : { image_url: url }), ...(part.detail === undefined ? {} : { detail: part.detail }) };
    }
  }
  if (kind === 'encrypted') return { type: 'encrypted_content', encrypted_content: part.data };
  if (kind === 'audio' && part.source.url !== undefined) return { type: 'input_audio', audio_url: part.source.url };
  if (kind === 'other' && typeof part.raw === 'object' && part.raw !== null && !Array.isArray(part.raw)) return part.raw;
  return { type: textType, text: wordsOf(part) };
}

const partsOf = (parts: readonly ContentPart[], textType: 'input_text' | 'output_text'): JsonObject[] => parts.map((part) => partOf(part, textType));

const message = (role: string, content: readonly ContentPart[]): JsonObject => ({ type: 'message', role, content: partsOf(content, role === 'assistant' ? 'output_text' : 'input_text') });
const words = (role: string, text: string): JsonObject => message(role, [{ kind: 'text', text }]);

/** A text where the output is one, else the list of its parts. */
function outputOf(output: readonly ContentPart[]): JsonValue {
  const only = output[0];
  if (output.length === 0) return '';
  return output.length === 1 && only?.kind === 'text' ? only.text : partsOf(output, 'input_text');
}

const outputTypes: Readonly<Record<string, string>> = { custom_tool_call: 'custom_tool_call_output', tool_search_call: 'tool_search_output' };

/** The type that the result of a call must have. */
function outputTypeOf({ answers }: RequestItem, dialect: string | undefined): string {
  const call = answers && nativeOf(answers, dialect);
  if (call && typeof call['type'] === 'string') return outputTypes[call['type']] ?? 'function_call_output';
  return answers?.form === 'text' ? 'custom_tool_call_output' : 'function_call_output';
}

function resultOf(one: RequestItem, item: ResultItem, dialect: string | undefined): JsonObject {
  const type = outputTypeOf(one, dialect);
  const callId = item.callId ?? '';
  return type === 'tool_search_output' ? { type, call_id: callId, status: 'completed', execution: 'client', tools: [] } : { type, call_id: callId, output: outputOf(item.output) };
}

function callOf(item: Extract<ModelItem, { kind: 'call' }>): JsonObject {
  const { callId = '', name, namespace, input, form } = item;
  if (form === 'server') return words('assistant', `[${name} call: ${input}]`);
  const call = { call_id: callId, name, ...(namespace === undefined ? {} : { namespace }) };
  return form === 'text' ? { type: 'custom_tool_call', ...call, input } : { type: 'function_call', ...call, arguments: input };
}

/** The form of an item that says nothing of the provider that it came from. */
function neutral(one: RequestItem, dialect: string | undefined): JsonObject {
  const { item } = one;
  switch (item.kind) {
    case 'message': return message(item.role, item.content);
    case 'agentMessage': return message('user', [{ kind: 'text', text: `Message from ${item.author} to ${item.recipient}:\n` }, ...item.content]);
    case 'reasoning': return { type: 'reasoning', summary: item.summary.map((text) => ({ type: 'summary_text', text })), content: item.content.map((text) => ({ type: 'reasoning_text', text })) };
    case 'call': return callOf(item);
    case 'result': return resultOf(one, item, dialect);
    case 'media': return message('user', item.content);
    case 'summary': return words('user', item.text);
    case 'compaction': return words('user', '[earlier conversation, compacted for another provider]');
    case 'other': return words('user', `[${safeId(item.type)}]`);
    default: return words('user', '');
  }
}

/** The native record with what normalisation changed in it. */
function overlaid(raw: JsonObject, one: RequestItem, dialect: string | undefined): JsonObject {
  const { item } = one;
  if (item.kind === 'result') return { ...raw, output: outputOf(item.output) };
  return 'content' in item && item.kind !== 'reasoning' ? { ...raw, content: neutral(one, dialect)['content'] ?? [] } : raw;
}

/** Items of a `response_item` shape whose result type belongs to another kind of call are no pair for the provider. */
function isFitting(raw: JsonObject, one: RequestItem, dialect: string | undefined): boolean {
  return one.item.kind !== 'result' || !one.answers || raw['type'] === outputTypeOf(one, dialect);
}

function itemOf(one: RequestItem, { nativeDialect }: RequestProfile): JsonObject {
  const raw = nativeOf(one.item, nativeDialect);
  if (!raw || !isFitting(raw, one, nativeDialect)) return neutral(one, nativeDialect);
  const sent = Object.fromEntries(Object.entries(raw).filter(([key]) => !ownKeys.has(key)));
  return one.isAltered ? overlaid(sent, one, nativeDialect) : sent;
}

/** The `input` of an OpenAI Responses request. Records of the profile's own dialect are sent as they are. Never throws. */
export function renderResponses(items: readonly RequestItem[], profile: RequestProfile): JsonObject[] {
  return items.map((one) => itemOf(one, profile));
}
