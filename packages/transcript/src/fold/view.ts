import type { TurnStatus } from '@tapefold/facts';
import type { TranscriptAttachment } from '../model/entities.js';
import type { InteractionId, PromptId, TurnId } from '../model/ids.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { UserTextFrame } from '../model/frame.js';
import type { TurnOrigin } from '../model/turn.js';
import { turnOrigin } from './fold-turns.js';
import { attachmentsOf, triggerOf, wordsAlone } from './fold-inputs.js';
import { type Folding, type InputEntry, turnOf } from './folding.js';
import { present } from './present.js';

/** What an open turn counts as when nothing runs. */
export interface TurnOutlook {
  readonly settlesAs: TurnStatus;
  readonly error?: string | undefined;
}

/** An input that no record gave a place in the timeline. In `turnId` it becomes text of the person, else it opens a turn of its own. */
export interface LeftoverInput {
  readonly turnId?: TurnId | undefined;
  /** Waits for this turn to go on. */
  readonly heldFor?: TurnId | undefined;
  readonly frame: Omit<UserTextFrame, 'frameId'>;
  readonly attachments: readonly Omit<TranscriptAttachment, 'attachmentId'>[];
  readonly origin: TurnOrigin;
  readonly triggerPromptId?: string | undefined;
  readonly at?: string | undefined;
}

/** A transcript as its records have it, and what they say of what is still open. JSON. */
export interface TranscriptView {
  readonly snapshot: AgentTranscriptSnapshot;
  /** Of turns that no record ends. */
  readonly outlooks: Readonly<Record<TurnId, TurnOutlook>>;
  readonly leftovers: readonly LeftoverInput[];
  /** Prompts that a turn answers, and which. */
  readonly promptTurns: Readonly<Record<PromptId, TurnId>>;
  /** What the person was asked of calls that no record has yet, and in which turn. */
  readonly earlyRequests: Readonly<Record<InteractionId, TurnId>>;
  /** A mode was told of: an answer has `modes`, though none be on. */
  readonly hasModes: boolean;
}

function leftoverOf(folding: Folding, { fact, placing }: InputEntry): LeftoverInput[] {
  const becomes = placing?.otherwise ?? 'opens';
  if (fact.visibility !== 'shown' || becomes === 'dropped') return [];
  const turn = turnOf(folding, { turn: placing?.turn, turnId: fact.turnId });
  const heldFor = turn?.header.turnId;
  const isOfTurn = becomes !== 'opens' && heldFor !== undefined;
  const origin = turnOrigin(fact.origin);
  return [present({
    turnId: isOfTurn ? heldFor : undefined, heldFor, frame: wordsAlone(fact), attachments: attachmentsOf(fact.content), origin, triggerPromptId: triggerOf(fact, 'user'), at: fact.at,
  })];
}

/** Some programs write a call down only once the person let it run. */
function earlyRequestsOf({ doc, askedIn, callFrames }: Folding): Record<InteractionId, TurnId> {
  return Object.fromEntries([...askedIn].flatMap(([id, key]) => {
    const [call, turn] = [doc.interaction(id)?.toolCallId, doc.turn(key)?.header.turnId];
    return call === undefined || callFrames.has(call) || turn === undefined ? [] : [[id, turn]];
  }));
}

/** What settling reads of a fold. */
export function viewOf(folding: Folding): TranscriptView {
  const { doc } = folding;
  const snapshot = doc.snapshot();
  const outlooks: Record<TurnId, TurnOutlook> = {};
  for (const { header, isEnded, isImplicit, settlesAs, outlookError } of doc.turns) {
    if (!isEnded) outlooks[header.turnId] = present({ settlesAs: settlesAs ?? (isImplicit ? 'completed' : 'interrupted'), error: outlookError });
  }
  const leftovers = [...folding.inputs.values()].flatMap((entry) => leftoverOf(folding, entry));
  const promptTurns = Object.fromEntries(doc.turns.flatMap((turn) => (turn.isEnded ? [] : (folding.promptsOfTurns.get(turn.key) ?? []).map((promptId) => [promptId, turn.header.turnId]))));
  return { snapshot, outlooks, leftovers, promptTurns, earlyRequests: earlyRequestsOf(folding), hasModes: doc.hasModes };
}
