import type { FactDraft, ItemBody, JsonObject } from '@tapefold/facts';
import { lookUp, put, remove } from '../id-table.js';
import { objectAt, present, stringAt } from '../shape.js';
import { callOf, completeCall } from './calls.js';
import { type Play, refs, say } from './play.js';
import type { CallState, TaskState } from './state.js';
import { tagged } from './user-class.js';

type TaskEnd = Extract<FactDraft, { type: 'task.ended' }>['status'];

/** Ended tasks that are remembered: a notification is written in several places, one after the other. */
const REMEMBERED_ENDS = 200;

function describe(call: CallState): string | undefined {
  const input = objectAt({ input: call.tool.input ?? null }, 'input') ?? {};
  return stringAt(input, 'description');
}

/** A call goes on in the background. */
export function startTask(play: Play, of: { taskId: string; call: CallState; agentId: string | undefined }): void {
  const { taskId, call, agentId } = of;
  const kind = agentId !== undefined ? ('subagent' as const) : call.name === 'Bash' ? ('shell' as const) : ('other' as const);
  const task: TaskState = present({ call: call.itemId, kind, agentId, description: describe(call) });
  put(play.state.tasks, taskId, task);
  say(play, { type: 'task.started', ...refs(play), call: call.itemId, task: taskFields(taskId, task) });
}

function taskFields(taskId: string, task: TaskState | undefined) {
  return present({ taskId, kind: task?.kind ?? ('other' as const), description: task?.description, agentId: task?.agentId, isDetached: true });
}

const ends: Readonly<Record<string, TaskEnd>> = { completed: 'completed', failed: 'failed', stopped: 'stopped', killed: 'killed' };

/** Lines that a notification shows of what the task put out. */
const TAIL_CHARS = 4_000;

/** A notification in a user line, a queued command or only in the queue: the task is over. Told once. */
export function endTask(play: Play, text: string): string | undefined {
  const { state } = play;
  const taskId = tagged(text, 'task-id')?.trim();
  if (taskId === undefined || state.endedTasks.includes(taskId)) return taskId;
  const task = lookUp(state.tasks, taskId) ?? taskOfCall(play, tagged(text, 'tool-use-id'));
  const status = tagged(text, 'status')?.trim() ?? '';
  state.endedTasks = [...state.endedTasks.slice(1 - REMEMBERED_ENDS), taskId];
  remove(state.tasks, taskId);
  const result = tagged(text, 'result');
  say(play, present({
    type: 'task.ended' as const, ...refs(play), call: task?.call, task: taskFields(taskId, task), status: Object.hasOwn(ends, status) ? ends[status] ?? ('completed' as const) : ('completed' as const), summary: tagged(text, 'summary')?.trim(),
    outputTail: result?.slice(-TAIL_CHARS),
  }));
  endBackgroundCall(play, task, { status, result });
  return taskId;
}

function taskOfCall(play: Play, call: string | undefined): TaskState | undefined {
  return Object.values(play.state.tasks).find((task) => call !== undefined && task.call === call.trim());
}

/** The call that started a sub-agent says how that came out. */
function endBackgroundCall(play: Play, task: TaskState | undefined, of: { status: string; result: string | undefined }): void {
  const call = callOf(play, task?.call);
  if (!call) return;
  remove(play.state.calls, call.itemId);
  if (call.body.kind !== 'agentCall') return;
  const state = present({ status: of.status === 'completed' ? ('completed' as const) : of.status === 'failed' ? ('errored' as const) : ('shutdown' as const), message: of.result });
  const body: ItemBody = { ...call.body, agents: Object.fromEntries(call.body.receiverThreadIds.map((id) => [id, state])) };
  completeCall(play, call, { body, tool: call.tool });
}

/** A reminder of how a task stands. */
export function noteTaskStatus(play: Play, attachment: JsonObject): void {
  const taskId = stringAt(attachment, 'taskId');
  if (taskId === undefined) return;
  const task = taskFields(taskId, lookUp(play.state.tasks, taskId));
  say(play, { type: 'task.changed', ...refs(play), task: present({ ...task, description: stringAt(attachment, 'description') ?? task.description, stateReason: stringAt(attachment, 'status') }) });
}
