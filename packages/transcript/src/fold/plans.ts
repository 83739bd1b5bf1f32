import { type Fact, isJsonObject } from '@tapefold/facts';

/** The tool by which plans are put before a person; other agents' plans say it by what they display. */
export const PLAN_TOOL = 'ExitPlanMode';
/** The kind of what they display. */
export const PLAN_REVIEW = 'plan_review';

/** Whether a frame that the fact makes, or names, may show a plan. */
export function mayShowPlan(fact: Fact): boolean {
  if (fact.type === 'context.appended') return fact.item.kind === 'call' && fact.item.name === PLAN_TOOL;
  if (fact.type !== 'item.started' && fact.type !== 'item.completed') return false;
  const { tool, body } = fact;
  if (tool?.name === PLAN_TOOL || body.kind === 'plan' || (body.kind === 'toolCall' && body.tool === PLAN_TOOL) || (body.kind === 'callOutput' && body.name === PLAN_TOOL)) return true;
  return isJsonObject(tool?.display) && tool.display['kind'] === PLAN_REVIEW;
}
