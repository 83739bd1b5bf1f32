import { isJsonObject } from '@tapefold/facts';
import { lookUp, put } from '../../id-table.js';
import { innerJson } from '../../json-text.js';
import { objectAt, present, stringAt } from '../../shape.js';
import { impliedCall } from './calls.js';
import { type Play, here, say } from './play.js';
import { type CallState, type RunState, freshRun } from './state.js';
import { payloadOf } from './words.js';

/** A record of a sub-agent that stands in the log of its parent, as the sub-agent's own; undefined where it names no call or holds no event. */
export function insideOf(play: Play): Play | undefined {
  const { payload, state } = play;
  const event = objectAt(payload, 'event');
  const callId = stringAt(payload, 'parent_tool_call_id') ?? stringAt(payload, 'task_tool_call_id');
  const type = event && stringAt(event, 'type');
  if (!event || callId === undefined || type === undefined || type === 'SubagentEvent') return undefined;
  const agentId = stringAt(payload, 'agent_id') ?? callId;
  const known = lookUp(state.groups, `${callId} ${agentId}`);
  const runIndex = known ?? beginAgent(play, { callId, agentId });
  return { ...play, type, payload: payloadOf(event), path: [...play.path, 'event', 'payload'], run: state.runs[runIndex] as RunState, runIndex };
}

/** What the call says that it is for. */
function descriptionOf(call: CallState): string | undefined {
  const input = innerJson(call.arguments);
  return isJsonObject(input) ? stringAt(input, 'description') : undefined;
}

/** The first record of a sub-agent: its call now shows whom it started. Calls that the log has lost are implied. */
function beginAgent(play: Play, { callId, agentId }: { readonly callId: string; readonly agentId: string }): number {
  const { state, payload } = play;
  const call = lookUp(state.calls, callId) ?? impliedCall(play, callId, 'Task');
  const runIndex = state.runs.push(freshRun(agentId)) - 1;
  put(state.groups, `${callId} ${agentId}`, runIndex);
  call.agent = agentId;
  say(play, present({ type: 'agent.described' as const, ...here(play), agentId, kind: 'sub' as const, role: stringAt(payload, 'subagent_type'), description: descriptionOf(call), parentCall: callId, parentAgentId: 'main' }));
  if (call.body.kind === 'agentCall') {
    call.body = { ...call.body, receiverThreadIds: [agentId], agents: { [agentId]: { status: 'running' } } };
    say(play, present({ type: 'item.started' as const, turn: call.turn ?? undefined, step: call.step ?? undefined, call: callId, id: callId, body: call.body, visibility: 'shown' as const, isAdded: false, startedAtMs: call.startedAtMs, large: call.large }));
  }
  return runIndex;
}
