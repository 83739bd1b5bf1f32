import type { Fact, ItemBody } from '@tapefold/facts';

function withShownIds(body: ItemBody, idOf: (agentId: string) => string): ItemBody {
  if (body.kind === 'agentActivity') return { ...body, agentThreadId: idOf(body.agentThreadId) };
  if (body.kind !== 'agentCall') return body;
  const agents = Object.fromEntries(Object.entries(body.agents).map(([id, state]) => [idOf(id), state]));
  return { ...body, senderThreadId: idOf(body.senderThreadId), receiverThreadIds: body.receiverThreadIds.map(idOf), agents };
}

/** A fact with the thread ids that are shown for sub-agents, where it speaks of any; facts keep native ids. */
export function withShownAgents(fact: Fact, idOf: (agentId: string) => string): Fact {
  if (fact.type !== 'item.started' && fact.type !== 'item.completed') return fact;
  const body = withShownIds(fact.body, idOf);
  return body === fact.body ? fact : { ...fact, body };
}
