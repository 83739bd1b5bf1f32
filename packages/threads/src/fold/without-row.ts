import type { FactType } from '@tapefold/facts';

/** Families that the public read model has no row for, each with the reason. They are counted among the head's facts and change nothing else. */
export const factsWithoutRow = {
  'thread.based': 'segments are the caller\'s: it folds the base first',
  'agent.described': 'sub-agents are threads of their own; the roster is the live transcript\'s',
  'agent.disposed': 'sub-agents are threads of their own; the roster is the live transcript\'s',
  'step.started': 'steps are the live transcript\'s; a turn has items',
  'step.ended': 'steps are the live transcript\'s; a turn has items',
  'step.retried': 'steps are the live transcript\'s; what a failed attempt showed is superseded',
  'task.started': 'tasks are the live transcript\'s; the call that began one is an item',
  'task.changed': 'tasks are the live transcript\'s; the call that began one is an item',
  'task.ended': 'tasks are the live transcript\'s; the call that began one is an item',
  'todo.replaced': 'the list of things to do is the live transcript\'s; its call is an item',
  'plan.revised': 'the document is the live transcript\'s; the plan item says its text',
  'goal.cleared': 'the preview keeps the goal that the thread began with',
  'mode.entered': 'modes are the live transcript\'s',
  'mode.exited': 'modes are the live transcript\'s',
  'prompt.queued': 'what was said is `input.received`',
  'prompt.taken': 'where it went is `input.placed`',
  'prompt.ended': 'how its turn ended is `turn.ended`',
  'media.referenced': 'the item that shows it names it',
  'context.appended': 'what the model reads is the context fold\'s',
  'context.cleared': 'what the model reads is the context fold\'s',
  'context.configured': 'the next request is the context fold\'s; model and effort of a thread come from `thread.*`',
} as const satisfies Partial<Record<FactType, string>>;

/** A fact that has no row. */
export type RowlessFactType = keyof typeof factsWithoutRow;
