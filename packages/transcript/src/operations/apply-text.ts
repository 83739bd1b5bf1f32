import type { TranscriptFrame } from '../model/frame.js';
import type { TranscriptTask } from '../model/entities.js';
import type { StoredState } from '../state/agent-state.js';
import { Growing, GrowingText, type MaybeGrowing, type OffsetGap } from '../state/growing.js';
import { type FrameEntry, StepNode } from '../state/turn-node.js';
import { withTurn } from './apply-turns.js';
import type { AppendOp, AppendTarget } from './operation.js';
import type { Reduced } from './result.js';

/** A frame that text can grow in. */
type StreamedFrame = Extract<TranscriptFrame, { readonly text: string }>;

/** What became of a text that was appended to: the same text with what is new, or a gap. */
export interface AppendedText {
  readonly text: string;
  readonly changed: boolean;
  readonly gap?: OffsetGap;
}

/**
 * Adds to a text what is new of a chunk that begins at an absolute offset (UTF-16 code units). An overlap that agrees is left out; a chunk that
 * begins behind the end, or disagrees with what is there, is a gap, and the text stays as it is.
 */
export function appendAtOffset(local: string, offset: number, chunk: string): AppendedText {
  const appended = new GrowingText(local).append(offset, chunk);
  return appended instanceof GrowingText ? { text: appended.whole, changed: appended.whole.length !== local.length } : { text: local, changed: false, gap: appended };
}

const isStreamed = (frame: TranscriptFrame): frame is StreamedFrame => frame.kind === 'text' || frame.kind === 'thinking';

function growingFrame(entry: FrameEntry | undefined): Growing<TranscriptFrame> | undefined {
  if (entry instanceof Growing) return entry;
  return entry && isStreamed(entry) ? new Growing<TranscriptFrame>(entry, 'text' as keyof TranscriptFrame, new GrowingText(entry.text)) : undefined;
}

function growingTask(entry: MaybeGrowing<TranscriptTask> | undefined, taskId: string): Growing<TranscriptTask> {
  if (entry instanceof Growing) return entry;
  const task: TranscriptTask = entry ?? { taskId, kind: 'other', state: 'running', detached: false, outputTail: '' };
  return new Growing<TranscriptTask>(task, 'outputTail', new GrowingText(task.outputTail));
}

function appendToFrame(state: StoredState, target: Extract<AppendTarget, { type: 'frame' }>, op: AppendOp): Reduced {
  const turn = state.timeline.turn(target.turnId);
  const step = turn?.steps.get(target.stepId);
  const frame = growingFrame(step?.frames.get(target.frameId));
  if (!turn || !step || !frame) return { next: state, gap: { expected: 0, got: op.offset } };
  const text = frame.text.append(op.offset, op.text);
  if (!(text instanceof GrowingText)) return { next: state, gap: text };
  if (text === frame.text) return { next: state };
  return { next: withTurn(state, turn.withStep(new StepNode(step.header, step.frames.with(frame.withText(text))))) };
}

function appendToTask(state: StoredState, taskId: string, op: AppendOp): Reduced {
  const task = growingTask(state.tasks.list.get(taskId), taskId);
  const text = task.text.append(op.offset, op.text);
  if (!(text instanceof GrowingText)) return { next: state, gap: text };
  return { next: text === task.text ? state : state.with({ tasks: state.tasks.with(task.withText(text)) }) };
}

export function applyAppend(state: StoredState, op: AppendOp): Reduced {
  return op.target.type === 'frame' ? appendToFrame(state, op.target, op) : appendToTask(state, op.target.taskId, op);
}
