import { type DerivedRequest, type Fate, type FateKind, type FateReason, type LeftOutReason, type Provider, estimateItemTokens } from '@tapefold/context';
import { type ContentPart, type ModelItem, assertNever } from '@tapefold/facts';
import { cutEnd } from '../text/cell-width.js';
import { type Line, type Tone, blank } from '../text/line.js';
import { counted } from '../text/measures.js';
import { safeLine } from '../text/safe-text.js';
import { type Cell, type Column, tableLines } from '../text/text-table.js';

/** Characters of an item that a line shows where there is no terminal to fill. */
const TEXT_COLS = 120;
/** Of longer texts only the beginning is made safe: a line shows no more. */
const HEAD_CHARS = 2_000;

function partText(part: ContentPart): string {
  return part.kind === 'text' ? part.text.slice(0, HEAD_CHARS) : `[${part.kind}]`;
}
const partsText = (parts: readonly ContentPart[]): string => parts.map(partText).join(' ');

/** Who says an item, and the beginning of what it says. */
function wordsOf(item: ModelItem): { who: string; text: string } {
  switch (item.kind) {
    case 'message': return { who: item.role, text: partsText(item.content) };
    case 'agentMessage': return { who: 'agent', text: `${item.author} → ${item.recipient}: ${partsText(item.content)}` };
    case 'reasoning': return { who: 'reasoning', text: [...item.summary, ...item.content].join(' ').slice(0, HEAD_CHARS) || (item.isEncrypted ? '[encrypted]' : '') };
    case 'call': return { who: 'call', text: `${item.name} ${item.input.slice(0, HEAD_CHARS)}` };
    case 'result': return { who: 'result', text: partsText(item.output) };
    case 'media': return { who: 'media', text: partsText(item.content) };
    case 'summary': return { who: 'summary', text: item.text.slice(0, HEAD_CHARS) };
    case 'compaction': return { who: 'compaction', text: item.isEncrypted ? '[encrypted]' : '' };
    case 'other': return { who: 'other', text: `[${item.type}]` };
    default: return assertNever(item);
  }
}

const wires: Readonly<Record<Provider, string>> = { responses: 'OpenAI Responses', anthropic: 'Anthropic Messages', chat: 'Chat Completions' };

const leftOutWords: Readonly<Record<LeftOutReason, string>> = {
  orphanResult: 'a result without its call', unansweredCall: 'a call without its result', neverSent: 'kept by the program for itself', otherProvider: 'only its own provider reads it', program: 'the program leaves it out',
};

const textColumn = (header: string): Column => ({ header, flexible: { minCols: 20, cut: 'end' } });
const cell = (text: string, tone?: Tone): Cell => ({ text, tone });
const shown = (text: string, widthCols: number | undefined): string => (widthCols === undefined ? cutEnd(safeLine(text), TEXT_COLS) : safeLine(text));

/** A request as a table, one item a row, oldest first; then what was left out of it. */
export function requestLines({ items, leftOut, version }: DerivedRequest, view: { provider: Provider; widthCols: number | undefined }): Line[] {
  const tokens = items.reduce((sum, { item }) => sum + estimateItemTokens(item), 0);
  const heading: Line = [{ text: `${counted(items.length, 'item')}, about ${counted(tokens, 'token')}`, tone: 'strong' }, { text: ` for ${wires[view.provider]}; the history was rewritten ${counted(version, 'time')}`, tone: 'dim' }];
  const rows = items.map(({ item, entry, isAltered }) => {
    const { who, text } = wordsOf(item);
    const note = entry === undefined ? 'made up' : isAltered ? 'altered' : '';
    return [cell(entry === undefined ? '' : String(entry.position), 'dim'), cell(who), cell(note, 'warn'), cell(shown(text, view.widthCols))];
  });
  const table = rows.length ? tableLines([{ header: 'POSITION', align: 'right' }, { header: 'WHO' }, { header: '' }, textColumn('TEXT')], rows, view.widthCols) : [];
  const left = leftOut.map(({ entry, reason }): Line => [{ text: `left out: ${entry.key}, ${leftOutWords[reason]}`, tone: 'dim' }]);
  return [heading, ...(table.length ? [blank, ...table] : []), ...(left.length ? [blank, ...left] : [])];
}

const fateWords: Readonly<Record<FateKind, { text: string; tone: Tone }>> = {
  sent: { text: 'sent', tone: 'good' }, summarised: { text: 'summarised', tone: 'accent' }, rolledBack: { text: 'rolled back', tone: 'warn' }, hidden: { text: 'hidden', tone: 'warn' }, neverSent: { text: 'never sent', tone: 'dim' },
};

function reasonWords(reason: FateReason): string {
  switch (reason) {
    case 'present': return '';
    case 'altered': return 'cut or put in words';
    case 'compaction': case 'rollback': case 'undo': case 'revert': case 'rewind': case 'retracted': case 'replaced': return reason;
    case 'branch': return 'another branch';
    case 'clear': case 'clearing': return 'cleared';
    case 'notInHistory': return 'only shown';
    case 'orphanResult': case 'unansweredCall': case 'neverSent': case 'otherProvider': case 'program': return leftOutWords[reason];
    default: return assertNever(reason);
  }
}

/** What became of each item of the full history, one a row, oldest first. */
export function fateLines(fates: readonly Fate[], widthCols: number | undefined): Line[] {
  const rows = fates.map(({ position, fate, reason, by, item, shown: seen }) => {
    const { who, text } = item ? wordsOf(item) : { who: seen?.kind ?? '', text: seen?.text ?? '' };
    const why = `${reasonWords(reason)}${by === undefined ? '' : ` (${by.slice(by.lastIndexOf('#'))})`}`.trim();
    const { text: word, tone } = fateWords[fate];
    return [cell(String(position), 'dim'), cell(word, tone), cell(why, 'dim'), cell(safeLine(who)), cell(shown(text, widthCols))];
  });
  const counts = (Object.keys(fateWords) as FateKind[]).map((fate) => `${fates.filter((one) => one.fate === fate).length} ${fateWords[fate].text}`).join(', ');
  const table = rows.length ? [blank, ...tableLines([{ header: 'POSITION', align: 'right' }, { header: 'FATE' }, { header: 'WHY' }, { header: 'WHO' }, textColumn('TEXT')], rows, widthCols)] : [];
  return [[{ text: `${counted(fates.length, 'item')}: `, tone: 'strong' }, counts], ...table];
}
