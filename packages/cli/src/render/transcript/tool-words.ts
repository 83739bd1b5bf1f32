import type { JsonValue } from '@tapefold/facts';
import type { ThreadItemOf } from '@tapefold/threads';
import type { Line } from '../../text/line.js';
import { counted } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { INDENT, summaryLine } from './cut.js';
import { pathBelow } from './file-diff.js';
import type { TranscriptView } from './view.js';

/** How a call of an agent's own tool reads. `what` is a code span's text where `isCode`; a result that says nothing new is left out. */
export interface ToolWords {
  readonly what: string;
  readonly isCode: boolean;
  /** Says what was done where it was; `completed` where absent. */
  readonly done?: string | undefined;
  readonly below: readonly Line[];
  readonly hasResult: boolean;
}

/** Arguments of a call, as the model wrote them. */
export type Arguments = Readonly<Record<string, JsonValue>>;
/** What of a call its words are made of. */
export type Call = Pick<ThreadItemOf<'dynamicToolCall'>, 'tool' | 'arguments' | 'status'>;

/** Where the arguments of tools that are one thing done to one other thing name that, and where it is. */
export type Subjects = Readonly<Record<string, { readonly name: string; readonly isPath?: true; readonly place?: string }>>;

/** True for arguments proper: an object. */
export const isArguments = (value: JsonValue | undefined): value is Arguments => typeof value === 'object' && value !== null && !Array.isArray(value);
/** A text among the arguments. */
export const textAt = (args: Arguments, name: string): string | undefined => (typeof args[name] === 'string' ? args[name] : undefined);
/** A list among the arguments; empty where there is none. */
export const listAt = (args: Arguments, name: string): readonly JsonValue[] => (Array.isArray(args[name]) ? args[name] : []);

/** `Read src/a.ts`, `Grep pattern in src`; undefined for a tool that the table does not have. */
export function subjectWords(subjects: Subjects, tool: string, { args, view }: { readonly args: Arguments; readonly view: TranscriptView }): ToolWords | undefined {
  const subject = Object.hasOwn(subjects, tool) ? subjects[tool] : undefined;
  const named = subject && textAt(args, subject.name);
  if (!subject || named === undefined) return undefined;
  const place = subject.place === undefined ? undefined : textAt(args, subject.place);
  const what = summaryLine(subject.isPath ? pathBelow(named, view) : named, view);
  return { what: `${tool} ${what}${place === undefined ? '' : ` in ${pathBelow(place, view)}`}`, isCode: true, below: [], hasResult: true };
}

const boxes: Readonly<Record<string, string>> = { completed: '[x]', done: '[x]', in_progress: '[~]', pending: '[ ]' };

/** The list as it stands after the call: its result only says that it was taken. `title`: the field that names a task. */
export function todoWords(args: Arguments, { status }: Call, { view, title }: { readonly view: TranscriptView; readonly title: string }): ToolWords {
  const todos = listAt(args, 'todos').filter(isArguments);
  const below = todos.map((todo): Line => [INDENT, { text: `${boxes[textAt(todo, 'status') ?? ''] ?? '[ ]'} ${summaryLine(textAt(todo, title) ?? '', view)}`, tone: 'dim' }]);
  return { what: `List of ${counted(todos.length, 'task')}`, isCode: false, done: 'was written', below, hasResult: status !== 'completed' };
}

/** Questions to the person with the answers that were offered; the result has the one that was given. */
export function questionWords(args: Arguments, view: TranscriptView): ToolWords {
  const questions = listAt(args, 'questions').filter(isArguments);
  const below = questions.flatMap((question): Line[] => [
    [INDENT, { text: `? ${summaryLine(textAt(question, 'question') ?? '', view)}` }],
    ...listAt(question, 'options').filter(isArguments).map((option): Line => [INDENT, { text: `  - ${safeLine(textAt(option, 'label') ?? '')}`, tone: 'dim' }]),
  ]);
  return { what: `${counted(questions.length, 'question')} to the person`, isCode: false, done: questions.length === 1 ? 'was answered' : 'were answered', below, hasResult: true };
}

/** A change of mode, of which the result says nothing new. */
export const planModeWords = ({ status }: Call): ToolWords => ({ what: 'Plan mode', isCode: false, done: 'was entered', below: [], hasResult: status !== 'completed' });
