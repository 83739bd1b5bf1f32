import type { FactDraft, JsonObject, LineVerdict } from '@tapefold/facts';
import { lookUp, put, remove } from '../../id-table.js';
import { booleanAt, numberAt, objectAt, present, stringAt } from '../../shape.js';
import { type Play, runningTurn, say, sayWord } from './play.js';
import type { TaskState } from './state.js';
import { usageOf } from './usage.js';

/* Work beside the conversation: shells and sub-agents. A record says part of a task; facts say all that is known. */

type TaskEnd = Extract<FactDraft, { type: 'task.ended' }>;
type Ending = Pick<TaskEnd, 'status'> & Partial<Pick<TaskEnd, 'outputTail' | 'summary' | 'error' | 'usage'>> & { endedAtMs?: number | undefined };

const kinds: Readonly<Record<string, TaskState['kind']>> = { process: 'shell', agent: 'subagent' };
const statuses = { completed: 'completed', failed: 'failed', timed_out: 'timedOut', killed: 'killed', lost: 'lost' } as const;

function endingOf(info: JsonObject): keyof typeof statuses | undefined {
  const status = stringAt(info, 'status') ?? '';
  return Object.hasOwn(statuses, status) ? (status as keyof typeof statuses) : undefined;
}

/** What is known of a task with what the record adds. Where nothing says, it runs beside the conversation. */
function known(play: Play, taskId: string, adds: Partial<TaskState>): TaskState {
  const before = lookUp(play.state.tasks, taskId);
  const task = present({ kind: 'other' as const, isDetached: true, hasMark: false, ...before, ...present(adds), startedAtMs: before?.startedAtMs ?? adds.startedAtMs });
  put(play.state.tasks, taskId, task);
  return task;
}

function taskFields(taskId: string, { hasMark: _hasMark, ...task }: TaskState, more: { endedAtMs?: number | undefined; stateReason?: string | undefined } = {}): TaskEnd['task'] {
  return present({ taskId, ...task, ...more });
}

function infoOf(info: JsonObject): Partial<TaskState> {
  const kind = stringAt(info, 'kind') ?? '';
  return present({
    kind: Object.hasOwn(kinds, kind) ? kinds[kind] : ('other' as const), isDetached: booleanAt(info, 'detached'), description: stringAt(info, 'description'), agentId: stringAt(info, 'agentId'), model: stringAt(info, 'model'),
    effort: stringAt(info, 'thinkingEffort'), startedAtMs: numberAt(info, 'startedAt'),
  });
}

/** A sub-agent's work has a name of its own now; until here it went by the agent's. */
function adopt(play: Play, taskId: string, agentId: string | undefined): string | undefined {
  const { state } = play;
  if (agentId === undefined) return undefined;
  const before = lookUp(state.taskOfAgent, agentId);
  put(state.taskOfAgent, agentId, taskId);
  const placeholder = before === agentId && agentId !== taskId ? lookUp(state.tasks, agentId) : undefined;
  if (!placeholder) return undefined;
  put(state.tasks, taskId, placeholder);
  remove(state.tasks, agentId);
  return agentId;
}

export function playTaskStarted(play: Play): LineVerdict {
  const info = objectAt(play.raw, 'info');
  const taskId = info && stringAt(info, 'taskId');
  if (!info || taskId === undefined) return 'unknown';
  const adopts = stringAt(info, 'kind') === 'agent' ? adopt(play, taskId, stringAt(info, 'agentId')) : undefined;
  const task = known(play, taskId, infoOf(info));
  const call = stringAt(info, 'parentToolCallId');
  if (task.hasMark) sayWord(play, { type: 'task.changed', ...runningTurn(play), task: taskFields(taskId, task) });
  else sayWord(play, present({ type: 'task.started' as const, ...runningTurn(play), call, task: taskFields(taskId, task), adopts }));
  known(play, taskId, { hasMark: true });
  const ending = endingOf(info);
  if (ending !== undefined) endTask(play, taskId, { status: statuses[ending], endedAtMs: numberAt(info, 'endedAt') });
  return 'played';
}

function endTask(play: Play, taskId: string, { endedAtMs, ...end }: Ending): void {
  const task = known(play, taskId, {});
  sayWord(play, present({ type: 'task.ended' as const, ...runningTurn(play), task: taskFields(taskId, task, { endedAtMs }), ...end }));
}

export function playTaskTerminated(play: Play): LineVerdict {
  const info = objectAt(play.raw, 'info');
  const taskId = info && stringAt(info, 'taskId');
  if (!info || taskId === undefined) return 'unknown';
  const task = known(play, taskId, infoOf(info));
  const ending = endingOf(info);
  const outputTail = stringAt(play.raw, 'outputTail');
  if (ending === undefined) sayWord(play, present({ type: 'task.changed' as const, ...runningTurn(play), task: taskFields(taskId, task), outputTail }));
  else endTask(play, taskId, { status: statuses[ending], outputTail, endedAtMs: numberAt(info, 'endedAt') });
  return 'played';
}

/** `subagent.spawned`: who it is, for which call, and the task that its work is. */
export function playSpawned(play: Play): LineVerdict {
  const { raw, state } = play;
  const agentId = stringAt(raw, 'subagentId');
  const callId = stringAt(raw, 'parentToolCallId');
  const parent = stringAt(raw, 'parentAgentId');
  if (agentId === undefined || callId === undefined) return 'unknown';
  if (parent !== undefined && play.agentId !== '' && parent !== play.agentId) return 'ignored';
  const taskId = stringAt(raw, 'taskId') ?? agentId;
  const described = { description: stringAt(raw, 'description'), model: stringAt(raw, 'model'), effort: stringAt(raw, 'thinkingEffort') };
  const isDetached = raw['runInBackground'] === true;
  say(play, present({
    type: 'agent.described' as const, ...runningTurn(play), agentId, kind: 'sub' as const, parentAgentId: parent, parentCall: callId, swarmIndex: numberAt(raw, 'swarmIndex'), role: stringAt(raw, 'subagentName'), isBackground: isDetached, ...described,
  }));
  put(state.taskOfAgent, agentId, taskId);
  const call = lookUp(state.calls, callId);
  if (call) put(state.calls, callId, { ...call, agents: [...(call.agents ?? []), agentId] });
  const before = lookUp(state.tasks, taskId);
  // It starts when the agent does, whatever the task's own record said.
  if (before) put(state.tasks, taskId, present({ ...before, startedAtMs: play.timeMs }));
  const task = known(play, taskId, { kind: 'subagent', isDetached, agentId, startedAtMs: play.timeMs, ...present(described) });
  sayWord(play, { type: 'task.changed', ...runningTurn(play), task: taskFields(taskId, task) });
  return 'played';
}

/** The tasks of an agent: the one its work is called, and one that still goes by the agent's name. */
function tasksOf({ state }: Play, agentId: string): string[] {
  const named = lookUp(state.taskOfAgent, agentId);
  return [...new Set([named, agentId])].filter((taskId): taskId is string => taskId !== undefined && lookUp(state.tasks, taskId) !== undefined);
}

/** `subagent.started`, `.completed`, `.failed`, `.cancelled`. */
export function playSubagent(play: Play): LineVerdict {
  const { raw, type, timeMs } = play;
  const agentId = stringAt(raw, 'subagentId');
  if (agentId === undefined) return 'unknown';
  const tasks = tasksOf(play, agentId);
  for (const taskId of tasks) {
    if (type === 'subagent.started') sayWord(play, { type: 'task.changed', ...runningTurn(play), task: taskFields(taskId, known(play, taskId, {})) });
    if (type === 'subagent.completed') endTask(play, taskId, present({ status: 'completed' as const, summary: stringAt(raw, 'resultSummary'), usage: usageOf(objectAt(raw, 'usage')), endedAtMs: timeMs }));
    if (type === 'subagent.failed') endTask(play, taskId, present({ status: 'failed' as const, error: stringAt(raw, 'error'), endedAtMs: timeMs }));
    if (type === 'subagent.cancelled') endTask(play, taskId, present({ status: 'killed' as const, endedAtMs: timeMs }));
  }
  return tasks.length ? 'played' : 'ignored';
}
