import { type FactOf, type JsonObject, type JsonValue, isJsonObject } from '@tapefold/facts';
import type { FoldOptions } from './folding.js';
import { present } from './present.js';

/** Where engine and wire name the same differently. */
const optionFields = [['label', 'label'], ['description', 'description']] as const;
const questionFields = [['header', 'header'], ['body', 'body'], ['multiSelect', 'multi_select'], ['otherLabel', 'other_label'], ['otherDescription', 'other_description']] as const;
const requestFields = [['turnId', 'turn_id'], ['toolCallId', 'tool_call_id']] as const;

function renamed(from: JsonObject, names: readonly (readonly [string, string])[]): JsonObject {
  return Object.fromEntries(names.flatMap(([own, wire]): [string, JsonValue][] => (from[own] === undefined ? [] : [[wire, from[own]]])));
}

function optionOf(option: JsonValue, id: string): JsonObject | undefined {
  return isJsonObject(option) && typeof option['label'] === 'string' ? { id, ...renamed(option, optionFields) } : undefined;
}

function questionOf(question: JsonValue, i: number): JsonObject | undefined {
  if (!isJsonObject(question) || typeof question['question'] !== 'string' || !Array.isArray(question['options'])) return undefined;
  const options = question['options'].map((option, j) => optionOf(option, `opt_${i}_${j}`));
  if (options.includes(undefined)) return undefined;
  return { id: `q_${i}`, question: question['question'], options: options as JsonObject[], ...renamed(question, questionFields), allow_other: true };
}

/**
 * A question as programs are asked it: with ids for questions and options. What cannot be read so stays as the agent wrote it, also without the
 * session's id or a time.
 */
export function questionRequest({ id, at, request }: FactOf<'interaction.requested'>, { sessionId }: FoldOptions): JsonValue {
  if (!isJsonObject(request) || !Array.isArray(request['questions']) || sessionId === undefined || at === undefined) return request;
  const questions = request['questions'].map(questionOf);
  if (questions.includes(undefined)) return request;
  return present<JsonObject>({ question_id: id, session_id: sessionId, questions: questions as JsonObject[], created_at: at, ...renamed(request, requestFields) });
}
