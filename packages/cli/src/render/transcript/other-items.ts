import type { ThreadItemOf } from '@tapefold/threads';
import type { Line } from '../../text/line.js';
import { durationText, shortPath } from '../../text/measures.js';
import { safeLine } from '../../text/safe-text.js';
import { callEndings, endingOf } from '../turn-ends.js';
import { callLine } from './call-items.js';
import { INDENT, codeSpan, summaryLine, textLines } from './cut.js';
import { agentText } from './message-items.js';
import type { TranscriptView } from './view.js';

type WebSearch = ThreadItemOf<'webSearch'>;

/** What the agent did on the web, as the verb of a past participle needs it. */
function webDeed({ action, query }: WebSearch, view: TranscriptView): { what: string; words: string } {
  const span = (text: string): string => codeSpan(summaryLine(text, view));
  switch (action?.type) {
    case 'openPage': return { what: `Web page ${span(action.url ?? query)}`, words: 'was opened' };
    case 'findInPage': return { what: `Web page ${span(action.url ?? query)}`, words: `was searched for ${span(action.pattern ?? '')}` };
    case 'search': return { what: 'The web', words: `was searched for ${[action.query ?? query, ...(action.queries ?? []).filter((other) => other !== action.query)].filter(Boolean).map(span).join(', ')}` };
    default: return { what: 'The web', words: `was searched for ${span(query)}` };
  }
}

/** What was done on the web; what it gave back is not shown. */
export function webSearchLines(item: WebSearch, view: TranscriptView): Line[] {
  const { what, words } = webDeed(item, view);
  if (item.outcome === undefined) return [callLine(what, { ...callEndings.completed, words })];
  return [callLine(`${what}: search for ${codeSpan(summaryLine(item.query, view))}`, endingOf(item))];
}

/** The path of a picture, since a terminal cannot show it. */
export function imageViewLines(item: ThreadItemOf<'imageView'>, view: TranscriptView): Line[] {
  return [callLine(`Image ${codeSpan(safeLine(shortPath(item.path, view.homeDir)))}`, { ...endingOf(item), ...(item.outcome === undefined ? { words: 'was viewed' } : {}) })];
}

/** `status` is the provider's own word. */
export function imageMadeLines(item: ThreadItemOf<'imageGeneration'>, view: TranscriptView): Line[] {
  const hasFailed = item.failure !== null || item.status === 'failed';
  const made = { ...callEndings.completed, words: item.status === 'completed' ? 'was made' : `was ${safeLine(item.status) || 'of no known status'}` };
  const ending = item.outcome !== undefined ? callEndings[item.outcome] : hasFailed ? callEndings.failed : made;
  return [
    callLine('Image', ending, [item.savedPath === undefined ? undefined : `saved to ${safeLine(shortPath(item.savedPath, view.homeDir))}`]),
    ...(item.revisedPrompt === null ? [] : [[INDENT, { text: summaryLine(item.revisedPrompt, view), tone: 'dim' as const }]]),
  ];
}

/** How long the agent waited. */
export function sleepLines(item: ThreadItemOf<'sleep'>): Line[] {
  return [callLine(`Pause of ${durationText(item.durationMs)}`, endingOf(item))];
}

const mark = (glyph: string, words: string): Line => [{ text: `── ${glyph} ${words} ──`, tone: 'accent' }];

/** A mark across the page, with what was to be reviewed. */
export function reviewStartLines(item: ThreadItemOf<'enteredReviewMode'>, view: TranscriptView): Line[] {
  return [mark('»', `Code review was started: ${summaryLine(item.review, view)}`)];
}

/** A mark across the page, then the review's own words. */
export function reviewEndLines(item: ThreadItemOf<'exitedReviewMode'>, view: TranscriptView): Line[] {
  return [mark('«', 'Code review was finished'), ...textLines(agentText(item.review, view)).map((line): Line => [line])];
}

/** A mark across the page; what stands above it is still shown. */
export function compactionLines(): Line[] {
  return [mark('≡', 'Context was compacted: from here on the model read a summary of what stands above')];
}
