import { type Call, type Subjects, type ToolWords, isArguments, planModeWords, questionWords, subjectWords, todoWords } from './tool-words.js';
import type { TranscriptView } from './view.js';

const subjects: Subjects = {
  Read: { name: 'file_path', isPath: true }, LS: { name: 'path', isPath: true }, Glob: { name: 'pattern', place: 'path' }, Grep: { name: 'pattern', place: 'path' }, Skill: { name: 'skill' }, ToolSearch: { name: 'query' },
  TaskCreate: { name: 'subject' }, TaskOutput: { name: 'task_id' }, TaskStop: { name: 'task_id' }, BashOutput: { name: 'bash_id' }, KillShell: { name: 'shell_id' },
};

/** How a call of Claude Code's reads where it is one that people know by its subject; undefined for every other one. Pure. */
export function claudeToolWords(call: Call, view: TranscriptView): ToolWords | undefined {
  const { arguments: args } = call;
  if (!isArguments(args)) return undefined;
  switch (call.tool) {
    case 'TodoWrite': return todoWords(args, call, { view, title: 'content' });
    case 'AskUserQuestion': return questionWords(args, view);
    case 'EnterPlanMode': return planModeWords(call);
    default: return subjectWords(subjects, call.tool, { args, view });
  }
}
