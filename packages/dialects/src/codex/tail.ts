import { isJsonObject } from '@tapefold/facts';
import { objectAt, stringAt } from '../shape.js';
import { eventType } from './legacy-shapes.js';

/** How the newest turn stands as one line near the end of a rollout tells: `unclear` where only the whole file knows (a rollback); undefined: look further back. */
export type TailSign = 'completed' | 'failed' | 'interrupted' | 'open' | 'unclear';

/** Reads one of the newest lines, going backwards. Never throws; damaged lines tell nothing. */
export function codexTailSign(text: string | undefined): TailSign | undefined {
  if (text === undefined || !text.includes('"event_msg"')) return undefined;
  let record: unknown;
  try { record = JSON.parse(text); } catch { return undefined; }
  const event = isJsonObject(record) && record['type'] === 'event_msg' ? objectAt(record, 'payload') : undefined;
  if (!event) return undefined;
  switch (eventType(event)) {
    case 'task_complete': return objectAt(event, 'error') ? 'failed' : 'completed';
    case 'turn_aborted': return stringAt(event, 'reason') === undefined ? 'unclear' : 'interrupted';
    case 'task_started': return 'open';
    case 'thread_rolled_back': return 'unclear';
    default: return undefined;
  }
}
