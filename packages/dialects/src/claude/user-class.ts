import { booleanAt, objectAt, stringAt } from '../shape.js';
import { type ClaudeLine, textOf } from './line.js';

/** What a user line is (claude-history §5.1, in its order). */
export type UserClass = 'result' | 'summary' | 'command' | 'shell' | 'notification' | 'attached' | 'meta' | 'interrupt' | 'prompt';

const attached = /^<(?:local-command-caveat|local-command-stdout|local-command-stderr|bash-stdout|bash-stderr)>/;
const reminders = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
/** What editors put before a person's words. */
const editorNotes = /<ide_[a-z_]+>[\s\S]*?<\/ide_[a-z_]+>/g;

/** A text without what the program put in. */
export function withoutReminders(text: string): string {
  return text.includes('<system-reminder>') ? text.replace(reminders, '').trim() : text;
}

/** A person's own words, as a list shows them. */
export function ownWords(text: string): string {
  return withoutReminders(text).replace(editorNotes, '').replace(/\s+/g, ' ').trim();
}

/** True for a text that is nothing but what the program or an editor put in. */
export function isInjected(text: string): boolean {
  return text.trim() !== '' && text.replace(reminders, '').replace(editorNotes, '').trim() === '';
}

/** The text that a line of a user says, which tells its class. */
export function spokenText(line: ClaudeLine): string {
  return withoutReminders(textOf(line.blocks)).trimStart();
}

function classOfText(text: string, line: ClaudeLine): UserClass | undefined {
  if (/^<command-(?:name|message)>/.test(text)) return 'command';
  if (text.startsWith('<bash-input>')) return 'shell';
  if (text.startsWith('<task-notification>') || stringAt(objectAt(line.raw, 'origin') ?? {}, 'kind') === 'task-notification') return 'notification';
  if (attached.test(text)) return 'attached';
  const isReminder = text === '' && textOf(line.blocks).includes('<system-reminder>') && line.blocks.every(({ type }) => type === 'text');
  return isReminder ? 'attached' : undefined;
}

export function classOfUser(line: ClaudeLine): UserClass {
  if (line.blocks.some(({ type }) => type === 'tool_result')) return 'result';
  if (booleanAt(line.raw, 'isCompactSummary') === true) return 'summary';
  const text = spokenText(line);
  const byText = classOfText(text, line);
  if (byText !== undefined) return byText;
  if (booleanAt(line.raw, 'isMeta') === true) return 'meta';
  return text.startsWith('[Request interrupted by user') ? 'interrupt' : 'prompt';
}

/** What stands between two tags of the program's own; empty where they are not there. */
export function tagged(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.indexOf(`</${tag}>`, from);
  return from < 0 || to < 0 ? undefined : text.slice(from + tag.length + 2, to);
}

/** A slash command as a person typed it. */
export function commandText(text: string): string {
  const name = tagged(text, 'command-name') ?? tagged(text, 'command-message') ?? '';
  const args = (tagged(text, 'command-args') ?? '').trim();
  const slashed = name.trim() === '' || name.trim().startsWith('/') ? name.trim() : `/${name.trim()}`;
  return args === '' ? slashed : `${slashed} ${args}`;
}
