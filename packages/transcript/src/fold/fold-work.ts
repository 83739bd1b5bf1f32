import type { FactOf, JsonValue } from '@tapefold/facts';
import type { TodoStatus } from '../model/entities.js';
import type { AgentStatusMeta, GoalMeta, ModesMetaMerge } from '../model/meta.js';
import { planRevisionPath } from '../media/plan-revision.js';
import { changeCallFrame } from './fold-items.js';
import { type Folding, fieldsOf } from './folding.js';
import { present } from './present.js';
import { addUsage, stepUsage } from './usage.js';

const todoStates: Readonly<Record<FactOf<'todo.replaced'>['entries'][number]['status'], TodoStatus>> = { pending: 'pending', inProgress: 'in_progress', completed: 'done' };
const TODO_ID = 'todo';

/** The list of things to do, whole. */
export function foldTodo(folding: Folding, fact: FactOf<'todo.replaced'>): void {
  folding.doc.setTodo(present({ todoId: TODO_ID, items: fact.entries.map(({ title, status }) => ({ title, status: todoStates[status] })), updatedAt: fact.at }));
  changeCallFrame(folding, fact.call, { todoId: TODO_ID });
}

const goalStates: ReadonlySet<string> = new Set<GoalMeta['status']>(['active', 'paused', 'blocked', 'complete']);
const isGoalState = (status: string): status is GoalMeta['status'] => goalStates.has(status);

/** The goal as it now is, and a mark that it changed. */
export function foldGoal({ doc }: Folding, fact: FactOf<'goal.set'>): void {
  const { objective, completionCriterion, budgetUsed, budgetLimit, status } = fact;
  const known = doc.goal;
  const state = status !== undefined && isGoalState(status) ? status : known?.status ?? 'active';
  if (objective !== undefined || known) doc.mergeMeta({ goal: present({ objective: objective ?? known?.objective ?? '', status: state, completionCriterion, budgetUsed, budgetLimit }) });
  doc.addMarker(present({ marker: 'goal', payload: fact.payload ?? present({ objective, status, completionCriterion, budgetUsed, budgetLimit }), at: fact.at }), { isOfMessage: false });
}

/** The goal is no more. */
export function foldGoalCleared({ doc }: Folding): void {
  doc.mergeMeta({ goal: null });
}

/** Modes that transcripts know; others are the agent's own business. */
const marked: Readonly<Record<string, boolean>> = { plan: true, swarm: true, tower: false };

/** A mode is on or off. */
export function foldMode({ doc }: Folding, fact: FactOf<'mode.entered' | 'mode.exited'>): void {
  const { mode } = fact;
  if (!Object.hasOwn(marked, mode)) return;
  const isOn = fact.type === 'mode.entered';
  doc.hasModes = true;
  // A key that is off is told even where it was off before: who watches need not know.
  const merge: ModesMetaMerge = { [mode]: isOn ? {} : null };
  doc.mergeMeta({ modes: merge });
  if (!marked[mode]) return;
  const said = isOn ? present({ id: fact.id, trigger: fact.trigger }) : present({ id: fact.id });
  doc.addMarker(present({ marker: `${mode}.${isOn ? 'enter' : 'exit'}`, payload: fact.payload ?? said, at: fact.at }), { isOfMessage: false });
}

/** A plan's document has a new version; the mode is on, also where no record turned it on. */
export function foldPlan({ doc, options }: Folding, fact: FactOf<'plan.revised'>): void {
  const { version, planId, sha256, sizeBytes } = fact;
  const reviewPath = planRevisionPath(fact, options.resolvePlanKey);
  doc.hasModes = true;
  doc.mergeMeta({ modes: { plan: present({ reviewPath, version }) } });
  const { key: _, ...said } = fact.payload === undefined ? present({ id: planId, version, sha256, bytes: sizeBytes, key: undefined }) : fieldsOf(fact.payload);
  const payload: Record<string, JsonValue | undefined> = { ...said, path: reviewPath };
  doc.addMarker(present({ marker: 'plan.revision', payload: present(payload), at: fact.at }), { isOfMessage: false });
}

const permissions: ReadonlySet<unknown> = new Set(['manual', 'yolo', 'auto']);

/** What the next request is made with, as far as transcripts tell. */
export function foldConfigured({ doc }: Folding, { model, effort, approvalPolicy }: FactOf<'context.configured'>): void {
  const permission = permissions.has(approvalPolicy) ? (approvalPolicy as AgentStatusMeta['permission']) : undefined;
  mergeAgent(doc, { model, thinkingEffort: effort, permission });
}

/** Model and effort of the thread. */
export function foldDetails({ doc }: Folding, { details: { model, effort } }: FactOf<'thread.opened' | 'thread.changed'>): void {
  mergeAgent(doc, { model, thinkingEffort: effort });
}

function mergeAgent(doc: Folding['doc'], change: AgentStatusMeta): void {
  const agent = present(change);
  if (Object.keys(agent).length) doc.mergeMeta({ agent });
}

/** Tokens of a response, in the sums of the agent. */
export function foldUsage(folding: Folding, fact: FactOf<'usage.recorded'>): void {
  count(folding, fact);
  if (folding.doc.isWatched) tellUsage(folding);
}

function count({ doc, usage }: Folding, fact: FactOf<'usage.recorded'>): void {
  const { model = doc.agentMeta?.model, contextTokens, contextWindow } = fact;
  if (fact.usage) {
    const counted = stepUsage(fact.usage);
    usage.turn = addUsage(usage.turn, counted);
    usage.total = addUsage(usage.total, counted);
    if (model !== undefined) usage.byModel.set(model, addUsage(usage.byModel.get(model), counted));
  }
  usage.turnTold = usage.turn;
  const used = (usage.contextTokens = contextTokens ?? usage.contextTokens);
  const most = (usage.contextWindow = contextWindow ?? usage.contextWindow);
  if (used !== undefined && most !== undefined && most > 0) usage.contextUsage = used / most;
}

/** Tells the sums as they stand. */
export function tellUsage({ doc, usage }: Folding): void {
  const { byModel, turnTold: currentTurn, total, contextTokens, contextWindow: maxContextTokens, contextUsage } = usage;
  mergeAgent(doc, { usage: total && present({ byModel: byModel.size ? Object.fromEntries(byModel) : undefined, currentTurn, total }), contextTokens, maxContextTokens, contextUsage });
}
