import type { JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { numberAt, objectAt, present, stringAt } from '../shape.js';
import { messageItem, partOf } from './content.js';
import { appendEntry } from './context.js';
import { blocksOf } from './line.js';
import { type Play, noteItem, refs, say } from './play.js';
import { takeSteered } from './queue.js';
import { noteTodosReminder } from './reminders.js';
import { endTask, noteTaskStatus } from './tasks.js';
import { needTurn } from './turns.js';

/** The model reads something of it; what exactly, only the program knows. */
function appendRaw(play: Play, attachment: JsonObject): string {
  const native = play.pen.native(play.line.record, attachment, ['attachment']);
  return appendEntry(play, { as: 'quiet', item: { kind: 'other', type: play.line.name, native } });
}

/** Words of a person that were typed while the turn ran and reached the model inside it; or a task's notification. */
function tellQueued(play: Play, attachment: JsonObject): void {
  const blocks = blocksOf(attachment['prompt']).map((block) => ({ ...block, path: undefined }));
  const text = blocks.map(({ raw }) => stringAt(raw, 'text') ?? '').join('');
  const isTask = stringAt(attachment, 'commandMode') === 'task-notification' || text.startsWith('<task-notification>');
  const visibility = isTask || attachment['isMeta'] === true ? ('injected' as const) : ('shown' as const);
  needTurn(play);
  const context = appendEntry(play, { as: 'quiet', item: { ...messageItem({ role: 'user', visibility, blocks }), native: play.pen.native(play.line.record, attachment, ['attachment']) } });
  const promptIds = takeSteered(play, text);
  const input = say(play, present({
    type: 'input.received' as const, ...refs(play, -1), id: play.node.uuid, content: blocks.map(partOf), visibility, origin: { kind: isTask ? ('task' as const) : ('user' as const) }, promptIds: promptIds.length ? promptIds : undefined,
    isAdded: false, context,
  }));
  say(play, { type: 'input.placed', ...refs(play, -1), input, as: isTask ? 'notifies' : 'steers' });
  if (isTask) endTask(play, text);
}

/** The call that a hook belongs to, where it is one. */
function callOfHook(play: Play, attachment: JsonObject): string | undefined {
  const id = stringAt(attachment, 'toolUseID');
  return id !== undefined && /^(?:toolu_|call_)/.test(id) ? id : undefined;
}

function hookText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('\n') : '';
}

/** What a hook told the model. */
function tellHookPrompt(play: Play, attachment: JsonObject, text: string): void {
  needTurn(play);
  const context = appendRaw(play, attachment);
  const fragments = [{ text, hookRunId: stringAt(attachment, 'toolUseID') ?? '' }];
  noteItem(play, say(play, present({
    type: 'item.completed' as const, ...refs(play, -1), call: callOfHook(play, attachment), id: `${play.node.uuid}.0`, body: { kind: 'hookPrompt' as const, fragments }, visibility: 'shown' as const, isAdded: false, context,
  })));
}

/** What a hook told the person, or how it went. */
function tellHookNotice(play: Play, attachment: JsonObject, level: 'info' | 'warning'): void {
  const event = stringAt(attachment, 'hookEvent') ?? stringAt(attachment, 'hookName') ?? '';
  const text = level === 'warning' ? stringAt(attachment, 'stderr') ?? '' : hookText(attachment['content']);
  const details = present({ hookName: stringAt(attachment, 'hookName'), exitCode: numberAt(attachment, 'exitCode'), durationMs: numberAt(attachment, 'durationMs'), command: stringAt(attachment, 'command') });
  const isShown = level === 'warning' || stringAt(attachment, 'type') === 'hook_system_message';
  appendRaw(play, attachment);
  say(play, present({ type: 'notice.posted' as const, ...refs(play, -1), call: callOfHook(play, attachment), level, code: `hook/${event}`, text, details: details as JsonObject, visibility: isShown ? ('shown' as const) : ('control' as const) }));
}

/** Content that the program puts before the model beside the conversation. */
export function tellAttachment(play: Play): void {
  const attachment = objectAt(play.line.raw, 'attachment') ?? {};
  switch (stringAt(attachment, 'type')) {
    case 'queued_command': return tellQueued(play, attachment);
    case 'hook_additional_context': return tellHookPrompt(play, attachment, hookText(attachment['content']));
    case 'hook_blocking_error': return tellHookPrompt(play, attachment, blockingText(attachment['blockingError']));
    case 'hook_non_blocking_error': return tellHookNotice(play, attachment, 'warning');
    case 'hook_success': case 'hook_system_message': return tellHookNotice(play, attachment, 'info');
    case 'task_status': appendRaw(play, attachment); return noteTaskStatus(play, attachment);
    case 'todo_reminder': appendRaw(play, attachment); return noteTodosReminder(play, attachment);
    case 'goal_status': appendRaw(play, attachment); return tellGoal(play, attachment);
    default: appendRaw(play, attachment); return undefined;
  }
}

function blockingText(error: JsonValue | undefined): string {
  return isJsonObject(error) ? stringAt(error, 'blockingError') ?? '' : hookText(error);
}

function tellGoal(play: Play, attachment: JsonObject): void {
  const objective = stringAt(attachment, 'condition');
  say(play, present({ type: 'goal.set' as const, ...refs(play, -1), objective, status: attachment['met'] === true ? 'met' : 'open', budgetUsed: numberAt(attachment, 'tokens'), payload: attachment }));
}
