import type { FactOf } from '@tapefold/facts';
import type { TaskState, TranscriptTask } from '../model/entities.js';
import { type Folding, isoTime } from './folding.js';
import { present } from './present.js';
import { stepUsage } from './usage.js';

type TaskFact = FactOf<'task.started' | 'task.changed' | 'task.ended'>;

const ends: Readonly<Record<FactOf<'task.ended'>['status'], TaskState>> = { completed: 'completed', failed: 'failed', killed: 'killed', stopped: 'killed', lost: 'lost', timedOut: 'timed_out' };

/** What a fact says of a task on top of what was known: the newest word counts. A start without a time of its own was when it was recorded. */
function told(known: TranscriptTask | undefined, fact: TaskFact): TranscriptTask {
  const { task } = fact;
  const startedAt = isoTime(task.startedAtMs) ?? known?.startedAt ?? (fact.type === 'task.started' ? fact.at : undefined);
  return present({
    ...known, taskId: task.taskId, kind: task.kind === 'other' && known ? known.kind : task.kind, state: known?.state ?? 'running', detached: task.isDetached ?? known?.detached ?? true,
    description: task.description ?? known?.description, agentId: task.agentId ?? known?.agentId, model: task.model ?? known?.model, thinkingEffort: task.effort ?? known?.thinkingEffort, stateReason: task.stateReason ?? known?.stateReason,
    startedAt, outputTail: known?.outputTail ?? '',
  });
}

/** A task begins, and its place in the timeline is here. Under another id it was known before, it is renamed. */
export function foldTaskStarted(folding: Folding, fact: FactOf<'task.started'>): void {
  const { doc } = folding;
  const { taskId } = fact.task;
  const adopted = fact.adopts === undefined || fact.adopts === taskId ? undefined : doc.task(fact.adopts);
  const { endedAt: _, ...task } = { ...told(doc.task(taskId) ?? adopted, fact), state: 'running' as const };
  if (adopted) doc.renameTask(adopted.taskId, task);
  else doc.setTask(task);
  doc.addTaskRef(taskId, fact.at);
}

/** A task goes on, or begins without a place of its own. A reason alone says nothing of whether it runs. */
export function foldTaskChanged({ doc }: Folding, fact: FactOf<'task.changed'>): void {
  const known = doc.task(fact.task.taskId);
  const next = present({ ...told(known, fact), outputTail: fact.outputTail ?? known?.outputTail ?? '' });
  if (fact.task.stateReason !== undefined) return doc.setTask(next);
  const { endedAt: _, ...running } = { ...next, state: 'running' as const };
  doc.setTask(running);
}

/** A task is over. */
export function foldTaskEnded({ doc }: Folding, fact: FactOf<'task.ended'>): void {
  const known = doc.task(fact.task.taskId);
  doc.setTask(present({
    ...told(known, fact), state: ends[fact.status], outputTail: fact.outputTail ?? known?.outputTail ?? '', endedAt: isoTime(fact.task.endedAtMs) ?? fact.at, resultSummary: fact.summary ?? known?.resultSummary,
    error: fact.error ?? known?.error, usage: fact.usage ? stepUsage(fact.usage) : known?.usage,
  }));
}
