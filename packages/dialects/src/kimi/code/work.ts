import type { FactDraft, JsonValue, LineVerdict } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { listAt, numberAt, objectAt, present, stringAt } from '../../shape.js';
import { type Play, payloadOf, runningTurn, sayWord } from './play.js';
import type { GoalState, KimiCodeState } from './state.js';

/* To-do lists, goals, plans, modes: what the agent keeps of its work. Payloads are the record's own, for the marks of the original. */

const todoStates = { pending: 'pending', in_progress: 'inProgress', done: 'completed' } as const;

type TodoEntry = Extract<FactDraft, { type: 'todo.replaced' }>['entries'][number];

function todoOf(raw: unknown): TodoEntry[] {
  if (!isJsonObject(raw)) return [];
  const title = stringAt(raw, 'title');
  const status = stringAt(raw, 'status') ?? '';
  return title !== undefined && Object.hasOwn(todoStates, status) ? [{ title, status: todoStates[status as keyof typeof todoStates] }] : [];
}

/** `tools.update_store`: of what tools keep, the to-do list is shown. Entries that are not whole are left out. */
export function playStore(play: Play): LineVerdict {
  if (stringAt(play.raw, 'key') !== 'todo') return 'ignored';
  sayWord(play, { type: 'todo.replaced', ...runningTurn(play), entries: listAt(play.raw, 'value').flatMap(todoOf) });
  return 'played';
}

/** The goal as it stands on the branch. */
function goalOf(state: KimiCodeState): GoalState['goal'] {
  return state.goals.at(-1)?.goal ?? null;
}

function setGoal(play: Play, goal: GoalState['goal']): void {
  play.state.goals.push({ line: play.line, goal });
  if (goal === null) sayWord(play, { type: 'goal.cleared', ...runningTurn(play) });
  else sayWord(play, present({ type: 'goal.set' as const, ...runningTurn(play), payload: payloadOf(play), ...present({ ...goal }) }));
}

export function playGoalCreate(play: Play): LineVerdict {
  const { raw } = play;
  setGoal(play, { goalId: stringAt(raw, 'goalId'), objective: stringAt(raw, 'objective') ?? '', status: 'active', completionCriterion: stringAt(raw, 'completionCriterion'), budgetUsed: 0 });
  return 'played';
}

const goalStates = new Set(['active', 'paused', 'blocked', 'complete']);

/** `goal.update`: patches the goal there is; without one it is only a mark in the timeline. */
export function playGoalUpdate(play: Play): LineVerdict {
  const { raw, state } = play;
  const goal = goalOf(state);
  const status = stringAt(raw, 'status');
  const budget = numberAt(objectAt(raw, 'budgetLimits') ?? {}, 'tokenBudget');
  if (goal === null) {
    sayWord(play, { type: 'notice.posted', ...runningTurn(play), level: 'info', code: 'goal', text: status ?? '', details: payloadOf(play) });
    return 'played';
  }
  setGoal(play, { ...goal, status: status !== undefined && goalStates.has(status) ? status : goal.status, budgetUsed: numberAt(raw, 'tokensUsed') ?? goal.budgetUsed, budgetLimit: budget ?? goal.budgetLimit });
  return 'played';
}

export function playGoalClear(play: Play): LineVerdict {
  setGoal(play, null);
  return 'played';
}

/** `plan.revision`: a plan by reference; newer ones name a key, older ones a path. */
export function playPlan(play: Play): LineVerdict {
  const { raw } = play;
  sayWord(play, present({
    type: 'plan.revised' as const, ...runningTurn(play), payload: payloadOf(play), planId: stringAt(raw, 'id') ?? '', version: numberAt(raw, 'version'), key: stringAt(raw, 'key'), path: stringAt(raw, 'path'), sha256: stringAt(raw, 'sha256'),
    sizeBytes: numberAt(raw, 'bytes'),
  }));
  return 'played';
}

const modeForm = /^(plan|swarm|tower)_mode\.(enter|exit|cancel)$/;

/** Modes that the original marks in the timeline. */
const markOf = (play: Play, mode: string): JsonValue | undefined => (mode === 'tower' ? undefined : payloadOf(play));

function enterMode(play: Play, mode: string): void {
  const { raw } = play;
  sayWord(play, present({ type: 'mode.entered' as const, ...runningTurn(play), mode, id: stringAt(raw, 'id'), trigger: stringAt(raw, 'trigger'), payload: markOf(play, mode) }));
}

function exitMode(play: Play, mode: string, isCancelled: boolean): void {
  sayWord(play, present({ type: 'mode.exited' as const, ...runningTurn(play), mode, id: stringAt(play.raw, 'id'), isCancelled: isCancelled ? true : undefined, payload: markOf(play, mode) }));
}

/** `plan_mode.enter` and its like. */
export function playMode(play: Play): LineVerdict {
  const [, mode = '', how] = modeForm.exec(play.type) ?? [];
  if (how === 'enter') enterMode(play, mode);
  else exitMode(play, mode, how === 'cancel');
  return 'played';
}
