import type { TranscriptInteraction, TranscriptPrompt, TranscriptTask } from '../model/entities.js';
import type { ToolCallFrame, TranscriptFrame } from '../model/frame.js';
import type { TaskId, TurnId } from '../model/ids.js';
import type { TranscriptItem } from '../model/item.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { TranscriptStep, TranscriptTurn } from '../model/turn.js';
import { promptStatus } from './fold-prompts.js';
import { turnState } from './fold-turns.js';
import { withLeftovers } from './leftovers.js';
import { present } from './present.js';
import { turnUsage } from './usage.js';
import type { TranscriptView, TurnOutlook } from './view.js';

/** What runs, as far as the host knows. `turnId`: the newest open turn where absent; no other one can run. `taskIds`: all that no record ends where absent. */
export interface RunningTranscript {
  readonly turnId?: TurnId | undefined;
  readonly taskIds?: readonly TaskId[] | undefined;
}

export interface SettleTranscriptOptions {
  /** Absent: nothing runs. */
  readonly running?: RunningTranscript | undefined;
}

/** What stands in a call of which no record tells the end. */
export const UNKNOWN_OUTCOME = 'The outcome of this call is unknown: no result of it was recorded, and it may have run.';

function runningTurn({ snapshot, outlooks }: TranscriptView, running: RunningTranscript | undefined): TurnId | undefined {
  if (!running) return undefined;
  let newest: TurnId | undefined;
  for (const item of snapshot.items) if (item.kind === 'turn' && Object.hasOwn(outlooks, item.turnId)) newest = item.turnId;
  return running.turnId === undefined || running.turnId === newest ? newest : undefined;
}

function settledCall(frame: ToolCallFrame): ToolCallFrame {
  const { progress: _, ...call } = frame;
  return { ...call, state: 'error', error: UNKNOWN_OUTCOME, outcome: 'unknown' };
}

const isOpenCall = (frame: TranscriptFrame): frame is ToolCallFrame => frame.kind === 'tool' && frame.state === 'running';

function settledStep(step: TranscriptStep, of: { readonly isCut: boolean }): TranscriptStep {
  const frames = step.frames.some(isOpenCall) ? step.frames.map((frame) => (isOpenCall(frame) ? settledCall(frame) : frame)) : step.frames;
  if (step.state !== 'running') return frames === step.frames ? step : { ...step, frames };
  const { retry: _, ...header } = step;
  return { ...header, state: of.isCut ? 'interrupted' : 'completed', frames };
}

/** A turn that does not run: without an end it counts as what its records say, and where they say nothing as cut off. */
function settledTurn(turn: TranscriptTurn, outlook: TurnOutlook | undefined): TranscriptTurn {
  const isCut = outlook?.settlesAs === 'interrupted';
  const settled = turn.steps.map((step, i) => settledStep(step, { isCut: isCut && i === turn.steps.length - 1 }));
  // What changes nothing stays the same object, so that comparing long transcripts costs what differs.
  const steps = settled.every((step, i) => step === turn.steps[i]) ? turn.steps : settled;
  if (!outlook) return steps === turn.steps ? turn : { ...turn, steps };
  return present({ ...turn, state: turnState(outlook.settlesAs), usage: turnUsage(steps), error: outlook.settlesAs === 'failed' ? outlook.error : turn.error, steps });
}

function settledInteraction(interaction: TranscriptInteraction, calls: ReadonlySet<string> | undefined, isEarly: boolean): TranscriptInteraction {
  const isAwaited = calls !== undefined && (isEarly || interaction.toolCallId === undefined || calls.has(interaction.toolCallId));
  return interaction.state === 'pending' && !isAwaited ? { ...interaction, state: 'cancelled' } : interaction;
}

function settledTask(task: TranscriptTask, running: RunningTranscript | undefined): TranscriptTask {
  const runs = running !== undefined && (running.taskIds === undefined || running.taskIds.includes(task.taskId));
  return task.state === 'running' && !runs ? { ...task, state: 'lost' } : task;
}

/** A prompt ends as its turn does; one that waits for a program that is gone never gets one. */
function settledPrompt(prompt: TranscriptPrompt, { outlooks, promptTurns }: TranscriptView, of: { readonly isRunning: boolean; readonly turnId: TurnId | undefined }): TranscriptPrompt {
  if (prompt.status !== 'running' && prompt.status !== 'queued' && prompt.status !== 'blocked') return prompt;
  const turn = promptTurns[prompt.promptId];
  const outlook = turn === undefined || turn === of.turnId ? undefined : outlooks[turn];
  if (outlook) return { ...prompt, status: promptStatus(outlook.settlesAs) };
  return of.isRunning ? prompt : { ...prompt, status: 'aborted' };
}

/** Calls that the running turn waits for; undefined where nothing runs. */
function awaitedCalls(items: readonly TranscriptItem[], turnId: TurnId | undefined): ReadonlySet<string> | undefined {
  if (turnId === undefined) return undefined;
  const turn = items.find((item): item is TranscriptTurn => item.kind === 'turn' && item.turnId === turnId);
  return new Set((turn?.steps ?? []).flatMap(({ frames }) => frames.filter(isOpenCall).map(({ toolCallId }) => toolCallId)));
}

/**
 * The settled view of a transcript: outside of the running turn, what no record ends ends as what it is. A call is of unknown outcome, a turn is cancelled
 * and its step interrupted unless its records say what it counts as, a question is cancelled, a task lost; inputs that stand nowhere are placed.
 * Pure, and for reading only: settled values are never folded on.
 */
export function settleTranscript(view: TranscriptView, { running }: SettleTranscriptOptions = {}): AgentTranscriptSnapshot {
  const { snapshot, outlooks } = view;
  const turnId = runningTurn(view, running);
  const items = snapshot.items.map((item) => (item.kind === 'turn' && item.turnId !== turnId ? settledTurn(item, outlooks[item.turnId]) : item));
  const calls = awaitedCalls(items, turnId);
  const placed = withLeftovers({ items, attachments: snapshot.attachments }, view.leftovers.filter(({ heldFor }) => turnId === undefined || heldFor !== turnId));
  return {
    ...snapshot, ...placed, interactions: snapshot.interactions.map((each) => settledInteraction(each, calls, view.earlyRequests[each.interactionId] === turnId)), tasks: snapshot.tasks.map((each) => settledTask(each, running)),
    prompts: snapshot.prompts.map((each) => settledPrompt(each, view, { isRunning: running !== undefined, turnId })), meta: { ...snapshot.meta, activity: turnId === undefined ? 'idle' : 'turn' },
  };
}

