import type { JsonValue } from '@tapefold/facts';
import type { ThreadItemOf } from '@tapefold/threads';
import type { Line } from '../../text/line.js';
import { counted } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { INDENT, summaryLine } from './cut.js';
import { pathBelow } from './file-diff.js';
import type { TranscriptView } from './view.js';

/** How a call of one of Claude Code's own tools reads. `what` is a code span's text where `isCode`; a result that says nothing new is left out. */
export interface ToolWords {
  readonly what: string;
  readonly isCode: boolean;
  /** Says what was done where it was; `completed` where absent. */
  readonly done?: string | undefined;
  readonly below: readonly Line[];
  readonly hasResult: boolean;
}

type Arguments = Readonly<Record<string, JsonValue>>;
type Call = Pick<ThreadItemOf<'dynamicToolCall'>, 'tool' | 'arguments' | 'status'>;

const isArguments = (value: JsonValue | undefined): value is Arguments => typeof value === 'object' && value !== null && !Array.isArray(value);
const textAt = (args: Arguments, name: string): string | undefined => (typeof args[name] === 'string' ? args[name] : undefined);
const listAt = (args: Arguments, name: string): readonly JsonValue[] => (Array.isArray(args[name]) ? args[name] : []);

/** Tools that are one thing done to one other thing, and where their arguments name that. */
const subjects: Readonly<Record<string, { readonly name: string; readonly isPath?: true; readonly place?: string }>> = {
  Read: { name: 'file_path', isPath: true }, LS: { name: 'path', isPath: true }, Glob: { name: 'pattern', place: 'path' }, Grep: { name: 'pattern', place: 'path' }, Skill: { name: 'skill' }, ToolSearch: { name: 'query' },
  TaskCreate: { name: 'subject' }, TaskOutput: { name: 'task_id' }, TaskStop: { name: 'task_id' }, BashOutput: { name: 'bash_id' }, KillShell: { name: 'shell_id' },
};

function subjectWords(tool: string, args: Arguments, view: TranscriptView): ToolWords | undefined {
  const subject = Object.hasOwn(subjects, tool) ? subjects[tool] : undefined;
  const named = subject && textAt(args, subject.name);
  if (!subject || named === undefined) return undefined;
  const place = subject.place === undefined ? undefined : textAt(args, subject.place);
  const what = summaryLine(subject.isPath ? pathBelow(named, view) : named, view);
  return { what: `${tool} ${what}${place === undefined ? '' : ` in ${pathBelow(place, view)}`}`, isCode: true, below: [], hasResult: true };
}

const boxes: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' };

/** The list as it stands after the call: its result only says that it was taken. */
function todoWords(args: Arguments, { status }: Call, view: TranscriptView): ToolWords {
  const todos = listAt(args, 'todos').filter(isArguments);
  const below = todos.map((todo): Line => [INDENT, { text: `${boxes[textAt(todo, 'status') ?? ''] ?? '[ ]'} ${summaryLine(textAt(todo, 'content') ?? '', view)}`, tone: 'dim' }]);
  return { what: `List of ${counted(todos.length, 'task')}`, isCode: false, done: 'was written', below, hasResult: status !== 'completed' };
}

function questionWords(args: Arguments, view: TranscriptView): ToolWords {
  const questions = listAt(args, 'questions').filter(isArguments);
  const below = questions.flatMap((question): Line[] => [
    [INDENT, { text: `? ${summaryLine(textAt(question, 'question') ?? '', view)}` }],
    ...listAt(question, 'options').filter(isArguments).map((option): Line => [INDENT, { text: `  - ${safeLine(textAt(option, 'label') ?? '')}`, tone: 'dim' }]),
  ]);
  return { what: `${counted(questions.length, 'question')} to the person`, isCode: false, done: questions.length === 1 ? 'was answered' : 'were answered', below, hasResult: true };
}

/** How a call reads where it is one that people know by its subject; undefined for every other one. Pure. */
export function claudeToolWords(call: Call, view: TranscriptView): ToolWords | undefined {
  if (!isArguments(call.arguments)) return undefined;
  switch (call.tool) {
    case 'TodoWrite': return todoWords(call.arguments, call, view);
    case 'AskUserQuestion': return questionWords(call.arguments, view);
    case 'EnterPlanMode': return { what: 'Plan mode', isCode: false, done: 'was entered', below: [], hasResult: call.status !== 'completed' };
    default: return subjectWords(call.tool, call.arguments, view);
  }
}
