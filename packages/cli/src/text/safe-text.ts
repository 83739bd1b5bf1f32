import { neutraliseTerminalText } from '@tapefold/reading';

const TAB_STOP = 4;
/** Every way to end a line; a lone carriage return, by which progress bars paint over themselves, ends one too. */
const lineEnd = /\r\n|[\r\n\u2028\u2029]/g;
/** Colours and weights of a command's output: how it looked, not what it said. Every other sequence is written out. */
// oxlint-disable-next-line no-control-regex -- this is the sequence
const colourSequence = /\u001b\[[0-9;:]*m/g;

/** Tabs become spaces up to the next stop of four columns, so that a line is as wide everywhere as it was measured. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let text = '';
  for (const [i, piece] of line.split('\t').entries()) text += i === 0 ? piece : ' '.repeat(TAB_STOP - (text.length % TAB_STOP)) + piece;
  return text;
}

/** [R-SEC-2] Lines of a text from a transcript that a terminal can be given: no control byte, no bidi override, no link, no tab. Safe to pass through again. */
export function safeLines(text: string): string[] {
  return neutraliseTerminalText(text.replace(colourSequence, '').replace(lineEnd, '\n')).split('\n').map(withoutTabs);
}

/** As `safeLines`, all in one line: runs of blanks and line ends become one space. */
export function safeLine(text: string): string {
  return safeLines(text).join(' ').replace(/\s+/g, ' ').trim();
}
