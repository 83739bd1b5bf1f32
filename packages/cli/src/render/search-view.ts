import type { SearchGaps, SearchHit, Snippet } from '@tapefold/store';
import type { Line, Span } from '../text/line.js';
import { counted, shortPath } from '../text/measures.js';
import { safeLine, safeLines } from '../text/safe-text.js';
import { cutEnd } from '../text/cell-width.js';
import type { Times } from '../text/times.js';
import { titleOf } from './list-view.js';

/** What hits are rendered with. */
export interface SearchView {
  readonly times: Times;
  readonly homeDir: string;
}

const TITLE_COLS = 60;
const INDENT = '  ';

/** Whose words they are. */
const sources: Readonly<Record<SearchHit['source'], string>> = { user: '› ', agent: '  ', action: '$ ', output: '> ' };

/** A piece of a snippet in one line; blanks at its ends stay, since it goes on there. */
const flat = (text: string): string => safeLines(text).join(' ').replace(/\s+/g, ' ');

/** The places that were looked for, marked. */
function snippetSpans({ text, ranges, isCutBefore, isCutAfter }: Snippet): (string | Span)[] {
  const spans: (string | Span)[] = [isCutBefore ? '…' : ''];
  let done = 0;
  for (const { start, end } of ranges) {
    spans.push(flat(text.slice(done, start)), { text: flat(text.slice(start, end)), tone: 'warn' });
    done = end;
  }
  return [...spans, flat(text.slice(done)), isCutAfter ? '…' : ''];
}

/** A hit: the session, the text around it, and where to go on reading. */
export function hitLines({ thread: { thread, program, isArchived }, turnId, itemId, source, atMs, snippet, isSuperseded, alsoIn }: SearchHit, { times, homeDir }: SearchView): Line[] {
  const marks = [...(isArchived ? ['archived'] : []), ...(isSuperseded ? ['taken back'] : []), ...(alsoIn.length > 0 ? [`also in ${alsoIn.map(safeLine).join(', ')}`] : [])];
  return [
    [{ text: safeLine(thread.id), tone: 'accent' }, INDENT, { text: times.minute(atMs), tone: 'dim' }, INDENT, program, INDENT, { text: cutEnd(titleOf(thread), TITLE_COLS), tone: 'strong' }, INDENT, { text: shortPath(thread.cwd, homeDir), tone: 'dim' }],
    [INDENT, { text: sources[source], tone: 'dim' }, ...snippetSpans(snippet)],
    [INDENT, { text: `  turn ${safeLine(turnId)} · item ${safeLine(itemId)}${marks.length === 0 ? '' : ` · ${marks.join(' · ')}`}`, tone: 'dim' }],
  ];
}

/** Why there may be more, each as a sentence. */
export function gapSentences({ isUnknown, threads, waitingTexts, cutTexts, isOverBudget }: SearchGaps): string[] {
  return [
    ...(isUnknown ? ['these homes are not indexed yet: `tapefold index` does that.'] : []),
    ...(threads > 0 ? [`incomplete: ${counted(threads, 'session')} not, or not all, in the index: \`tapefold index\` brings it up to date.`] : []),
    ...(waitingTexts > 0 ? [`incomplete: the text of ${counted(waitingTexts, 'item')} is still to be indexed: \`tapefold index\` does that.`] : []),
    ...(cutTexts > 0 ? [`incomplete: of ${counted(cutTexts, 'item')} only the first megabyte of text is searched.`] : []),
    ...(isOverBudget ? ['incomplete: these words stand in too many places, of which the newest were looked at: add words, or filters.'] : []),
  ];
}
