import type { JsonValue } from '@tapefold/facts';
import { visibleTextOfItem } from '@tapefold/reading';
import { type ThreadItem, spokenText } from '@tapefold/threads';
import { TEXT_CHARS } from './limits.js';

/** Whose words a text is: what was said, what was done (commands, paths, edits, arguments, queries), what tools put out. */
export type TextSource = 'user' | 'agent' | 'action' | 'output';

/** A text of an item that a person sees, as far as it is searched. */
export interface SearchText {
  readonly source: TextSource;
  readonly text: string;
  readonly isCut: boolean;
}

/** Data of an image or a sound in a string: no words. */
const data = /^data:[^,]{0,200};base64,/;

/** The words in a JSON value, in order. */
function wordsIn(value: JsonValue | undefined, depth = 0): string[] {
  if (typeof value === 'string') return data.test(value) ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > 32) return [];
  return Array.isArray(value) ? value.flatMap((each) => wordsIn(each, depth + 1)) : Object.values(value).flatMap((each) => wordsIn(each, depth + 1));
}

type Parts = readonly (string | null | undefined)[];

/** So much text is looked through for whether it says something already. */
const REPEATED_CHARS = 4_000;

/** Parts as lines; short ones that stand there already are left out. */
function lines(parts: Parts): string {
  let text = '';
  for (const part of parts) if (part && (text.length > REPEATED_CHARS || !text.includes(part))) text += text === '' ? part : `\n${part}`;
  return text;
}

type Command = Extract<ThreadItem, { type: 'commandExecution' }>;

const commandWords = ({ command, commandActions }: Command): Parts =>
  [command, ...commandActions.flatMap((action) => ['path' in action ? action.path : null, 'query' in action ? action.query : null])];

function actionOf(item: ThreadItem): Parts {
  switch (item.type) {
    case 'commandExecution': return commandWords(item);
    case 'fileChange': return item.changes.flatMap(({ path, kind, diff }) => [path, kind.type === 'update' ? kind.move_path : null, diff]);
    case 'mcpToolCall': return [item.server, item.tool, ...wordsIn(item.arguments as JsonValue)];
    case 'dynamicToolCall': return [item.namespace, item.tool, ...wordsIn(item.arguments as JsonValue)];
    case 'functionCallOutput': return [item.namespace, item.name];
    case 'collabAgentToolCall': return [item.prompt];
    case 'subAgentActivity': return [item.agentPath];
    case 'webSearch': return [item.query, ...wordsIn(item.action as JsonValue)];
    case 'imageView': return [item.path];
    case 'imageGeneration': return [item.revisedPrompt, item.savedPath];
    case 'hookPrompt': return item.fragments.map(({ text }) => text);
    default: return [];
  }
}

function outputOf(item: ThreadItem): Parts {
  switch (item.type) {
    case 'commandExecution': return [item.aggregatedOutput];
    case 'mcpToolCall': return [...wordsIn((item.result?.content ?? []) as JsonValue), ...wordsIn(item.result?.structuredContent as JsonValue), item.error?.message];
    case 'dynamicToolCall': return (item.contentItems ?? []).map((part) => (part.type === 'inputText' ? part.text : null));
    case 'functionCallOutput': return wordsIn(item.output as JsonValue);
    case 'webSearch': return wordsIn(item.results as JsonValue);
    default: return [];
  }
}

/** What an agent says beside its messages. Raw reasoning is none of it. */
function saidBeside(item: ThreadItem): string | undefined {
  switch (item.type) {
    case 'plan': return item.text;
    case 'enteredReviewMode': case 'exitedReviewMode': return item.review;
    case 'reasoning': return item.summary.join('\n');
    default: return undefined;
  }
}

function searchText(source: TextSource, text: string | undefined): SearchText[] {
  if (text === undefined || text.trim() === '') return [];
  return [text.length > TEXT_CHARS ? { source, text: text.slice(0, TEXT_CHARS), isCut: true } : { source, text, isCut: false }];
}

/** [R-SCR-2] The texts of an item that a search looks through: at most one of what was said or done, and one of output. */
export function textsOfItem(item: ThreadItem): readonly SearchText[] {
  const said = visibleTextOfItem(item);
  if (said) return searchText(said.role, said.text);
  return [...searchText('agent', saidBeside(item)), ...searchText('action', lines(actionOf(item))), ...searchText('output', lines(outputOf(item)))];
}

/** Words of a message that the protocol's own searches look through, where they are not just what a person sees: hidden directives among them. */
export function hiddenWords(item: ThreadItem, seen: readonly SearchText[]): string | undefined {
  const words = spokenText(item);
  return words === undefined || words === seen[0]?.text ? undefined : words;
}
