/** `t<ordinal>`: ordinals count per agent, from 0. */
export type TurnId = string;
/** `<turnId>.<step ordinal>`: from 1. */
export type StepId = string;
/** `<stepId>.f<n>` for text and thinking, n from 1; `<stepId>.<toolCallId>` for a tool. */
export type FrameId = string;
/** `m<n>` where it was read back, `live-m<n>` where a live projector counted. */
export type MarkerId = string;
/** `ref-<taskId>`. */
export type TaskRefId = string;
/** Id of a turn, a marker or a task reference: one namespace. */
export type ItemId = string;
export type TaskId = string;
/** `main`, or an agent below it. */
export type AgentId = string;
export type InteractionId = string;
export type AttachmentId = string;
/** Always `todo`: one document per agent. */
export type TodoId = string;
export type PromptId = string;

/** The id of the turn at an ordinal. */
export function turnId(ordinal: number): TurnId {
  return `t${ordinal}`;
}

/** The id of a step of a turn; ordinals from 1. */
export function stepId(turn: TurnId, ordinal: number): StepId {
  return `${turn}.${ordinal}`;
}

/** The id of the n-th text or thinking frame of a step; n from 1. */
export function frameId(step: StepId, n: number): FrameId {
  return `${step}.f${n}`;
}

/** The id of the frame that shows a tool call. */
export function toolFrameId(step: StepId, toolCallId: string): FrameId {
  return `${step}.${toolCallId}`;
}

const finiteOrZero = (text: string): number => {
  const value = Number(text);
  return Number.isFinite(value) ? value : 0;
};

/** The number in a turn id; 0 where there is none. */
export function turnOrdinal(id: TurnId): number {
  return finiteOrZero(id.slice(1));
}

/** The number in a step id of a turn; 0 where there is none. */
export function stepOrdinal(turn: TurnId, id: StepId): number {
  return id.startsWith(`${turn}.`) ? finiteOrZero(id.slice(turn.length + 1)) : 0;
}

/** Orders turn ids by their numbers: below 0, 0 or above 0. */
export function compareTurnIds(a: TurnId, b: TurnId): number {
  return turnOrdinal(a) - turnOrdinal(b);
}

/** Whether an agent id from outside may name a folder: letters, digits, `.`, `_`, `-`, at most 128, not `.` or `..`. */
export function isPlainAgentId(id: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) && id !== '.' && id !== '..';
}
