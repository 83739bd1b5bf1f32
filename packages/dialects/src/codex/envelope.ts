import type { JsonObject } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { numberAt, objectAt, stringAt } from '../shape.js';
import type { CodexRecord } from './state.js';

/** What a parsed record is, before its payload is looked at. */
export type Enveloped =
  | { readonly kind: 'record'; readonly record: CodexRecord; readonly name: string }
  | { readonly kind: 'unknown'; readonly why: 'type' | 'shape'; readonly name: string; readonly field?: string }
  | { readonly kind: 'ignored'; readonly name: string };

const envelopeTypes = new Set([
  'session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted', 'world_state', 'token_usage_record', 'inter_agent_communication',
  'inter_agent_communication_metadata', 'retained_context', 'security_risk_score', 'realtime_item', 'dynamic_tools_updated',
]);

/** Types of bare records in files of 2025, which are the model's items themselves. */
export const bareItemTypes = new Set([
  'message', 'reasoning', 'local_shell_call', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'web_search_call', 'image_generation_call',
]);

/** The name under which the ledger counts records whose type is absent or empty. */
const NO_TYPE = '(no type)';

/** The UTF-16 unit that the escape at `at` (its backslash) writes, or -1 where it is no `\u` escape. */
function escapedUnit(text: string, at: number): number {
  const digits = text[at] === '\\' && text[at + 1] === 'u' ? text.slice(at + 2, at + 6) : '';
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/** Every line is looked through for `\ud`, so the search hops from one `\u` to the next. */
function hasSurrogateEscape(text: string): boolean {
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at + 2)) if (text[at + 2] === 'd' || text[at + 2] === 'D') return true;
  return false;
}

/**
 * True where the text has half a surrogate pair as an escape: the original program cannot read such a line. A backslash that is itself escaped begins
 * none (`"\\ud800"` is source code that somebody quoted). Linear; only looked for where an escape of that kind occurs at all.
 */
export function hasLoneSurrogate(text: string): boolean {
  if (!hasSurrogateEscape(text)) return false;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    const unit = escapedUnit(text, at);
    if (unit < 0xd800 || unit > 0xdfff) { at += 2; continue; }
    const next = escapedUnit(text, at + 6);
    if (unit >= 0xdc00 || next < 0xdc00 || next > 0xdfff) return true;
    at += 12;
  }
  return false;
}

/** Opens the envelope of a record of any age. */
export function openEnvelope(raw: JsonObject, at: { index: number; isRepaired: boolean; isFirst: boolean }): Enveloped {
  const type = stringAt(raw, 'type');
  if (isJsonObject(raw['payload']) && type !== undefined) return withEnvelope(raw, type, at);
  if (type !== undefined && bareItemTypes.has(type)) return { kind: 'record', record: bare(raw, 'response_item', at), name: `bare/${type}` };
  if (stringAt(raw, 'record_type') !== undefined) return { kind: 'ignored', name: `bare/${stringAt(raw, 'record_type')}` };
  if (at.isFirst && type === undefined && stringAt(raw, 'id') !== undefined) return { kind: 'record', record: bare(raw, 'session_meta', at), name: 'bare/session_meta' };
  return { kind: 'unknown', why: type === undefined ? 'shape' : 'type', name: type || NO_TYPE, field: type === undefined ? 'type' : 'payload' };
}

const inPayload = ['payload'] as const;

function withEnvelope(raw: JsonObject, type: string, at: { index: number; isRepaired: boolean }): Enveloped {
  const payload = objectAt(raw, 'payload') as JsonObject;
  const name = nameOf(type || NO_TYPE, payload);
  if (!envelopeTypes.has(type)) return { kind: 'unknown', why: 'type', name };
  const time = stringAt(raw, 'timestamp');
  if (time === undefined) return { kind: 'unknown', why: 'shape', name, field: 'timestamp' };
  return { kind: 'record', name, record: { type, payload, at: time, ordinal: numberAt(raw, 'ordinal'), isRepaired: at.isRepaired, index: at.index, path: inPayload } };
}

function bare(raw: JsonObject, type: string, at: { index: number; isRepaired: boolean }): CodexRecord {
  return { type, payload: raw, at: stringAt(raw, 'timestamp'), ordinal: undefined, isRepaired: at.isRepaired, index: at.index, path: [] };
}

/** The name under which the ledger counts a record. */
function nameOf(type: string, payload: JsonObject): string {
  const inner = stringAt(payload, 'type');
  const item = type === 'event_msg' && inner === 'item_completed' ? objectAt(payload, 'item') : undefined;
  if (item) return joined('event_msg/item_completed', stringAt(item, 'type') ?? '?');
  return inner === undefined || type === 'realtime_item' ? type : joined(type, inner);
}

/** Names are few and come with every line, and a new string costs more than a look-up: also whoever counts by it. Hostile ones are not kept. */
const namesByType = new Map<string, Map<string, string>>();
const NAMES_KEPT = 200;

function joined(type: string, inner: string): string {
  const known = namesByType.get(type)?.get(inner);
  if (known !== undefined) return known;
  const name = `${type}/${inner}`;
  const names = namesByType.get(type) ?? new Map<string, string>();
  if (namesByType.size < NAMES_KEPT && names.size < NAMES_KEPT) namesByType.set(type, names.set(inner, name));
  return name;
}
