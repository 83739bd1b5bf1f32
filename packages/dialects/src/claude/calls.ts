import type { ItemBody, JsonObject, LargeRef } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { lookUp, put } from '../id-table.js';
import { objectAt, present, stringAt } from '../shape.js';
import { describeAgent, noteAgentCall } from './agents.js';
import { appendEntry } from './context.js';
import type { Block } from './line.js';
import { type Play, noteItem, refs, say, turnOf } from './play.js';
import type { CallState, ToolUse } from './state.js';
import { bodyOfCall } from './tool-bodies.js';

/** Tools that ask the person, and what they ask. */
const questions: Readonly<Record<string, 'approval' | 'question'>> = { ExitPlanMode: 'approval', AskUserQuestion: 'question' };

export function questionOf(name: string): 'approval' | 'question' | undefined {
  return Object.hasOwn(questions, name) ? questions[name] : undefined;
}

/** A call of the model begins: its item, its entry, and what a result will need. */
export function startCall(play: Play, block: Block, of: { step: number; index: number }): void {
  const { raw } = block;
  const itemId = stringAt(raw, 'id') ?? `${play.node.uuid}.${of.index}`;
  const name = stringAt(raw, 'name') ?? '';
  const input = objectAt(raw, 'input') ?? {};
  const body = bodyOfCall({ name, input, cwd: stringAt(play.line.raw, 'cwd'), threadId: play.run.agent ?? play.state.threadId });
  const tool: ToolUse = present({ name, input: raw['input'] });
  const item = noteItem(play, say(play, present({
    type: 'item.started' as const, ...refs(play, of.step), call: itemId, id: itemId, body, visibility: 'shown' as const, tool, isAdded: false, startedAtMs: timeMs(play),
  })));
  keepCall(play, { itemId, item, name });
  if (name === 'Task' || name === 'Agent') noteAgentCall(play, itemId, input);
  appendEntry(play, {
    as: 'line', step: of.step, call: itemId, shows: item,
    item: present({ kind: 'call' as const, callId: stringAt(raw, 'id'), name, input: JSON.stringify(raw['input'] ?? {}), form: 'json' as const, native: block.path && play.pen.native(play.line.record, raw, [...block.path]) }),
  });
  const question = questionOf(name);
  if (question) say(play, { type: 'interaction.requested', ...refs(play, of.step), call: itemId, id: itemId, kind: question, request: input });
}

export function timeMs(play: Play): number | undefined {
  return play.line.at === undefined ? undefined : Date.parse(play.line.at);
}

/** Remembers the call as it was written, so that its large texts need not be held. */
function keepCall(play: Play, of: { itemId: string; item: string; name: string }): void {
  const written = play.pen.facts.at(-1);
  if (written?.type !== 'item.started') return;
  const { body, tool = { name: of.name }, large, startedAtMs } = written;
  const call: CallState = present({ node: play.at, item: of.item, itemId: of.itemId, name: of.name, body, tool, large, startedAtMs });
  put(play.state.calls, of.itemId, call);
  const turn = turnOf(play);
  if (turn && !turn.calls.includes(of.itemId)) turn.calls.push(of.itemId);
}

export function callOf(play: Play, id: string | undefined): CallState | undefined {
  return id === undefined ? undefined : lookUp(play.state.calls, id);
}

/** Where the texts of the earlier record stand that the newer one repeats as stand-ins. */
function carried(call: CallState, body: ItemBody): LargeRef[] | undefined {
  const kept = (call.large ?? []).filter(({ at }) => at[0] === 'tool' || JSON.stringify(atPath(call.body, at.slice(1))) === JSON.stringify(atPath(body, at.slice(1))));
  return kept.length ? kept : undefined;
}

function atPath(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? (inner as JsonObject)[key] : undefined), value);
}

/** Ends the call's item in its own turn and step. */
export function completeCall(play: Play, call: CallState, of: { body: ItemBody; tool: ToolUse }): void {
  const node = play.state.nodes[call.node];
  const own = present({ turn: play.state.turns[node?.turn ?? -1]?.key, step: play.state.steps[node?.step ?? -1]?.key });
  say(play, present({
    type: 'item.completed' as const, ...own, call: call.itemId, id: call.itemId, body: of.body, visibility: 'shown' as const, tool: of.tool, isAdded: false, startedAtMs: call.startedAtMs, completedAtMs: timeMs(play),
    large: carried(call, of.body),
  }));
}

/** The call is answered: its turn waits for it no longer. */
export function releaseCall(play: Play, call: CallState): void {
  const turn = play.state.turns[play.state.nodes[call.node]?.turn ?? -1];
  if (turn) turn.calls = turn.calls.filter((id) => id !== call.itemId);
}

/** A sub-agent that a result names. */
export function agentOfResult(play: Play, call: CallState): string | undefined {
  const result = play.line.raw['toolUseResult'];
  const named = isJsonObject(result) ? stringAt(result, 'agentId') : undefined;
  if (named !== undefined) describeAgent(play, { agentId: named, call, result: isJsonObject(result) ? result : {} });
  return named;
}
