import type { ItemBody, ItemStatus, JsonObject, JsonValue } from '@tapefold/facts';
import { put, remove } from '../id-table.js';
import { finite, numberAt, objectAt, present, stringAt } from '../shape.js';
import { agentOfResult, callOf, completeCall, questionOf, releaseCall } from './calls.js';
import { messageItem, outputParts, resultItem } from './content.js';
import { appendEntry } from './context.js';
import type { Block } from './line.js';
import { type Outcome, outcomeOf } from './outcomes.js';
import { type Play, noteItem, refs, say } from './play.js';
import type { CallState, ToolUse } from './state.js';
import { noteTodos } from './todos.js';
import { startTask } from './tasks.js';
import { displayOf, editedBody, mcpContent } from './tool-bodies.js';

interface Answer {
  readonly call: CallState;
  readonly outcome: Outcome;
  readonly block: JsonObject;
  /** The machine-readable twin of the result, where it is an object. */
  readonly result: JsonObject;
  readonly agentId: string | undefined;
}

/** A line with results of calls; other blocks on it are the program's. */
export function tellResults(play: Play): void {
  const { blocks } = play.line;
  for (const block of blocks) if (block.type === 'tool_result') answer(play, block);
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  if (others.length) appendEntry(play, { as: 'quiet', item: messageItem({ role: 'user', visibility: 'injected', blocks: others }) });
}

function answer(play: Play, block: Block): void {
  const { raw } = block;
  const id = stringAt(raw, 'tool_use_id');
  const call = callOf(play, id);
  const step = call && play.state.nodes[call.node]?.step;
  if (!call) tellOrphan(play, block);
  else endCall(play, call, raw);
  appendEntry(play, { as: 'result', item: resultItem(play.pen, play.line, block), call: id, shows: call?.item, step });
}

/** A result whose call is not in the file. */
function tellOrphan(play: Play, block: Block): void {
  const output = outputParts(block.raw).map((part): JsonValue => (part.kind === 'text' ? part.text : part.kind === 'other' ? part.raw : part.kind));
  noteItem(play, say(play, {
    type: 'item.completed', ...refs(play), id: `${play.node.uuid}.${play.line.blocks.indexOf(block)}`, body: { kind: 'callOutput', name: '', output: output.length === 1 ? output[0] ?? null : output }, visibility: 'shown', isAdded: false,
  }));
}

function endCall(play: Play, call: CallState, block: JsonObject): void {
  const outcome = outcomeOf(play.line.raw, block, call.name);
  const result = objectAt(play.line.raw, 'toolUseResult') ?? {};
  const agentId = agentOfResult(play, call);
  const answered: Answer = { call, outcome, block, result, agentId };
  const body = finishedBody(answered);
  completeCall(play, call, { body, tool: finishedTool(answered, body) });
  releaseCall(play, call);
  play.run.rejected = outcome.isPlainRejection ? call.itemId : null;
  if (outcome.status === 'completed') noteTodos(play, call, result);
  resolveQuestion(play, answered);
  noteStoredOutput(play, result);
  settleCall(play, answered, body);
}

/** Background work goes on under the call; any other call is done with, but for an interrupt right behind. */
function settleCall(play: Play, { call, outcome, agentId }: Answer, body: ItemBody): void {
  const { calls } = play.state;
  if (outcome.task !== undefined) {
    put(calls, call.itemId, present({ ...call, body, large: undefined }));
    startTask(play, { taskId: outcome.task, call, agentId });
  } else if (!outcome.isPlainRejection) remove(calls, call.itemId);
}

function durationOf(result: JsonObject): number | undefined {
  const seconds = numberAt(result, 'durationSeconds');
  return numberAt(result, 'durationMs') ?? numberAt(result, 'totalDurationMs') ?? finite(seconds === undefined ? undefined : seconds * 1000);
}

/** The output of a command: what the model read, or the longer text where only a preview was left of it. */
function commandOutput({ outcome, result }: Answer): string {
  const stdout = stringAt(result, 'stdout') ?? '';
  if (stringAt(result, 'persistedOutputPath') !== undefined && stdout.length > outcome.text.length) return stdout;
  return outcome.exitCode === undefined ? outcome.text : outcome.text.replace(/^(?:Error: )?Exit code \d+\n?/, '');
}

type AgentStatus = 'running' | 'completed' | 'errored' | 'interrupted';

function agentStatus({ status, task }: Outcome): AgentStatus {
  if (status === 'completed') return task === undefined ? 'completed' : 'running';
  return status === 'interrupted' || status === 'declined' ? 'interrupted' : 'errored';
}

function agentBody(body: Extract<ItemBody, { kind: 'agentCall' }>, { outcome, result, agentId }: Answer): ItemBody {
  const message = outcome.task === undefined ? outcome.text.replace(/agentId: a[0-9a-z]+ \(use SendMessage[\s\S]*$/, '') : undefined;
  const agents = agentId === undefined ? {} : { [agentId]: present({ status: agentStatus(outcome), message }) };
  return present({ ...body, status: outcome.status, receiverThreadIds: agentId === undefined ? [] : [agentId], model: stringAt(result, 'resolvedModel') ?? body.model, agents });
}

/** The body that the call had, as its result leaves it. */
function finishedBody(answered: Answer): ItemBody {
  const { call: { body }, outcome, result, block } = answered;
  const { status } = outcome;
  const parts = outputParts(block);
  const durationMs = durationOf(result);
  switch (body.kind) {
    // A declined command never ran: what came back is the refusal.
    case 'command': return present({ ...body, status, output: status === 'declined' ? undefined : commandOutput(answered), exitCode: outcome.exitCode, durationMs });
    case 'fileChange': return { ...(status === 'completed' ? editedBody(body, result) : body), status } as ItemBody;
    case 'mcpCall': return present({ ...body, status, durationMs, ...(status === 'completed' ? { result: { content: mcpContent(parts, block['content']), structuredContent: null, meta: null } } : { error: outcome.text }) });
    case 'webSearch': return present({ ...body, status, results: result['results'] });
    case 'agentCall': return agentBody(body, answered);
    case 'plan': return { ...body, text: stringAt(result, 'plan') ?? body.text };
    case 'toolCall': return present({ ...body, status, output: parts, isSuccess: status === 'completed', durationMs });
    default: return body;
  }
}

/** Kinds of bodies that hold the output themselves. */
const holders = new Set<ItemBody['kind']>(['command', 'mcpCall', 'toolCall', 'agentCall']);

function finishedTool({ call, outcome, result, block }: Answer, body: ItemBody): ToolUse {
  // A command that never ran has no output, and a sub-agent that was never started no words: what came back is the program's.
  const isSilent = (body.kind === 'command' && body.output === undefined) || (body.kind === 'agentCall' && Object.keys(body.agents).length === 0);
  const isHeld = holders.has(body.kind) && !isSilent;
  const output = outputParts(block);
  const plain = output.length === 1 && output[0]?.kind === 'text' ? output[0].text : undefined;
  return present({
    ...call.tool, output: isHeld || outcome.status !== 'completed' ? undefined : plain ?? block['content'], error: isHeld || outcome.status === 'completed' ? undefined : outcome.text,
    display: displayOf(result),
  });
}

const answers: Readonly<Record<'approval' | 'question', 'approved' | 'answered'>> = { approval: 'approved', question: 'answered' };
const refusals: Partial<Record<ItemStatus, 'rejected' | 'cancelled'>> = { declined: 'rejected', interrupted: 'cancelled' };

/** The person answered, or the question never reached them. */
function resolveQuestion(play: Play, { call, outcome, result }: Answer): void {
  const question = questionOf(call.name);
  if (!question) return;
  const resolution = outcome.status === 'completed' ? answers[question] : refusals[outcome.status] ?? 'cancelled';
  say(play, present({
    type: 'interaction.resolved' as const, ...refs(play), call: call.itemId, id: call.itemId, outcome: question === 'question' && resolution === 'rejected' ? ('dismissed' as const) : resolution,
    response: result['answers'] ?? (outcome.status === 'completed' ? undefined : outcome.text),
  }));
}

/** The whole output stands in a file beside the session. */
function noteStoredOutput(play: Play, result: JsonObject): void {
  const path = stringAt(result, 'persistedOutputPath');
  const name = path?.split(/[\\/]/).at(-1);
  if (name !== undefined && name !== '') say(play, present({ type: 'media.referenced' as const, ...refs(play), key: `tool-results/${name}`, mediaType: 'text/plain', sizeBytes: numberAt(result, 'persistedOutputSize') }));
}

/** An interrupt stands right behind a rejected call: the call was stopped. */
export function stopRejected(play: Play): void {
  const { run } = play;
  const call = callOf(play, run.rejected ?? undefined);
  run.rejected = null;
  const turn = call && play.state.turns[play.state.nodes[call.node]?.turn ?? -1]?.key;
  if (!call || turn === undefined) return;
  say(play, { type: 'item.changed', turn, call: call.itemId, id: call.itemId, status: 'interrupted' });
  remove(play.state.calls, call.itemId);
}
