import type { ItemBody } from '@tapefold/facts';
import type { InputBody } from '../fold/row.js';
import type { ThreadItemOf } from '../objects/thread-item.js';
import { type ObjectParts, tailOf } from './object-parts.js';
import { userContent } from './user-content.js';

type Body<K extends ItemBody['kind']> = Extract<ItemBody, { kind: K }>;

const phases = { commentary: 'commentary', partialAnswer: 'partial_answer', finalAnswer: 'final_answer' } as const;

export function userMessage(body: InputBody, parts: ObjectParts): ThreadItemOf<'userMessage'> {
  return { type: 'userMessage', id: parts.id, clientId: body.clientId ?? null, content: userContent(body.content), ...tailOf(parts) };
}

export function hookPrompt(body: Body<'hookPrompt'>, parts: ObjectParts): ThreadItemOf<'hookPrompt'> {
  return { type: 'hookPrompt', id: parts.id, fragments: body.fragments.map(({ text, hookRunId }) => ({ text, hookRunId })), ...tailOf(parts) };
}

export function agentMessage(body: Body<'agentMessage'>, parts: ObjectParts): ThreadItemOf<'agentMessage'> {
  return {
    type: 'agentMessage', moderation: body.moderation ?? null, id: parts.id, text: body.text, phase: body.phase === undefined ? null : phases[body.phase], memoryCitation: body.citation ?? null,
    delivery: body.isAsync === true ? 'async' : null, questions: body.questions ?? null, ...tailOf(parts),
  };
}

export function functionCallOutput(body: Body<'callOutput'>, parts: ObjectParts): ThreadItemOf<'functionCallOutput'> {
  return { type: 'functionCallOutput', id: parts.id, name: body.name, namespace: body.namespace ?? null, output: body.output, ...tailOf(parts) };
}

export function plan(body: Body<'plan'>, parts: ObjectParts): ThreadItemOf<'plan'> {
  return { type: 'plan', id: parts.id, text: body.text, ...tailOf(parts) };
}

export function reasoning(body: Body<'reasoning'>, parts: ObjectParts): ThreadItemOf<'reasoning'> {
  return { type: 'reasoning', id: parts.id, summary: [...body.summary], content: [...body.content], ...tailOf(parts) };
}
