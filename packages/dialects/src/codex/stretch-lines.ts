import type { JsonObject } from '@tapefold/facts';
import { isJsonObject, readJson } from '@tapefold/facts';
import { countAt, objectAt, stringAt } from '../shape.js';
import { turnIdOf } from './calls.js';
import { hasLoneSurrogate } from './envelope.js';
import { eventType } from './legacy-shapes.js';

/** Characters of a line by which it is told what it is: the envelope, the type of what is in it, and its ids. */
const STRETCH_HEAD_CHARS = 400;

/** A line of a rollout as `CodexStretches` looks at it. Its bytes are at hand, text is made only of what is asked for. */
export interface StretchLine {
  /** Its first byte in the file. */
  readonly offset: number;
  /** So many of its first characters, each a byte. */
  readonly head: (chars: number) => string;
  /** Whether nothing can be glued on it; false where its bytes look so, and then only its text tells. */
  readonly isSurelyOne: () => boolean;
  /** Whether from such a text on it ends as the line that was asked for the same before; false where the text does not occur. */
  readonly endsAsBefore: (text: string) => boolean;
  /** Undefined where its bytes are no text. */
  readonly text: () => string | undefined;
}

/** What a line is, as far as it matters for where play can begin. */
export interface LineSign {
  readonly ordinal: number;
  readonly type: string;
  /** Type of the event or of the item in it; empty where there is none. */
  readonly inner: string;
  /** Turn that it names. */
  readonly turnId?: string | undefined;
  /** Of a completed item. */
  readonly itemType?: string | undefined;
  readonly itemId?: string | undefined;
  /** Of a call of the model, or of its output. */
  readonly callId?: string | undefined;
}

const turnEvents: ReadonlySet<string> = new Set(['task_started', 'task_complete', 'turn_aborted']);
/** Older names of them, and events whose type does not come first. */
const unclearEvents: ReadonlySet<string> = new Set(['turn_started', 'turn_complete', '']);
/** Items of the model that call something whose end an output tells. */
export const callTypes: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call']);
export const outputTypes: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output']);

/** The envelope as today's writers put it, and behind it the ids of an event, of its turn and of the item that it completes, or of an output, where that is a text. Ids are plain: ASCII, and no escape. */
const fields = /^\{"timestamp":"[^"\\]*","ordinal":(\d{1,15}),"type":"([a-z_]+)","payload":\{(?:"type":"([a-z_]+)"(?:,"(?:id|thread_id|root_turn_id)":"[^"\\]*")?(?:,"turn_id":"([ !#-[\]-~]+)")?(?:,"item":\{"type":"([A-Za-z]+)","id":"([ !#-[\]-~]+)")?(?:,"call_id":"([ !#-[\]-~]+)","output":")?)?/;
const plainId = /^[ !#-[\]-~]+$/;

/** Whether an event was told all that it may be asked for. */
function isClearEvent({ inner, turnId, itemId }: LineSign): boolean {
  if (inner === 'item_completed') return itemId !== undefined;
  return turnEvents.has(inner) ? turnId !== undefined : !unclearEvents.has(inner);
}

/** Calls whose arguments are a text, and which must have an id: of others a nested object may say what looks like it. */
const textCalls: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call']);

/** A letter of a key could stand so. */
const escapedLetter = /\\u00[4-7]/;

/** The text under a key, at any depth; undefined where there is none, empty where it stands there twice, or not as today's writers put it. In a text a quote has a backslash before it. */
function textUnder(key: string, line: string): string | undefined {
  const sought = `${key}"`;
  const found = line.indexOf(sought);
  if (found < 0) return undefined;
  const from = found + sought.length + 2;
  const isPlain = line[found - 1] === '"' && line.startsWith(':"', from - 2) && line.indexOf(sought, from) < 0;
  return isPlain ? line.slice(from, line.indexOf('"', from)) : '';
}

/** Keys are written in any order in a call, and stand behind texts of any length. */
function callSign(line: StretchLine, { ordinal, type, inner }: LineSign): LineSign | undefined {
  if (!textCalls.has(inner)) return undefined;
  const whole = line.head(Infinity);
  const [callId, turnId] = [textUnder('call_id', whole), textUnder('turn_id', whole)];
  const isPlain = callId !== undefined && plainId.test(callId) && (turnId === undefined || plainId.test(turnId)) && !escapedLetter.test(whole);
  return isPlain ? { ordinal, type, inner, callId, turnId } : undefined;
}

/** By its first characters, where it is written as today's writers do. */
function quickSign(line: StretchLine): LineSign | undefined {
  const found = fields.exec(line.head(STRETCH_HEAD_CHARS));
  if (!found) return undefined;
  const sign: LineSign = { ordinal: Number(found[1]), type: found[2] ?? '', inner: found[3] ?? '', turnId: found[4], itemType: found[5], itemId: found[6], callId: found[7] };
  if (sign.type === 'event_msg') return isClearEvent(sign) ? sign : undefined;
  if (sign.type !== 'response_item') return sign;
  if (callTypes.has(sign.inner)) return callSign(line, sign);
  return sign.inner === '' || (outputTypes.has(sign.inner) && sign.callId === undefined) ? undefined : sign;
}

/** The record of a line; undefined where it is none, or one that the original cannot read. */
export function recordOf(line: StretchLine): JsonObject | undefined {
  const text = line.text();
  if (text === undefined || hasLoneSurrogate(text)) return undefined;
  const { value } = readJson(text);
  return isJsonObject(value) && stringAt(value, 'timestamp') !== undefined ? value : undefined;
}

function parsedSign(line: StretchLine): LineSign | undefined {
  const record = recordOf(line) ?? {};
  const payload = objectAt(record, 'payload');
  const [ordinal, type] = [countAt(record, 'ordinal'), stringAt(record, 'type')];
  if (!payload || ordinal === undefined || type === undefined) return undefined;
  const item = objectAt(payload, 'item');
  const isEvent = type === 'event_msg';
  return {
    ordinal, type, inner: isEvent ? eventType(payload) : stringAt(payload, 'type') ?? '', turnId: isEvent ? stringAt(payload, 'turn_id') : turnIdOf(payload), itemType: item && stringAt(item, 'type'), itemId: item && stringAt(item, 'id'),
    callId: stringAt(payload, 'call_id') ?? (outputTypes.has(stringAt(payload, 'type') ?? '') ? undefined : stringAt(payload, 'id')),
  };
}

/** What a line is; undefined where it is no single record with a number. */
export function signOf(line: StretchLine): LineSign | undefined {
  return line.isSurelyOne() || recordOf(line) ? quickSign(line) ?? parsedSign(line) : undefined;
}
