import type { LineVerdict } from '@tapefold/facts';
import { put } from '../../id-table.js';
import { countAt, listAt, present, stringAt } from '../../shape.js';
import { partsOf } from './content.js';
import { notePrompt, skipTurn } from './engine-turns.js';
import { steerOf } from './message-class.js';
import { engineOrigin, isHiddenOrigin, isTaskOrigin } from './origins.js';
import { type Play, currentTurn, payloadOf, runningTurn, say, sayWord } from './play.js';

/* What goes through the agent's queue. What was said stands in the messages. */

/** `turn.prompt`: the engine begins a turn; what a person sees of it comes with its message. */
export function playPrompt(play: Play): LineVerdict {
  const { state, raw, line } = play;
  const origin = engineOrigin(raw);
  const promptId = stringAt(raw, 'promptId');
  const taskId = origin && stringAt(origin, 'taskId');
  notePrompt(state, raw, line);
  state.hasPrompts = true;
  if (isTaskOrigin(origin) && taskId !== undefined) put(state.taskTurns, taskId, true);
  if (promptId === undefined || isHiddenOrigin(origin)) return 'played';
  put(state.promptIds, promptId, true);
  say(play, present({ type: 'prompt.queued' as const, promptId, content: partsOf(raw['input']), clientMetadata: origin?.['clientMetadata'] }));
  say(play, { type: 'prompt.taken', promptId, how: 'turn' });
  return 'played';
}

/** `turn.steer`: words for the running turn; their message comes behind. */
export function playSteer(play: Play): LineVerdict {
  const { state, raw, line } = play;
  const steer = steerOf(raw, line);
  state.steers.push(steer);
  state.hasPrompts = true;
  for (const promptId of steer.promptIds) {
    say(play, { type: 'prompt.queued', promptId, content: partsOf(raw['input']) });
    say(play, { type: 'prompt.taken', promptId, how: 'steer' });
  }
  return 'played';
}

/** `turn.cancel`: of a queued turn, which leaves a number behind; or of the running one, which a person is told of where they did it. */
export function playCancel(play: Play): LineVerdict {
  const { state, raw } = play;
  const number = countAt(raw, 'turnId');
  const target = stringAt(raw, 'target');
  if (target === 'queued' && number !== undefined) { skipTurn(state, number); return 'played'; }
  return cancelRunning(play, target, number);
}

function cancelRunning(play: Play, target: string | undefined, number: number | undefined): LineVerdict {
  const { state, raw } = play;
  const current = state.turns[currentTurn(play)];
  if (current && current.end === null && (number === undefined || current.engine === number)) current.isCancelled = true;
  if (target !== 'active' || number === undefined || state.cancelled.includes(number)) return 'played';
  state.cancelled.push(number);
  if (stringAt(raw, 'reason') === 'user_cancelled') sayWord(play, { type: 'notice.posted', ...runningTurn(play), level: 'info', code: 'interruption', text: '', details: payloadOf(play) });
  return 'played';
}

const endings: Readonly<Record<string, 'completed' | 'failed'>> = { completed: 'completed', failed: 'failed', blocked: 'failed' };

/** `prompt.completed`, whatever it came to. */
export function playPromptCompleted(play: Play): LineVerdict {
  const promptId = stringAt(play.raw, 'promptId');
  const reason = stringAt(play.raw, 'reason');
  if (promptId === undefined) return 'unknown';
  const status = reason === undefined ? ('completed' as const) : reason === 'cancelled' || reason === 'aborted' ? ('aborted' as const) : Object.hasOwn(endings, reason) ? (endings[reason] ?? 'completed') : ('completed' as const);
  say(play, present({ type: 'prompt.ended' as const, promptId, status, reason }));
  return 'played';
}

export function playPromptAborted(play: Play): LineVerdict {
  const promptId = stringAt(play.raw, 'promptId');
  if (promptId === undefined) return 'unknown';
  say(play, { type: 'prompt.ended', promptId, status: 'aborted' });
  return 'played';
}

/** `prompt.steered`: queued prompts became words for the running turn. */
export function playPromptSteered(play: Play): LineVerdict {
  const ids = listAt(play.raw, 'promptIds').filter((id) => typeof id === 'string');
  for (const promptId of ids) {
    say(play, { type: 'prompt.taken', promptId, how: 'steer' });
    say(play, { type: 'prompt.ended', promptId, status: 'completed' });
  }
  return 'played';
}
