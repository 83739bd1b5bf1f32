import { visibleText } from '@tapefold/reading';
import type { ThreadItemOf, UserContent } from '@tapefold/threads';
import { type Line, type Tone, blank } from '../../text/line.js';
import { shortPath } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { INDENT, summaryLine, textLines } from './cut.js';
import type { TranscriptView } from './view.js';

/** [R-SCR-2] What a person sees of an agent's words; nothing where there is nothing to see. */
export function agentText(text: string, view: TranscriptView): string {
  return visibleText(text, { kind: 'agent', cwd: view.cwd || undefined }) ?? '';
}

function quoted(text: string, tone: Tone): Line[] {
  return textLines(text).map((line): Line => [{ text: line === '' ? '>' : '> ', tone }, { text: line, tone: 'strong' }]);
}

/** A part of what the person sent; what a terminal cannot show leaves its name in its place. */
function contentText(part: UserContent, view: TranscriptView): string {
  switch (part.type) {
    case 'text': return part.text;
    case 'image': return '[image]';
    case 'localImage': return `[image ${shortPath(part.path, view.homeDir)}]`;
    case 'audio': return '⚠ audio that a terminal cannot play';
    case 'localAudio': return `⚠ audio that a terminal cannot play: ${shortPath(part.path, view.homeDir)}`;
    case 'skill': return `[skill ${part.name}]`;
    case 'mention': return `[${part.name}: ${shortPath(part.path, view.homeDir)}]`;
    default: return '';
  }
}

/** The person's words as a quotation; a message of which nothing can be shown says so. */
export function userMessageLines(item: ThreadItemOf<'userMessage'>, view: TranscriptView): Line[] {
  const text = visibleText(item.content.map((part) => contentText(part, view)).join('\n'), { kind: 'user' });
  return text === undefined ? [[{ text: '> (empty message)', tone: 'dim' }]] : quoted(text, 'prompt');
}

/** What hooks put in, told from the person's words. */
export function hookPromptLines(item: ThreadItemOf<'hookPrompt'>): Line[] {
  return [[{ text: 'From a hook:', tone: 'dim' }], ...quoted(item.fragments.map(({ text }) => text).join('\n'), 'dim')];
}

function questionLines(item: ThreadItemOf<'agentMessage'>): Line[] {
  return (item.questions ?? []).flatMap(({ title, options }): Line[] => [
    ['- ', { text: '?', tone: 'accent' }, ` ${safeLine(title)}`],
    ...(options ?? []).map((option): Line => [INDENT, { text: `- ${safeLine(option)}`, tone: 'dim' }]),
  ]);
}

/** The visible words of the agent, then its questions. */
export function agentMessageLines(item: ThreadItemOf<'agentMessage'>, view: TranscriptView): Line[] {
  // Some agents begin their answers with blank lines.
  const text = textLines(agentText(item.text, view).replace(/^(?:[ \t]*\n)+/, '')).map((line): Line => [line]);
  return [...text, ...questionLines(item)];
}

/** A proposed plan, whole in every view: it is prose to be read. */
export function planLines(item: ThreadItemOf<'plan'>, view: TranscriptView): Line[] {
  return [['- ', { text: '☰', tone: 'accent' }, ' Plan was proposed'], ...textLines(agentText(item.text, view)).map((line): Line => [INDENT, line])];
}

/** The headline that a summary begins with, `**Like this**`, or its first line. */
const headline = (summary: string): string => /^\s*\*\*(?<title>[^*\n]+)\*\*/.exec(summary)?.groups?.['title'] ?? summary.trim().split('\n', 1)[0] ?? '';

/** The summary in one line each; raw reasoning only in the full view. Nothing at all where there is only raw reasoning. */
export function reasoningLines(item: ThreadItemOf<'reasoning'>, view: TranscriptView): Line[] {
  const mark: Line = ['- ', { text: '◇ Thought', tone: 'dim' }];
  if (!view.isFull) {
    const titles = item.summary.map(headline).filter((title) => title.trim() !== '');
    return titles.map((title) => [...mark, { text: `: ${summaryLine(title, view)}`, tone: 'dim' }]);
  }
  const parts = [...item.summary, ...item.content].filter((text) => text.trim() !== '');
  if (parts.length === 0) return [];
  const body = parts.flatMap((text, i) => [...(i === 0 ? [] : [blank]), ...textLines(text).map((line): Line => [INDENT, { text: line, tone: 'dim' }])]);
  return [mark, ...body];
}
