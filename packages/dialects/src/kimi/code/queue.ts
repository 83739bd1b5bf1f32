import { addNode, wait, waiting } from './chain.js';
import { placeWaiting } from './placings.js';
import { type Play, currentStep, currentTurn } from './play.js';
import { beginStub } from './step-facts.js';
import type { InputState } from './state.js';
import { needTurn } from './turns.js';

/* What was said into a running turn waits for the next step, and is the first thing in it. */

function queued({ state }: { state: Play['state'] }, queue: readonly number[]): InputState[] {
  return queue.flatMap((at) => state.inputs[at] ?? []);
}

/** A step begins: what waited stands before its words. */
export function placeQueue(play: Play, step: number): void {
  const { queue } = waiting(play);
  if (!queue.length) return;
  wait(play, { queue: [] });
  const own = play.state.steps[step];
  if (own) own.taken = queue;
  for (const { key, as } of queued(play, queue)) {
    if (key === null || as === null) continue;
    placeWaiting(play, key, { turn: -1, step, as, isFirst: true });
    if (own) own.frames += 1;
  }
}

/** A new turn opens before any step took them up: words of a person go to the last step of the turn they were said in, word of tasks is never shown. */
export function dropQueue(play: Play): void {
  const { queue } = waiting(play);
  if (!queue.length) return;
  wait(play, { queue: [] });
  for (const { key, as } of queued(play, queue)) {
    if (key === null) continue;
    if (as === 'notifies') placeWaiting(play, key, { turn: currentTurn(play), step: -1, as: 'dropped' });
    else placeLeftover(play, key);
  }
}

function placeLeftover(play: Play, key: string): void {
  if (currentTurn(play) < 0) needTurn(play, addNode(play, { kind: 'cut' }));
  const step = currentStep(play) < 0 ? beginStub(play, currentTurn(play)) : currentStep(play);
  placeWaiting(play, key, { turn: -1, step, as: 'steers' });
  const own = play.state.steps[step];
  if (own) own.frames += 1;
}
