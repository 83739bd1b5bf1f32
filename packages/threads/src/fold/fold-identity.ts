import type { FactOf, TapeId, ThreadDetails } from '@tapefold/facts';
import type { ThreadHead, ThreadIdentity } from './thread-head.js';

function identityOf(fact: FactOf<'thread.opened'>): ThreadIdentity {
  return {
    tape: fact.tape, threadId: fact.threadId, sessionId: fact.sessionId, program: fact.program, programVersion: fact.programVersion, originator: fact.originator, createdAt: fact.createdAt,
    origin: fact.origin, historyMode: fact.historyMode, threadSource: fact.threadSource, ownHistoryFrom: fact.ownHistoryFrom,
  };
}

/** Absent fields say nothing, so they keep what was said before. */
function merged(older: ThreadDetails, newer: ThreadDetails): ThreadDetails {
  const said = Object.entries(newer).filter(([, value]) => value !== undefined);
  return { ...older, ...Object.fromEntries(said) };
}

/** The first prompt is the first ever: only the tape that said it may say it better, a later segment may not. */
function withDetails(head: ThreadHead, details: ThreadDetails, tape: TapeId): ThreadHead {
  const saysPrompt = details.firstPrompt !== undefined;
  if (!saysPrompt || head.promptTape === null || head.promptTape === tape) {
    return { ...head, details: merged(head.details, details), promptTape: saysPrompt ? tape : head.promptTape };
  }
  return { ...head, details: { ...merged(head.details, details), firstPrompt: head.details.firstPrompt } };
}

/** What a fork takes over from the thread whose history it goes on from: the first prompt and the model; it has its own name, folder and links. */
function inherited(head: ThreadHead): ThreadHead {
  const { firstPrompt, model, effort } = head.details;
  return { ...head, details: merged({}, { firstPrompt, model, effort }), links: {} };
}

/**
 * Of one tape the first `thread.opened` counts (a legacy fork copies its source's behind its own); of several the newest segment's, which is folded
 * last: after a revert `createdAt`, version and folder are the new file's. Another thread id is a fork that goes on from the segments before.
 */
export function foldOpened(head: ThreadHead, fact: FactOf<'thread.opened'>): ThreadHead {
  const known = head.identity;
  if (known?.tape === fact.tape) return head;
  const base = known && known.threadId !== fact.threadId ? inherited(head) : head;
  return withDetails({ ...base, identity: identityOf(fact) }, fact.details, fact.tape);
}

/** The latest value of each field counts. A side tape may speak of other threads too. */
export function foldChanged(head: ThreadHead, fact: FactOf<'thread.changed'>): ThreadHead {
  const isOfOther = fact.threadId !== undefined && head.identity !== null && fact.threadId !== head.identity.threadId;
  return isOfOther ? head : withDetails(head, fact.details, fact.tape);
}

/** One link of a kind; the latest counts. A later segment repeats those of its thread. */
export function foldLinked(head: ThreadHead, fact: FactOf<'thread.linked'>): ThreadHead {
  return { ...head, links: { ...head.links, [fact.relation]: fact.threadId } };
}

/** The goal stands for a first prompt where nobody asked anything (`preview`). */
export function foldGoal(head: ThreadHead, fact: FactOf<'goal.set'>): ThreadHead {
  return fact.objective === undefined ? head : withDetails(head, { goal: fact.objective }, fact.tape);
}
