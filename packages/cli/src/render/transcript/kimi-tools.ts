import { type Call, type Subjects, type ToolWords, isArguments, listAt, planModeWords, questionWords, subjectWords, todoWords } from './tool-words.js';
import type { TranscriptView } from './view.js';

/** Tools of kimi-code, and what kimi-cli called alike. */
const subjects: Subjects = {
  Read: { name: 'path', isPath: true }, ReadFile: { name: 'path', isPath: true }, ReadMediaFile: { name: 'path', isPath: true }, Glob: { name: 'pattern', place: 'path' }, Grep: { name: 'pattern', place: 'path' }, Skill: { name: 'skill' },
  TaskOutput: { name: 'task_id' }, TaskStop: { name: 'task_id' }, Think: { name: 'thought' }, CronCreate: { name: 'cron' }, CronDelete: { name: 'id' }, SelectTools: { name: 'query' },
};

/** How a call of Kimi's reads where it is one that people know by its subject; undefined for every other one. A list of tasks that is only asked for has no words of its own. Pure. */
export function kimiToolWords(call: Call, view: TranscriptView): ToolWords | undefined {
  const { arguments: args } = call;
  if (!isArguments(args)) return undefined;
  switch (call.tool) {
    case 'TodoList': case 'SetTodoList': return listAt(args, 'todos').length > 0 ? todoWords(args, call, { view, title: 'title' }) : undefined;
    case 'AskUserQuestion': return questionWords(args, view);
    case 'EnterPlanMode': return planModeWords(call);
    default: return subjectWords(subjects, call.tool, { args, view });
  }
}
