import type { JsonObject, LineVerdict } from '@tapefold/facts';
import { countAt, numberAt, objectAt, stringAt } from '../../shape.js';
import { addNode, wait, waiting } from './chain.js';
import { tellStanding } from './history.js';
import { releaseMessages } from './messages.js';
import { type Play, stepAt } from './play.js';
import { placeQueue } from './queue.js';
import type { StepState } from './state.js';
import { type NativeStep, endStep, startStep } from './step-facts.js';
import { tellPart } from './step-parts.js';
import { needTurn } from './turns.js';
import { timingOf, usageOf } from './usage.js';

/** The engine counts turns in words. */
function engineNumber(of: JsonObject, name: string): number | undefined {
  const value = of[name];
  return typeof value === 'string' && /^t?\d{1,15}$/.test(value) ? Number(value.replace('t', '')) : countAt(of, name);
}

/** A step begins, whatever record says so; what waited for it stands first. */
export function beginStep(play: Play, native: NativeStep): number {
  const node = addNode(play, { kind: 'begin' });
  needTurn(play, node);
  const at = startStep(play, node, native);
  placeQueue(play, at);
  return at;
}

/** `step.begin`: the model is asked. */
export function playBegin(play: Play, event: JsonObject): LineVerdict {
  settleStep(play);
  const at = beginStep(play, { uuid: stringAt(event, 'uuid'), engineTurn: engineNumber(event, 'turnId'), engineStep: countAt(event, 'step') });
  wait(play, { open: at });
  return 'played';
}

/** The open step, if the event is of it. */
export function openStepOf(play: Play, event: JsonObject, name: string): number {
  const { open } = waiting(play);
  const uuid = stringAt(event, name);
  return open >= 0 && stepAt(play, open)?.uuid === uuid ? open : -1;
}

/** `content.part`: a whole block of the answer. */
export function playPart(play: Play, event: JsonObject): LineVerdict {
  const step = openStepOf(play, event, 'stepUuid');
  const part = objectAt(event, 'part');
  if (step < 0) return 'ignored';
  if (!part) return 'unknown';
  tellPart(play, addNode(play, { kind: 'part', step }), { step, part, path: ['event', 'part'] });
  return 'played';
}

/** `step.end`: the answer is whole, or (`error`, `interrupted`) broke off, which leaves its calls open. */
export function playEnd(play: Play, event: JsonObject): LineVerdict {
  const at = openStepOf(play, event, 'uuid');
  if (at < 0) return 'ignored';
  const finishReason = stringAt(event, 'finishReason');
  const isBroken = finishReason === 'interrupted' || finishReason === 'error';
  endStep(play, at, {
    status: isBroken ? 'interrupted' : 'completed', finishReason, usage: usageOf(objectAt(event, 'usage')), timing: timingOf(event), firstTokenMs: numberAt(event, 'llmFirstTokenLatencyMs'), streamMs: numberAt(event, 'llmStreamDurationMs'),
  });
  if (!isBroken) settleStep(play);
  return 'played';
}

/** Nothing more comes to the open step: its calls stay without result, what they held back is said, and a step without anything in it goes. */
export function settleStep(play: Play): void {
  const { open } = waiting(play);
  const step = stepAt(play, open);
  if (!step) return;
  if (!step.end) endStep(play, open, { status: 'completed' });
  const node = addNode(play, { kind: 'end', step: open });
  wait(play, { open: -1, pending: [] });
  releaseMessages(play);
  if (step.isFull || step.hasCalls || step.isInterrupted) return;
  node.isVoid = true;
  retract(play, open);
  if (step.taken) wait(play, { queue: [...step.taken, ...waiting(play).queue] });
}

function retract(play: Play, at: number): void {
  const { state } = play;
  const { node: from } = state.steps[at] as StepState;
  const among = state.nodes.slice(from).flatMap((node, i) => (node.step === at ? [from + i] : []));
  tellStanding(play, { among, isCounting: () => false }, 'retracted');
  const above = state.nodes[state.nodes[from]?.parent ?? -1];
  for (const node of state.nodes.slice(from)) if (node.last === at) node.last = above?.turn === node.turn ? above.last : -1;
}
