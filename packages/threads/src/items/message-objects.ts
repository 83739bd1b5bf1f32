import type { ItemBody } from '@tapefold/facts';
import type { InputBody } from '../fold/row.js';
import type { ThreadItemOf } from '../objects/thread-item.js';
import { type ObjectParts, tailOf } from './object-parts.js';
import { userContent } from './user-content.js';

type Body<K extends ItemBody['kind']> = Extract<ItemBody, { kind: K }>;

/** The protocol's words for the phases of a message. */
export const phases = { commentary: 'commentary', partialAnswer: 'partial_answer', finalAnswer: 'final_answer' } as const;

/** What a person sent, placeholders of text elements included. */
export function userMessage(body: InputBody, parts: ObjectParts): ThreadItemOf<'userMessage'> {
  return { type: 'userMessage', id: parts.id, clientId: body.clientId ?? null, content: userContent(body.content), ...tailOf(parts) };
}

/** What hooks put in, each fragment with the run that it came from. */
export function hookPrompt(body: Body<'hookPrompt'>, parts: ObjectParts): ThreadItemOf<'hookPrompt'> {
  return { type: 'hookPrompt', id: parts.id, fragments: body.fragments.map(({ text, hookRunId }) => ({ text, hookRunId })), ...tailOf(parts) };
}

/** The agent's words as it wrote them: what a person sees of them is for `@tapefold/reading` to tell. */
export function agentMessage(body: Body<'agentMessage'>, parts: ObjectParts): ThreadItemOf<'agentMessage'> {
  return {
    type: 'agentMessage', moderation: body.moderation ?? null, id: parts.id, text: body.text, phase: body.phase === undefined ? null : phases[body.phase], memoryCitation: body.citation ?? null,
    delivery: body.isAsync === true ? 'async' : null, questions: body.questions ?? null, ...tailOf(parts),
  };
}

/** An output that stands without its call. */
export function functionCallOutput(body: Body<'callOutput'>, parts: ObjectParts): ThreadItemOf<'functionCallOutput'> {
  return { type: 'functionCallOutput', id: parts.id, name: body.name, namespace: body.namespace ?? null, output: body.output, ...tailOf(parts) };
}

/** A plan that was proposed, as text. */
export function plan(body: Body<'plan'>, parts: ObjectParts): ThreadItemOf<'plan'> {
  return { type: 'plan', id: parts.id, text: body.text, ...tailOf(parts) };
}

/** Summaries and raw reasoning; both are empty where the file has it encrypted only. */
export function reasoning(body: Body<'reasoning'>, parts: ObjectParts): ThreadItemOf<'reasoning'> {
  return { type: 'reasoning', id: parts.id, summary: [...body.summary], content: [...body.content], ...tailOf(parts) };
}
