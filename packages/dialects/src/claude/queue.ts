import type { JsonObject } from '@tapefold/facts';
import { LARGE_TEXT_CHARS } from '@tapefold/facts';
import { markOf } from '../id-table.js';
import { present, stringAt } from '../shape.js';
import { type Play, refs, say } from './play.js';
import { textPart } from './state.js';
import { endTask } from './tasks.js';

/** Prompts that wait: more than this at once is nobody's typing. */
const QUEUE_LIMIT = 1_000;

function enqueue(play: Play, content: string | undefined): void {
  const { queue } = play.state;
  const id = `queue-${queue.next}`;
  queue.next += 1;
  queue.waiting = [...queue.waiting, present({ id, mark: markOf(content ?? ''), text: content?.slice(0, LARGE_TEXT_CHARS) })].slice(-QUEUE_LIMIT);
  say(play, present({ type: 'prompt.queued' as const, promptId: id, content: content === undefined ? undefined : [textPart(content)] }));
}

/** Taken between turns (`dequeue`): the next prompt is made of it. Taken inside one (`remove`): it comes by as an attachment. */
function take(play: Play, how: 'turn' | 'steer'): void {
  const { queue } = play.state;
  const taken = queue.waiting.shift();
  if (!taken) return;
  if (how === 'turn') queue.taken.push(taken.id);
  else queue.steered = [...queue.steered, taken].slice(-QUEUE_LIMIT);
  say(play, { type: 'prompt.taken', promptId: taken.id, how });
}

/** Pulled back into the input box: nothing was sent. */
function dropAll(play: Play): void {
  const { queue } = play.state;
  for (const { id } of queue.waiting) say(play, { type: 'prompt.ended', promptId: id, status: 'dropped', reason: 'popAll' });
  queue.waiting = [];
}

/** A `queue-operation`: prompts on their way to the agent. The user line is the truth of what was said. */
export function playQueue(play: Play, raw: JsonObject): boolean {
  const content = stringAt(raw, 'content');
  switch (stringAt(raw, 'operation')) {
    case 'enqueue':
      enqueue(play, content);
      if (content?.startsWith('<task-notification>')) endTask(play, content);
      return true;
    case 'dequeue': take(play, 'turn'); return true;
    case 'remove': take(play, 'steer'); return true;
    case 'popAll': dropAll(play); return true;
    default: return false;
  }
}

/** The queued prompts that this line is made of. */
export function takePrompts(play: Play): string[] {
  const { queue } = play.state;
  const { taken } = queue;
  queue.taken = [];
  return play.run.agent === undefined ? taken : [];
}

/** The queued prompt that this attachment brings into the turn: the one of the same words, else the oldest. */
export function takeSteered(play: Play, text: string): string[] {
  const { queue } = play.state;
  const mark = markOf(text);
  const found = queue.steered.find((prompt) => prompt.mark === mark) ?? queue.steered[0];
  queue.steered = queue.steered.filter((prompt) => prompt !== found);
  return found ? [found.id] : [];
}

/**
 * Words typed while the turn ran that no line of the tree has: programs before about 2.1.90 wrote them only into the queue. The model read them with the
 * request that the next message answers, so they stand before it; they are added, and no entry of the history that a resumed session would read.
 */
export function showSteered(play: Play): void {
  const { queue } = play.state;
  if (play.run.agent !== undefined || !queue.steered.length) return;
  const steered = queue.steered.filter(({ text = '' }) => text !== '' && !text.startsWith('<task-notification>'));
  queue.steered = [];
  for (const { id, text = '' } of steered) {
    const input = say(play, { type: 'input.received', ...refs(play, -1), id, content: [textPart(text)], visibility: 'shown', origin: { kind: 'user' }, promptIds: [id], isAdded: true });
    say(play, { type: 'input.placed', ...refs(play, -1), input, as: 'steers' });
  }
}
