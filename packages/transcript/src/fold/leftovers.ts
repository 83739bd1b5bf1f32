import type { TranscriptAttachment } from '../model/entities.js';
import type { TranscriptFrame } from '../model/frame.js';
import { frameId, stepId, turnId } from '../model/ids.js';
import type { TranscriptItem } from '../model/item.js';
import type { TranscriptStep, TranscriptTurn } from '../model/turn.js';
import { present } from './present.js';
import type { LeftoverInput } from './view.js';

/** The parts of a snapshot that inputs are placed in. */
export interface Placed {
  readonly items: readonly TranscriptItem[];
  readonly attachments: readonly TranscriptAttachment[];
}

function attached(attachments: readonly TranscriptAttachment[], input: LeftoverInput): TranscriptAttachment[] {
  return input.attachments.map((attachment, i) => ({ attachmentId: `att_${attachments.length + i + 1}`, ...attachment }));
}

/** The words behind all else in the last step, which is made where there is none. */
function withWords(turn: TranscriptTurn, input: LeftoverInput, attachmentIds: readonly string[] | undefined): TranscriptTurn {
  const id = stepId(turn.turnId, 1);
  const last: TranscriptStep = turn.steps.at(-1) ?? { kind: 'step', stepId: id, turnId: turn.turnId, ordinal: 1, state: turn.state === 'running' ? 'running' : 'completed', frames: [] };
  const number = last.frames.filter(({ kind }) => kind !== 'tool').length + 1;
  const frame: TranscriptFrame = present({ ...input.frame, frameId: frameId(last.stepId, number), attachmentIds });
  return { ...turn, steps: [...turn.steps.slice(0, -1), { ...last, frames: [...last.frames, frame] }] };
}

/** Nothing took it up: it never became more than its words. */
function ownTurn(input: LeftoverInput, ordinal: number, attachmentIds: readonly string[] | undefined): TranscriptTurn {
  return present({
    kind: 'turn' as const, turnId: turnId(ordinal), ordinal, triggerPromptId: input.triggerPromptId, state: 'cancelled' as const, origin: input.origin, prompt: input.frame.text, attachmentIds, steps: [], startedAt: input.at,
  });
}

/** A part of a timeline may lack turns, but for the last one. */
function nextOrdinal(items: readonly TranscriptItem[]): number {
  return 1 + items.reduce((last, item) => (item.kind === 'turn' ? item.ordinal : last), -1);
}

function place({ items, attachments }: Placed, input: LeftoverInput): Placed {
  const added = attached(attachments, input);
  const ids = added.length ? added.map(({ attachmentId }) => attachmentId) : undefined;
  const all = [...attachments, ...added];
  const at = input.turnId === undefined ? -1 : items.findIndex((item) => item.kind === 'turn' && item.turnId === input.turnId);
  const turn = items[at];
  if (turn?.kind === 'turn') return { items: items.map((item, i) => (i === at ? withWords(turn, input, ids) : item)), attachments: all };
  return { items: [...items, ownTurn(input, nextOrdinal(items), ids)], attachments: all };
}

/** Inputs that stand nowhere get their places, in the order in which they came. */
export function withLeftovers(placed: Placed, leftovers: readonly LeftoverInput[]): Placed {
  return leftovers.reduce(place, placed);
}
