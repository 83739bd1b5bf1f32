import type { JsonObject } from '@tapefold/facts';
import { markOf } from '../id-table.js';
import { booleanAt, objectAt, present, stringAt } from '../shape.js';
import { textOf } from './line.js';
import { type Play, refs, say } from './play.js';
import type { CallState } from './state.js';

/** Calls of which the prompt is remembered, the newest: a chain of sub-agent lines begins soon after its call. */
const REMEMBERED_CALLS = 100;

export function noteAgentCall(play: Play, call: string, input: JsonObject): void {
  const prompt = stringAt(input, 'prompt');
  if (prompt !== undefined) play.state.agentCalls = [...play.state.agentCalls.slice(1 - REMEMBERED_CALLS), { call, mark: markOf(prompt) }];
}

/** Says once which call an agent belongs to. */
export function describeAgent(play: Play, of: { agentId: string; call: CallState; result?: JsonObject }): void {
  const { state } = play;
  const { agentId, call, result = {} } = of;
  if (state.describedAgents.includes(agentId)) return;
  state.describedAgents.push(agentId);
  const input = objectAt({ input: call.tool.input ?? null }, 'input') ?? {};
  say(play, present({
    type: 'agent.described' as const, ...refs(play), call: call.itemId, agentId, kind: 'sub' as const, parentCall: call.itemId, role: stringAt(result, 'agentType') ?? stringAt(input, 'subagent_type'),
    description: stringAt(input, 'description'), model: stringAt(result, 'resolvedModel') ?? stringAt(input, 'model'), isBackground: booleanAt(input, 'run_in_background') === true ? true : undefined,
  }));
}

/** The first line of a sub-agent whose lines stand in its parent's file: it is found by what its call told it. */
export function describeRun(play: Play): void {
  const { state, run, line } = play;
  if (run.agent === undefined || state.describedAgents.includes(run.agent)) return;
  const mark = markOf(textOf(line.blocks));
  const parentCall = state.agentCalls.find((call) => call.mark === mark)?.call;
  state.describedAgents.push(run.agent);
  say(play, present({ type: 'agent.described' as const, agentId: run.agent, kind: 'sub' as const, parentCall }));
}
