import type { JsonObject } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { objectAt, objectsAt, present, stringAt } from '../shape.js';
import { type Play, refs, say } from './play.js';
import type { CallState, TodoEntry } from './state.js';

/** Things to do that are remembered: a list longer than this is nobody's. */
const TODO_LIMIT = 1_000;

function statusOf(word: string | undefined): TodoEntry['status'] {
  if (word === 'completed') return 'completed';
  return word === 'in_progress' ? 'inProgress' : 'pending';
}

function tell(play: Play, call: CallState, entries: readonly { id?: string; title: string; status: TodoEntry['status'] }[]): void {
  say(play, { type: 'todo.replaced', ...refs(play), call: call.itemId, entries: [...entries] });
}

/** The list as the older tool writes it, whole. */
function tellWritten(play: Play, call: CallState, result: JsonObject): void {
  const input = isJsonObject(call.tool.input) ? call.tool.input : {};
  const todos = objectsAt(result, 'newTodos');
  const list = todos.length ? todos : objectsAt(input, 'todos');
  tell(play, call, list.map((todo) => present({ id: stringAt(todo, 'id') as string, title: stringAt(todo, 'content') ?? '', status: statusOf(stringAt(todo, 'status')) })));
}

function withUpdate(entries: readonly TodoEntry[], input: JsonObject, result: JsonObject): TodoEntry[] {
  const id = stringAt(result, 'taskId') ?? stringAt(input, 'taskId');
  const status = stringAt(objectAt(result, 'statusChange') ?? {}, 'to') ?? stringAt(input, 'status');
  const title = stringAt(input, 'subject');
  if (status === 'deleted') return entries.filter((entry) => entry.id !== id);
  return entries.map((entry) => (entry.id === id ? { id: entry.id, title: title ?? entry.title, status: status === undefined ? entry.status : statusOf(status) } : entry));
}

function listed(result: JsonObject): TodoEntry[] {
  return objectsAt(result, 'tasks').slice(0, TODO_LIMIT).map((task) => ({ id: stringAt(task, 'id') ?? '', title: stringAt(task, 'subject') ?? '', status: statusOf(stringAt(task, 'status')) }));
}

/** The list after a call of the newer tools, which write one entry each; undefined for other tools. */
function nextEntries(entries: readonly TodoEntry[], call: CallState, result: JsonObject): TodoEntry[] | undefined {
  const input = isJsonObject(call.tool.input) ? call.tool.input : {};
  const task = objectAt(result, 'task') ?? {};
  switch (call.name) {
    case 'TaskCreate': return [...entries, { id: stringAt(task, 'id') ?? String(entries.length + 1), title: stringAt(task, 'subject') ?? stringAt(input, 'subject') ?? '', status: 'pending' as const }].slice(-TODO_LIMIT);
    case 'TaskUpdate': return withUpdate(entries, input, result);
    case 'TaskList': return listed(result);
    default: return undefined;
  }
}

/** What a tool that went well made of the list of things to do, of the plan and of the mode. */
export function noteTodos(play: Play, call: CallState, result: JsonObject): void {
  const { state } = play;
  if (call.name === 'TodoWrite') return tellWritten(play, call, result);
  if (call.name === 'EnterPlanMode') return void say(play, { type: 'mode.entered', ...refs(play), call: call.itemId, mode: 'plan' });
  if (call.name === 'ExitPlanMode') return leavePlanMode(play, call, result);
  const entries = nextEntries(state.todos, call, result);
  if (!entries) return;
  state.todos = entries;
  tell(play, call, entries);
}

function leavePlanMode(play: Play, call: CallState, result: JsonObject): void {
  const path = stringAt(result, 'filePath');
  if (path !== undefined) say(play, { type: 'plan.revised', ...refs(play), call: call.itemId, planId: call.itemId, path });
  say(play, { type: 'mode.exited', ...refs(play), call: call.itemId, mode: 'plan' });
}
