import type { JsonValue } from '@tapefold/facts';
import type { ThreadItemOf } from '@tapefold/threads';
import { jsonText } from '../../text/json-text.js';
import type { Line, Span } from '../../text/line.js';
import { counted, durationText, shortPath } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { type Ending, callEndings, endingOf } from '../turn-ends.js';
import { claudeToolWords } from './claude-tools.js';
import { codeSpan, cutBlock, summaryLine, textLines } from './cut.js';
import { changeLines } from './file-diff.js';
import { kimiToolWords } from './kimi-tools.js';
import { shellScript } from './shell-script.js';
import type { Call, ToolWords } from './tool-words.js';
import type { TranscriptView } from './view.js';

/** The line of a call: glyph, what was called, how it ended, how long it took. */
export function callLine(what: string, ending: Ending, notes: readonly (string | undefined)[] = []): Line {
  const rest = notes.filter((note) => note !== undefined && note !== '').map((note): Span => ({ text: ` · ${note}`, tone: 'dim' }));
  return ['- ', { text: ending.glyph, tone: ending.tone }, ` ${what} `, { text: ending.words, tone: ending.tone }, ...rest];
}

const took = (ms: number | null): string | undefined => (ms === null ? undefined : durationText(ms));

/** An exit code is what was seen then; without one the status is all there is. */
function commandEnding(item: ThreadItemOf<'commandExecution'>): Ending {
  const ending = endingOf(item);
  const hasRun = item.outcome === undefined && (item.status === 'completed' || item.status === 'failed');
  if (!hasRun || item.exitCode === null) return ending;
  return { ...(item.exitCode === 0 ? ending : callEndings.failed), words: `exited with ${item.exitCode}` };
}

const origins: Partial<Record<ThreadItemOf<'commandExecution'>['source'], string>> = {
  userShell: 'typed by the person', unifiedExecInteraction: 'input to a running command',
};

/** What the shell ran, without the shell around it unless the view is full; then its output. */
export function commandLines(item: ThreadItemOf<'commandExecution'>, view: TranscriptView): Line[] {
  const script = view.isFull ? item.command : shellScript(item.command);
  const [first = '', ...more] = textLines(script);
  const isOneLine = more.length === 0;
  const what = script === '' ? 'A command that is not recorded' : codeSpan(isOneLine || !view.isFull ? summaryLine(script, view) : first);
  const place = item.cwd === '' || item.cwd === view.cwd ? undefined : `in ${safeLine(shortPath(item.cwd, view.homeDir))}`;
  return [
    callLine(what, commandEnding(item), [took(item.durationMs), place, origins[item.source]]),
    ...(isOneLine || !view.isFull ? [] : cutBlock(more, view, () => 'strong')),
    ...cutBlock(textLines(item.aggregatedOutput ?? ''), view),
  ];
}

/** How many files a patch changes, then each with its diff. */
export function fileChangeLines(item: ThreadItemOf<'fileChange'>, view: TranscriptView): Line[] {
  const ending = endingOf(item);
  const words = ending.words === 'completed' ? 'was made' : ending.words;
  const what = item.changes.length === 0 ? 'Change of files that are not recorded' : `Change of ${counted(item.changes.length, 'file')}`;
  return [callLine(what, { ...ending, words }), ...item.changes.flatMap((change) => changeLines(change, view))];
}

function argumentsText(value: JsonValue, view: TranscriptView): string {
  return value === null ? '' : summaryLine(jsonText(value), view);
}

/** Claude's blocks hold their data one level down. */
function mediaType(source: JsonValue | undefined): JsonValue | undefined {
  return typeof source === 'object' && source !== null && !Array.isArray(source) ? source['media_type'] : undefined;
}

/** A block of an MCP or tool result: its text, or what it is where it is no text. */
function contentText(block: JsonValue): string {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return jsonText(block);
  if (typeof block['text'] === 'string') return block['text'];
  const mime = block['mimeType'] ?? mediaType(block['source']);
  if (block['data'] === undefined && typeof mime === 'string') return `[${typeof block['type'] === 'string' ? block['type'] : 'data'} ${mime}]`;
  return typeof block['data'] === 'string' ? `[${typeof block['type'] === 'string' ? block['type'] : 'data'}${typeof mime === 'string' ? ` ${mime}` : ''}]` : jsonText(block);
}

function resultLines(texts: readonly string[], view: TranscriptView): Line[] {
  return cutBlock(texts.flatMap(textLines), view);
}

/** `server.tool(arguments)`, then error and result. */
export function mcpCallLines(item: ThreadItemOf<'mcpToolCall'>, view: TranscriptView): Line[] {
  const name = safeLine(`${item.server}.${item.tool}`);
  const error = item.error ? [item.error.message] : [];
  return [
    callLine(codeSpan(`${name}(${argumentsText(item.arguments, view)})`), endingOf(item), [took(item.durationMs)]),
    ...resultLines([...error, ...(item.result?.content ?? []).map(contentText)], view),
  ];
}

function toolContent(part: NonNullable<ThreadItemOf<'dynamicToolCall'>['contentItems']>[number]): string {
  switch (part.type) {
    case 'inputText': return part.text;
    case 'inputImage': return '[image]';
    case 'inputAudio': return '⚠ audio that a terminal cannot show';
    default: return '';
  }
}

/** Words of an agent's own tools; those of Codex stand as they are. */
const ownWords: Partial<Record<TranscriptView['program'], (call: Call, view: TranscriptView) => ToolWords | undefined>> = { claude: claudeToolWords, kimi: kimiToolWords };

function toolWords(item: ThreadItemOf<'dynamicToolCall'>, view: TranscriptView): ToolWords {
  const known = item.namespace === null ? ownWords[view.program]?.(item, view) : undefined;
  const name = safeLine(item.namespace === null ? item.tool : `${item.namespace}.${item.tool}`);
  return known ?? { what: `${name}(${argumentsText(item.arguments, view)})`, isCode: true, below: [], hasResult: true };
}

/** A tool in the words that are known for it, else `tool(arguments)`; then its result. */
export function toolCallLines(item: ThreadItemOf<'dynamicToolCall'>, view: TranscriptView): Line[] {
  const { what, isCode, done, below, hasResult } = toolWords(item, view);
  const ending = endingOf(item);
  return [
    callLine(isCode ? codeSpan(what) : what, done !== undefined && ending.words === 'completed' ? { ...ending, words: done } : ending, [took(item.durationMs)]), ...below,
    ...(hasResult ? resultLines((item.contentItems ?? []).map(toolContent), view) : []),
  ];
}

/** An output without its call: what a tool gave that the agent did not ask for by name. */
export function toolOutputLines(item: ThreadItemOf<'functionCallOutput'>, view: TranscriptView): Line[] {
  const name = safeLine(item.namespace === null ? item.name : `${item.namespace}.${item.name}`);
  const texts = Array.isArray(item.output) ? item.output.map(contentText) : [typeof item.output === 'string' ? item.output : contentText(item.output)];
  return [callLine(codeSpan(name), { ...endingOf(item), words: 'gave' }), ...resultLines(texts, view)];
}
