import { type JsonObject, type JsonValue, isJsonObject } from '@tapefold/facts';
import { objectAt, stringAt } from '../shape.js';
import { eventType, keptEventMisfit } from './legacy-shapes.js';
import { checkpointOf, lacksTurns } from './checkpoint.js';
import { initialState } from './state.js';

/** How the newest turn stands as one line near the end of a rollout tells: `unclear` where only the whole file knows (a rollback); undefined: look further back. */
export type TailSign = 'completed' | 'failed' | 'interrupted' | 'open' | 'unclear';

function eventOf(text: string): JsonObject | undefined {
  let record: unknown;
  try { record = JSON.parse(text); } catch { return undefined; }
  return isJsonObject(record) && record['type'] === 'event_msg' ? objectAt(record, 'payload') : undefined;
}

/** Reads one of the newest lines, going backwards. Never throws; damaged lines tell nothing. */
export function codexTailSign(text: string | undefined): TailSign | undefined {
  const event = text?.includes('"event_msg"') ? eventOf(text) : undefined;
  if (!event) return undefined;
  switch (eventType(event)) {
    case 'task_complete': return objectAt(event, 'error') ? 'failed' : 'completed';
    case 'turn_aborted': return stringAt(event, 'reason') === undefined ? 'unclear' : 'interrupted';
    case 'task_started': return 'open';
    case 'thread_rolled_back': return 'unclear';
    default: return undefined;
  }
}

/** True for a line that begins a turn, after which nothing of the turns before is open: a place where play can begin. */
export function isCodexTurnStart(text: string | undefined): boolean {
  const head = text?.slice(0, TURN_START_CHARS);
  if (text === undefined || !head || !(head.includes('"type":"task_started"') || head.includes('"type":"turn_started"'))) return false;
  const event = eventOf(text);
  return event !== undefined && eventType(event) === 'task_started' && keptEventMisfit(event) === undefined;
}

/** The envelope stands before the event's type, which writers put first. */
const TURN_START_CHARS = 200;

/**
 * A checkpoint for playing a rollout from the start of a turn on (`isCodexTurnStart`), for a first look at a large file. Ids that the original counts
 * are provisional then, and begin with `~`. `nextOrdinal`: of the first fact, 0 where absent.
 */
export function codexTailCheckpoint(thread: { threadId: string; historyMode: 'legacy' | 'paginated' }, nextOrdinal = 0): JsonValue {
  return checkpointOf({ ...initialState(), nextOrdinal, mode: thread.historyMode, threadId: thread.threadId, isOpened: true, isTail: true, hasBase: true, hasEvents: true, hasFirstPrompt: true });
}

/** Whether what was played from such a checkpoint is what the whole file would show: no rollback and no end of a turn reached further back. */
export function isCodexTailExact(checkpoint: JsonValue): boolean {
  return lacksTurns(checkpoint) === false;
}
