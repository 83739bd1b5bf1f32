import type { FactKey, FactOf, Usage } from '@tapefold/facts';
import type { RecorderPen } from './recorder-pen.js';

type Task = FactOf<'task.started'>['task'];

/** Something that runs beside the turns: a shell command, a sub-agent. `taskId`: absent, the recorder's. */
export interface TaskStart extends Omit<Task, 'taskId' | 'startedAtMs' | 'endedAtMs'> {
  readonly taskId?: string | undefined;
  /** The call that began it. */
  readonly call?: string | undefined;
}

/** How a task ended. */
export interface TaskEnd {
  readonly status: FactOf<'task.ended'>['status'];
  readonly summary?: string | undefined;
  readonly outputTail?: string | undefined;
  readonly error?: string | undefined;
  readonly usage?: Usage | undefined;
}

interface TaskParts { readonly pen: RecorderPen; readonly task: Task; readonly references: { readonly turn?: FactKey; readonly call?: string } }

/** A task on its way. One that never ends is settled by readers as lost. */
export class TaskHandle {
  readonly taskId: string;
  readonly #parts: TaskParts;
  #isOver = false;

  constructor(parts: TaskParts) {
    this.#parts = parts;
    this.taskId = parts.task.taskId;
    parts.pen.write((add) => add({ type: 'task.started', ...parts.references, task: parts.task }));
  }

  /** Something about it changed; `outputTail`: the newest of what it says. */
  change(change: Partial<Omit<Task, 'taskId'>> & { readonly outputTail?: string | undefined }): void {
    const { outputTail, ...task } = change;
    const { pen, references } = this.#open();
    pen.write((add) => add({ type: 'task.changed', ...references, task: { ...this.#parts.task, ...task }, outputTail }));
  }

  end({ status, ...rest }: TaskEnd): void {
    const { pen, task, references } = this.#open();
    pen.write((add) => add({ type: 'task.ended', ...references, task: { ...task, endedAtMs: pen.nowMs() }, status, ...rest }));
    this.#isOver = true;
  }

  #open(): TaskParts {
    if (this.#isOver) this.#parts.pen.refuse(`task ${this.taskId} has ended`);
    return this.#parts;
  }
}
