import type { FactDraft, JsonObject } from '@tapefold/facts';
import { lookUp, put, remove } from '../../id-table.js';
import { objectAt, present, stringAt } from '../../shape.js';
import { type Play, type Played, here, nextBlockId, say, timeMs } from './play.js';
import { needTurn } from './turns.js';

/**
 * The history that the model reads was shortened: to a summary that this log does not hold, and the newest two messages. The history beside the log has
 * the summary.
 */
export function compact(play: Play): Played {
  const { run, state, pen } = play;
  state.compactions += 1;
  say(play, present({ type: 'item.completed' as const, ...here(play), id: `compaction.${state.compactions}`, body: { kind: 'compaction' as const }, visibility: 'shown' as const, isAdded: false, completedAtMs: timeMs(play) }));
  const [from] = run.messages;
  const kept = from === undefined ? [] : [{ kind: 'kept' as const, entries: { tape: pen.tape, from, to: state.nextOrdinal } }];
  say(play, { type: 'context.compacted', ...here(play), summary: '', replacement: [{ kind: 'compaction', isEncrypted: false }, ...kept] });
  return 'played';
}

const levels = { info: 'info', success: 'info', warning: 'warning', error: 'error' } as const;
const ends = { completed: 'completed', failed: 'failed', killed: 'killed', stopped: 'stopped', lost: 'lost', timed_out: 'timedOut' } as const;

/** Work in the background that a notification tells the end of. */
function taskEnd({ payload }: Play): FactDraft | undefined {
  const [family, end = ''] = (stringAt(payload, 'type') ?? '').split('.');
  const taskId = stringAt(payload, 'source_id');
  if (family !== 'task' || taskId === undefined || !Object.hasOwn(ends, end)) return undefined;
  return { type: 'task.ended', task: { taskId, kind: 'other' }, status: ends[end as keyof typeof ends] };
}

export function notify(play: Play): Played {
  const { payload } = play;
  const severity = stringAt(payload, 'severity') ?? '';
  const text = [stringAt(payload, 'title'), stringAt(payload, 'body')].filter((part) => part !== undefined && part !== '').join('\n');
  const level = Object.hasOwn(levels, severity) ? levels[severity as keyof typeof levels] : ('info' as const);
  say(play, { type: 'notice.posted', ...here(play), level, code: stringAt(payload, 'type') ?? 'notification', text, details: payload });
  const end = taskEnd(play);
  if (end) say(play, { ...here(play), ...end });
  return 'played';
}

export function showPlan(play: Play): Played {
  needTurn(play);
  play.run.block = null;
  const path = stringAt(play.payload, 'file_path');
  say(play, present({ type: 'item.completed' as const, ...here(play), id: nextBlockId(play), body: { kind: 'plan' as const, text: stringAt(play.payload, 'content') ?? '' }, visibility: 'shown' as const, isAdded: false, completedAtMs: timeMs(play) }));
  if (path !== undefined) say(play, { type: 'plan.revised', ...here(play), planId: path, path });
  return 'played';
}

/** A hook that let things go on says nothing to anybody. */
export function endHook(play: Play): Played {
  const { payload } = play;
  if (stringAt(payload, 'action') !== 'block') return 'ignored';
  say(play, { type: 'notice.posted', ...here(play), level: 'warning', code: 'hook.block', text: stringAt(payload, 'reason') ?? '', details: payload });
  return 'played';
}

/** A question beside the conversation, which the model's history never holds. */
export function beginSide(play: Play): Played {
  const question = stringAt(play.payload, 'question') ?? '';
  put(play.state.side, stringAt(play.payload, 'id') ?? '', question);
  say(play, { type: 'notice.posted', ...here(play), level: 'info', code: 'btw.question', text: question });
  return 'played';
}

export function endSide(play: Play): Played {
  const id = stringAt(play.payload, 'id') ?? '';
  const error = stringAt(play.payload, 'error');
  const details: JsonObject = present({ id, question: lookUp(play.state.side, id) }) as JsonObject;
  say(play, { type: 'notice.posted', ...here(play), level: error === undefined ? 'info' : 'error', code: 'btw.answer', text: error ?? stringAt(play.payload, 'response') ?? '', details });
  remove(play.state.side, id);
  return 'played';
}

export const payloadOf = (message: JsonObject): JsonObject => objectAt(message, 'payload') ?? {};
