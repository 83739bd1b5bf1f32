import type { ItemBody } from '@tapefold/facts';
import type { ThreadItemOf } from '../objects/thread-item.js';
import { agentCallStatus } from './item-status.js';
import { type ObjectParts, tailOf } from './object-parts.js';

type Body<K extends ItemBody['kind']> = Extract<ItemBody, { kind: K }>;

/** A call to other agents, with how each stood then, by thread id. */
export function collabAgentToolCall(body: Body<'agentCall'>, parts: ObjectParts): ThreadItemOf<'collabAgentToolCall'> {
  const { status, outcome } = agentCallStatus(parts.progress);
  const states = Object.entries(body.agents).map(([id, state]) => [id, { status: state.status, message: state.message ?? null }] as const);
  return {
    type: 'collabAgentToolCall', id: parts.id, tool: body.tool, status, senderThreadId: body.senderThreadId, receiverThreadIds: [...body.receiverThreadIds], prompt: body.prompt ?? null,
    model: body.model ?? null, reasoningEffort: body.effort ?? null, agentsStates: Object.fromEntries(states), ...tailOf(parts, outcome),
  };
}

/** What happened to a sub-agent that works beside the turn. */
export function subAgentActivity(body: Body<'agentActivity'>, parts: ObjectParts): ThreadItemOf<'subAgentActivity'> {
  return {
    type: 'subAgentActivity', model: body.model ?? null, reasoningEffort: body.effort ?? null, id: parts.id, kind: body.activity, agentThreadId: body.agentThreadId, agentPath: body.agentPath,
    ...tailOf(parts),
  };
}
