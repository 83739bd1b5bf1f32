import type { TranscriptFrame } from '../model/frame.js';
import type { StepHeader, TranscriptStep, TranscriptTurn, TurnHeader } from '../model/turn.js';
import { type MaybeGrowing, headOfGrowing, readGrowing } from './growing.js';
import { KeyedList } from './keyed-list.js';

/** A frame, or one whose text grows. */
export type FrameEntry = MaybeGrowing<TranscriptFrame>;

const frameKey = (entry: FrameEntry): string => headOfGrowing(entry).frameId;
const stepKey = (step: StepNode): string => step.header.stepId;

/** A step as the reducer keeps it. Immutable; the step that is handed out is made when it is read, once. */
export class StepNode {
  readonly header: StepHeader;
  readonly frames: KeyedList<FrameEntry>;
  private view: TranscriptStep | undefined = undefined;

  constructor(header: StepHeader, frames: KeyedList<FrameEntry>) {
    this.header = header;
    this.frames = frames;
  }

  static of(step: StepHeader & { readonly frames?: readonly TranscriptFrame[] }): StepNode {
    const { frames = [], ...header } = step;
    return new StepNode(header, KeyedList.from<FrameEntry>(frameKey, frames));
  }

  read(): TranscriptStep {
    this.view ??= { ...this.header, frames: this.frames.toArray().map(readGrowing) };
    return this.view;
  }
}

/** A turn as the reducer keeps it. Immutable; the turn that is handed out is made when it is read, once. */
export class TurnNode {
  readonly header: TurnHeader;
  /** Sorted by ordinal. */
  readonly steps: KeyedList<StepNode>;
  private view: TranscriptTurn | undefined = undefined;

  constructor(header: TurnHeader, steps: KeyedList<StepNode>) {
    this.header = header;
    this.steps = steps;
  }

  static of(turn: TurnHeader & { readonly steps?: readonly TranscriptStep[] }): TurnNode {
    const { steps = [], ...header } = turn;
    return new TurnNode(header, KeyedList.from(stepKey, steps.map((step) => StepNode.of(step))));
  }

  /** With a step put in the place of the one of the same id, or by its ordinal. */
  withStep(step: StepNode): TurnNode {
    const position = this.steps.positionOf(step.header.stepId);
    const { ordinal } = step.header;
    const isInPlace = position >= 0 ? this.steps.at(position)?.header.ordinal === ordinal : !((this.steps.at(this.steps.end - 1)?.header.ordinal ?? -Infinity) > ordinal);
    if (isInPlace) return new TurnNode(this.header, this.steps.withEntry(position < 0 ? this.steps.end : position, step));
    const others = this.steps.toArray().filter((other) => other.header.stepId !== step.header.stepId);
    return new TurnNode(this.header, KeyedList.from(stepKey, [...others, step].sort((a, b) => a.header.ordinal - b.header.ordinal)));
  }

  /** Ids of the calls that its tool frames show. */
  toolCallIds(): string[] {
    const frames = this.steps.toArray().flatMap((step) => step.frames.toArray().map(headOfGrowing));
    return frames.flatMap((frame) => (frame.kind === 'tool' ? [frame.toolCallId] : []));
  }

  read(): TranscriptTurn {
    this.view ??= { ...this.header, steps: this.steps.toArray().map((step) => step.read()) };
    return this.view;
  }
}
