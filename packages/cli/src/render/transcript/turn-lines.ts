import { type ThreadItem, type Turn, isSuperseded } from '@tapefold/threads';
import { type Line, blank } from '../../text/line.js';
import { durationText } from '../../text/measures.js';
import { turnEndings } from '../turn-ends.js';
import { itemLines } from './item-lines.js';
import { textLines } from './cut.js';
import type { TranscriptView } from './view.js';

/** Items that are one line or a block below it stand close together, everything that is read as prose apart. */
const prose: ReadonlySet<ThreadItem['type']> = new Set(['userMessage', 'hookPrompt', 'agentMessage', 'plan', 'enteredReviewMode', 'exitedReviewMode', 'contextCompaction']);

/** `completed in 12.0 s`; an interrupted or failed turn says how long it had run. */
function endWords({ status, durationMs }: Turn): string {
  const { words } = turnEndings[status];
  if (durationMs === null) return words;
  return `${words} ${status === 'completed' ? 'in' : 'after'} ${durationText(durationMs)}`;
}

function headingLine(turn: Turn, number: number | undefined, view: TranscriptView): Line {
  const { tone, glyph } = turnEndings[turn.status];
  const time = turn.startedAt === null ? '' : ` · ${view.times.minute(turn.startedAt * 1000)}`;
  return [{ text: number === undefined ? '## Superseded turn' : `## Turn ${number}`, tone: number === undefined ? 'dim' : 'strong' }, { text: `${time} · `, tone: 'dim' }, { text: `${glyph} ${endWords(turn)}`, tone }];
}

function errorLines({ error }: Turn): Line[] {
  if (!error) return [];
  const details = error.additionalDetails === null ? [] : textLines(error.additionalDetails);
  return [blank, ...[...textLines(error.message), ...details].map((text, i): Line => [{ text: i === 0 ? `✗ ${text}` : `  ${text}`, tone: 'bad' }])];
}

/** An agent's message that says the turn's error word for word: some agents write it down as both. */
function isErrorAgain(item: ThreadItem, { error }: Turn): boolean {
  return error !== null && item.type === 'agentMessage' && item.text.trim() === error.message.trim();
}

/** A turn: its heading, its items with blank lines between paragraphs, its error, and the mark of an interruption. Without a number it is no part of the history any more. Ends without a blank line. Pure. */
export function turnLines(turn: Turn, number: number | undefined, view: TranscriptView): Line[] {
  const lines: Line[] = [headingLine(turn, number, view)];
  let before: ThreadItem['type'] | undefined;
  for (const item of turn.items) {
    const shown = isErrorAgain(item, turn) ? [] : itemLines(item, view);
    if (shown.length === 0) continue;
    if (before === undefined || prose.has(before) || prose.has(item.type)) lines.push(blank);
    if (isSuperseded(item)) lines.push([{ text: '(superseded)', tone: 'dim' }]);
    for (const line of shown) lines.push(line);
    before = item.type;
  }
  for (const line of errorLines(turn)) lines.push(line);
  if (turn.status === 'interrupted') lines.push(blank, [{ text: '■ The turn was interrupted here.', tone: 'warn' }]);
  return lines;
}
