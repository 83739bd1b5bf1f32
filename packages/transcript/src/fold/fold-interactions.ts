import type { FactOf } from '@tapefold/facts';
import type { InteractionState } from '../model/entities.js';
import { changeCallFrame } from './fold-items.js';
import { type Folding, textAt, turnOf } from './folding.js';
import { present } from './present.js';
import { questionRequest } from './question-request.js';

/** The person is asked. Tools of the person's own program are no question. */
export function foldRequested(folding: Folding, fact: FactOf<'interaction.requested'>): void {
  const { doc, options, askedIn } = folding;
  if (fact.kind === 'tool') return;
  const toolCallId = fact.call ?? textAt(fact.request, 'toolCallId');
  const request = fact.kind === 'question' ? questionRequest(fact, options) : fact.request;
  doc.setInteraction(present({ interactionId: fact.id, interactionKind: fact.kind, toolCallId, state: 'pending' as const, request }));
  const turn = turnOf(folding, fact);
  if (turn) askedIn.set(fact.id, turn.key);
}

const states: Readonly<Record<FactOf<'interaction.resolved'>['outcome'], InteractionState>> = {
  approved: 'approved', rejected: 'rejected', answered: 'answered', dismissed: 'dismissed', cancelled: 'cancelled', timedOut: 'cancelled',
};

/** The person answered, or nobody did; the call that waited names the approval. */
export function foldResolved(folding: Folding, fact: FactOf<'interaction.resolved'>): void {
  const known = folding.doc.interaction(fact.id);
  if (!known) return;
  folding.askedIn.delete(fact.id);
  folding.doc.setInteraction(present({ ...known, state: states[fact.outcome], response: fact.response }));
  if (known.interactionKind === 'approval') changeCallFrame(folding, known.toolCallId, { approvalId: known.interactionId });
}
