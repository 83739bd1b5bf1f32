import type { JsonObject } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt } from '../shape.js';
import { describeAgent } from './agents.js';
import { callOf } from './calls.js';
import { type Play, say } from './play.js';

/** Parts of an output that a progress line shows: its end. */
const SHOWN_CHARS = 2_000;

function progressOf(data: JsonObject): { kind: 'stdout' | 'status' | 'custom'; text?: string; data?: JsonObject } | undefined {
  switch (stringAt(data, 'type')) {
    case 'bash_progress': return present({ kind: 'stdout' as const, text: (stringAt(data, 'output') ?? '').slice(-SHOWN_CHARS), data: present({ elapsedTimeSeconds: numberAt(data, 'elapsedTimeSeconds') as number, totalLines: numberAt(data, 'totalLines') as number }) });
    case 'mcp_progress': return present({ kind: 'status' as const, text: stringAt(data, 'status') as string });
    case 'waiting_for_task': return present({ kind: 'status' as const, text: stringAt(data, 'taskDescription') as string });
    default: return undefined;
  }
}

/** How far a call is, and which agent works for it. Lines of a sub-agent that are repeated here stand in its own file. */
export function tellProgress(play: Play): boolean {
  const data = objectAt(play.line.raw, 'data') ?? {};
  const call = callOf(play, stringAt(play.line.raw, 'parentToolUseID'));
  const agentId = stringAt(data, 'agentId');
  if (call && agentId !== undefined && stringAt(data, 'type') === 'agent_progress') describeAgent(play, { agentId, call });
  const progress = progressOf(data);
  const turn = call && play.state.turns[play.state.nodes[call.node]?.turn ?? -1]?.key;
  if (!call || !progress || turn === undefined) return false;
  say(play, { type: 'item.changed', turn, call: call.itemId, id: call.itemId, progress });
  return true;
}
