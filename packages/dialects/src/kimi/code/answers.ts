import type { JsonObject, LineVerdict } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { innerJson } from '../../json-text.js';
import { listAt, objectAt, objectsAt, present, stringAt } from '../../shape.js';
import { type NativeCall, endCall, startCall } from './calls.js';
import { addNode } from './chain.js';
import type { Play } from './play.js';
import { endStep } from './step-facts.js';
import { tellPart } from './step-parts.js';
import { beginStep } from './steps.js';

/* Answers that stand as whole messages: in imports from kimi-cli (schema 1.0) and in the files of a branch of the program. */

/** Flat since schema 1.1, before inside `function`. */
function callOf(raw: JsonObject): NativeCall | undefined {
  const inner = objectAt(raw, 'function') ?? raw;
  const id = stringAt(raw, 'id');
  const inputText = stringAt(inner, 'arguments');
  if (id === undefined) return undefined;
  return present({ id, name: stringAt(inner, 'name') ?? '', inputText: inputText ?? '', input: inputText === undefined || inputText === '' ? undefined : innerJson(inputText) ?? inputText }) as NativeCall;
}

function partsIn(message: JsonObject): { part: JsonObject; path: (string | number)[] }[] {
  const content = message['content'];
  if (typeof content === 'string') return [{ part: { type: 'text', text: content }, path: ['message', 'content'] }];
  return listAt(message, 'content').flatMap((part, i) => (isJsonObject(part) ? [{ part, path: ['message', 'content', i] }] : []));
}

/** A message of the model: one step, over at once. */
export function playAnswer(play: Play, message: JsonObject): LineVerdict {
  const step = beginStep(play, { uuid: stringAt(message, 'id') });
  for (const { part, path } of partsIn(message)) tellPart(play, addNode(play, { kind: 'part', step }), { step, part, path });
  for (const raw of objectsAt(message, 'toolCalls')) {
    const call = callOf(raw);
    if (call) startCall(play, addNode(play, { kind: 'part', step }), { step, call });
  }
  endStep(play, step, { status: 'completed' });
  return 'played';
}

/** A result as a message: of the newest call of that id in the turn. */
export function playToolMessage(play: Play, message: JsonObject): LineVerdict {
  const callId = stringAt(message, 'toolCallId');
  if (callId === undefined) return 'unknown';
  endCall(play, addNode(play, { kind: 'tool' }), { callId, content: message['content'], isError: message['isError'] === true, native: message, path: ['message'] });
  return 'played';
}
