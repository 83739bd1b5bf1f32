import type { ContentPart, JsonObject, JsonValue, ModelItem } from '@tapefold/facts';
import type { RequestProfile } from '../normalise/profile.js';
import { isOfServer } from '../normalise/pairing.js';
import type { CallItem, RequestItem, ResultItem } from '../normalise/request-item.js';
import { nativeOf, safeId, wordsOf } from './parts.js';
import { callIds } from './rounds.js';

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
  if (answers && call && typeof call['type'] === 'string' && isFitting(call, { item: answers }, dialect)) return outputTypes[call['type']] ?? 'function_call_output';
  return answers?.form === 'text' ? 'custom_tool_call_output' : 'function_call_output';
}

function resultOf(one: RequestItem, item: ResultItem, dialect: string | undefined): JsonObject {
  const type = outputTypeOf(one, dialect);
  const callId = item.callId ?? '';
  return type === 'tool_search_output' ? { type, call_id: callId, status: 'completed', execution: 'client', tools: [] } : { type, call_id: callId, output: outputOf(item.output) };
}

function callOf(item: Extract<ModelItem, { kind: 'call' }>): JsonObject {
  const { callId = '', name, namespace, input, form } = item;
  if (isOfServer(item)) return words('assistant', `[${name} call: ${input}]`);
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

/** Types that come in pairs; the others stand alone. */
const callTypes = new Set(['function_call', 'custom_tool_call', 'tool_search_call', 'local_shell_call']);
const resultTypes = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output']);

/** Whether a record pairs as its item does: one that says something else would be no pair for the provider. */
function isFitting(raw: JsonObject, one: RequestItem, dialect: string | undefined): boolean {
  const type = typeof raw['type'] === 'string' ? raw['type'] : '';
  const { item } = one;
  if (item.kind === 'result') return one.answers ? type === outputTypeOf(one, dialect) && raw['call_id'] === item.callId : type === 'tool_search_output';
  if (item.kind === 'call' && !isOfServer(item)) return callTypes.has(type) && (raw['call_id'] ?? raw['id']) === item.callId;
  return (!callTypes.has(type) && !resultTypes.has(type)) || (item.kind === 'call' && raw['execution'] === 'server');
}

function itemOf(one: RequestItem, { nativeDialect }: RequestProfile): JsonObject {
  const raw = nativeOf(one.item, nativeDialect);
  if (!raw || !isFitting(raw, one, nativeDialect)) return neutral(one, nativeDialect);
  const sent = Object.fromEntries(Object.entries(raw).filter(([key]) => !ownKeys.has(key)));
  return one.isAltered ? overlaid(sent, one, nativeDialect) : sent;
}

/** Gives a second call of one id another one, and its result with it: ids repeat over turns of a file, in a request they must not. */
function withOwnId(item: JsonObject, call: CallItem | undefined, ids: ReadonlyMap<CallItem, string>): JsonObject {
  const id = call && ids.get(call);
  return id === undefined || id === call?.callId || item['call_id'] === undefined ? item : { ...item, call_id: id };
}

/** The `input` of an OpenAI Responses request. Records of the profile's own dialect are sent as they are. Never throws. */
export function renderResponses(items: readonly RequestItem[], profile: RequestProfile): JsonObject[] {
  const ids = callIds(items, (id) => id);
  return items.map((one) => withOwnId(itemOf(one, profile), one.item.kind === 'call' ? one.item : one.answers, ids));
}
