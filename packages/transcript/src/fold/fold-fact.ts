import { type Fact, type FactOf, assertNever } from '@tapefold/facts';
import { foldInputPlaced, foldInputReceived } from './fold-inputs.js';
import { foldRequested, foldResolved } from './fold-interactions.js';
import { foldAgentOfCall, foldItem, foldItemChanged } from './fold-items.js';
import { foldCompaction, foldNotice } from './fold-markers.js';
import { foldPromptEnded, foldPromptQueued, foldPromptTaken } from './fold-prompts.js';
import { countStep, foldStepEnded, foldStepRetried, foldStepStarted, noteAnswer } from './fold-steps.js';
import { foldTaskChanged, foldTaskEnded, foldTaskStarted } from './fold-tasks.js';
import { foldTurnChanged, foldTurnEnded, foldTurnStarted } from './fold-turns.js';
import { foldConfigured, foldDetails, foldGoal, foldGoalCleared, foldMode, foldPlan, foldTodo, foldUsage } from './fold-work.js';
import type { Folding } from './folding.js';
import { nameCall } from './name-call.js';

/** Exhaustive by design: a new family of facts is a compile error here. */
export function foldFact(folding: Folding, fact: Fact): void {
  switch (fact.type) {
    case 'thread.opened': case 'thread.changed': return foldDetails(folding, fact);
    case 'turn.started': return foldTurnStarted(folding, fact);
    case 'turn.changed': return foldTurnChanged(folding, fact);
    case 'turn.ended': return foldTurnEnded(folding, fact);
    case 'step.started': return foldStepStarted(folding, fact);
    case 'step.ended': return foldStepEnded(folding, fact);
    case 'step.retried': return foldStepRetried(folding, fact);
    case 'input.received': return foldInputReceived(folding, fact);
    case 'input.placed': return foldInputPlaced(folding, fact);
    case 'item.started': case 'item.completed': return foldItem(folding, fact);
    case 'item.changed': return foldItemChanged(folding, fact);
    case 'interaction.requested': return foldRequested(folding, fact);
    case 'interaction.resolved': return foldResolved(folding, fact);
    case 'task.started': return foldTaskStarted(folding, fact);
    case 'task.changed': return foldTaskChanged(folding, fact);
    case 'task.ended': return foldTaskEnded(folding, fact);
    case 'todo.replaced': return foldTodo(folding, fact);
    case 'plan.revised': return foldPlan(folding, fact);
    case 'goal.set': return foldGoal(folding, fact);
    case 'goal.cleared': return foldGoalCleared(folding);
    case 'mode.entered': case 'mode.exited': return foldMode(folding, fact);
    case 'prompt.queued': return foldPromptQueued(folding, fact);
    case 'prompt.taken': return foldPromptTaken(folding, fact);
    case 'prompt.ended': return foldPromptEnded(folding, fact);
    case 'usage.recorded': countStep(folding, fact); return foldUsage(folding, fact);
    case 'agent.described': return foldAgentOfCall(folding, fact);
    case 'context.appended': return foldEntry(folding, fact);
    case 'context.compacted': return foldCompaction(folding, fact);
    case 'context.configured': return foldConfigured(folding, fact);
    case 'notice.posted': return foldNotice(folding, fact);
    case 'history.superseded': case 'history.restored': case 'turn.replaced': case 'thread.based': case 'thread.linked': case 'agent.disposed': case 'media.referenced': case 'context.cleared':
    case 'realtime.recorded': case 'record.unknown': case 'record.damaged': case 'record.repaired': return undefined;
    default: return assertNever(fact);
  }
}

/** Of the model's history only calls and results tell something of the timeline: what a call is named, and where a response ends. */
function foldEntry(folding: Folding, fact: FactOf<'context.appended'>): void {
  if (fact.item.kind === 'result') noteAnswer(folding, fact);
  else if (fact.item.kind === 'call') nameCall(folding, { callId: fact.call ?? fact.item.callId, shows: fact.shows, item: fact.item });
}

