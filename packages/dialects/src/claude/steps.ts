import type { JsonObject, Usage } from '@tapefold/facts';
import { countAt, finite, objectAt, present, stringAt } from '../shape.js';
import { joinStep } from './history.js';
import { type Play, refs, say, stepOf } from './play.js';
import type { OpenStep, StepState } from './state.js';

const SYNTHETIC = '<synthetic>';

/** The step of the line's message, begun where it is new. A message without an id is one of its own. */
export function takeStep(play: Play): number {
  const { state, tree, node, line } = play;
  const message = node.message ?? node.uuid;
  const known = tree.step(node.run, message);
  if (known !== undefined) {
    joinStep(state, play.at, known);
    return known;
  }
  closeStep(play, 'completed');
  const model = stringAt(line.message ?? {}, 'model');
  return beginStep(play, { message, model: model === SYNTHETIC ? undefined : model });
}

function beginStep(play: Play, of: { message: string; model: string | undefined }): number {
  const { state, tree, node, run, at } = play;
  const { turn = '' } = refs(play, -1);
  const key = say(play, present({ type: 'step.started' as const, turn, id: of.message, model: of.model }));
  const step: StepState = { key, turn: node.turn, run: node.run, message: of.message, live: 0, isOff: false };
  const index = state.steps.push(step) - 1;
  tree.addStep(node.run, of.message, index);
  joinStep(state, at, index);
  run.open = present({ step: index, model: of.model, isCounted: false });
  return index;
}

/** Text of a message that was cut off in the terminal: it is written as the program's own, and belongs to the message that was being written. */
export function stepOfPartial(play: Play): number {
  const { run, state, at } = play;
  const open = run.open && stepOf(play, run.open.step);
  if (!run.open || open?.turn !== play.node.turn) return takeStep(play);
  joinStep(state, at, run.open.step);
  return run.open.step;
}

/** Anthropic counts what was cached apart from the input; the whole input is their sum. */
function usageOf(raw: JsonObject): Usage {
  const input = countAt(raw, 'input_tokens');
  const cached = countAt(raw, 'cache_read_input_tokens');
  const written = countAt(raw, 'cache_creation_input_tokens');
  const output = countAt(raw, 'output_tokens');
  const whole = input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0);
  return present({
    inputTokens: finite(whole), cachedInputTokens: cached, cacheWriteTokens: written, outputTokens: output, reasoningTokens: countAt(objectAt(raw, 'output_tokens_details') ?? {}, 'thinking_tokens'),
    totalTokens: whole === undefined || output === undefined ? undefined : finite(whole + output),
  });
}

const counts = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'reasoningTokens', 'totalTokens'] as const;

function combined(a: Usage, b: Usage, combine: (x: number, y: number) => number): Usage {
  const fields = counts.map((name) => [name, a[name] === undefined ? b[name] : b[name] === undefined ? a[name] : combine(a[name], b[name])] as const);
  return present(Object.fromEntries(fields));
}

/** Takes up what a block says of its response. Numbers repeat on each block and may grow: the largest count. A stop reason tells that they are final. */
export function noteResponse(play: Play): void {
  const { run: { open }, line: { message = {} }, node } = play;
  const usage = objectAt(message, 'usage');
  const reason = stringAt(message, 'stop_reason');
  if (!open || open.step !== node.step) return;
  if (usage) open.usage = combined(open.usage ?? {}, usageOf(usage), Math.max);
  open.contextTokens = open.usage?.inputTokens;
  open.finishReason = reason ?? open.finishReason;
  if (reason !== undefined) countResponse(play, open);
  else if (usage && !open.isCounted) tellTotal(play, open);
}

/** The one fact that counts the response. */
function countResponse(play: Play, open: OpenStep): void {
  if (open.isCounted || !open.usage) return;
  const { state } = play;
  const step = stepOf(play, open.step);
  open.isCounted = true;
  state.total = combined(state.total, open.usage, (x, y) => Math.min(x + y, Number.MAX_SAFE_INTEGER));
  say(play, present({
    type: 'usage.recorded' as const, ...stepRefs(play, open.step), responseId: step?.message, model: open.model, contextTokens: open.contextTokens, usage: open.usage, total: state.total,
  }));
}

/** A response that may still grow counts in the thread's sum only. */
function tellTotal(play: Play, open: OpenStep): void {
  const step = stepOf(play, open.step);
  const total = combined(play.state.total, open.usage ?? {}, (x, y) => Math.min(x + y, Number.MAX_SAFE_INTEGER));
  say(play, present({ type: 'usage.recorded' as const, ...stepRefs(play, open.step), responseId: step?.message, model: open.model, contextTokens: open.contextTokens, total }));
}

function stepRefs(play: Play, at: number) {
  const step = stepOf(play, at);
  return present({ turn: play.state.turns[step?.turn ?? -1]?.key, step: step?.key });
}

/** The response is over: what follows is no part of it. */
export function closeStep(play: Play, status: 'completed' | 'interrupted' | 'failed'): void {
  const { open } = play.run;
  play.run.open = null;
  if (!open) return;
  countResponse(play, open);
  const step = stepOf(play, open.step);
  if (step) say(play, present({ type: 'step.ended' as const, ...stepRefs(play, open.step), step: step.key, status, finishReason: open.finishReason, usage: open.usage }));
}
