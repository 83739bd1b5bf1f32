import type { AppendTarget, TranscriptOperation } from '@tapefold/transcript';

const isSameTarget = (a: AppendTarget, b: AppendTarget): boolean =>
  (a.type === 'task' ? b.type === 'task' && a.taskId === b.taskId : b.type === 'frame' && a.frameId === b.frameId && a.stepId === b.stepId && a.turnId === b.turnId);

/** Operations that wait to be sent together. Pieces of one text that follow each other become one. */
export class PendingBatch {
  #ops: TranscriptOperation[] = [];

  get isEmpty(): boolean { return this.#ops.length === 0; }

  add(ops: readonly TranscriptOperation[]): void {
    for (const op of ops) {
      const last = this.#ops.at(-1);
      if (op.op === 'append' && last?.op === 'append' && isSameTarget(op.target, last.target) && op.offset === last.offset + last.text.length) {
        this.#ops[this.#ops.length - 1] = { ...last, text: last.text + op.text };
      } else this.#ops.push(op);
    }
  }

  /** All of it; nothing waits any more. */
  take(): readonly TranscriptOperation[] {
    const ops = this.#ops;
    this.#ops = [];
    return ops;
  }
}
