import type { JsonObject } from '@tapefold/facts';
import { objectsAt, stringAt } from '../shape.js';
import { type Play, refs, say } from './play.js';

const statuses = { completed: 'completed', in_progress: 'inProgress' } as const;

/** A reminder repeats the list of things to do, whole. */
export function noteTodosReminder(play: Play, attachment: JsonObject): void {
  const entries = objectsAt(attachment, 'content').map((todo) => {
    const word = stringAt(todo, 'status');
    return { title: stringAt(todo, 'content') ?? '', status: word === 'completed' || word === 'in_progress' ? statuses[word] : ('pending' as const) };
  });
  say(play, { type: 'todo.replaced', ...refs(play, -1), entries });
}
