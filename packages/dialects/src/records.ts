import type { DamageReason, JsonObject, Repair, TapeLine } from '@tapefold/facts';
import { isJsonObject, readJson } from '@tapefold/facts';

/** What the text of one line holds: its records (objects), how it was mended to get them, or why it gives none. */
export interface LineRecords {
  readonly records: readonly JsonObject[];
  readonly repairs: readonly Repair[];
  /** Set where the line gives no record, or where what follows its last record is none. */
  readonly damage?: DamageReason | undefined;
  readonly isBlank: boolean;
  /** The line is one record and nothing else: the only form that the program which wrote it reads itself. */
  readonly isAlone: boolean;
  /** The first record begins the line, so a file that ended right behind it would have been read as that record alone. */
  readonly isCleanStart: boolean;
  /** The text of each record. */
  readonly texts: readonly string[];
}

/** Glued records that one line may give; beyond it the line is taken for damage, so that a hostile line stays bounded. */
const GLUED_LIMIT = 10_000;
const BYTE_ORDER_MARK = '\ufeff';
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const blank: LineRecords = { records: [], repairs: [], isBlank: true, isAlone: false, isCleanStart: false, texts: [] };
const damaged = (damage: DamageReason): LineRecords => ({ ...blank, damage, isBlank: false });

/** Index after the JSON object or array that begins at `from`, or -1 where it does not end. Knows strings and escapes; does not validate. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      i = endOfString(text, i);
      if (i < 0) return -1;
    } else if (unit === 0x7b || unit === 0x5b) depth += 1;
    else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) return i + 1;
  }
  return -1;
}

/** Index of the quote that closes the string opening at `quote`, or -1. */
function endOfString(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x5c) i += 1;
    else if (unit === 0x22) return i;
  }
  return -1;
}

interface LeadingRecords { readonly records: JsonObject[]; readonly texts: string[]; readonly hasRest: boolean; readonly isTooDeep: boolean }

/** The whole objects that `text` begins with, one after the other, and whether anything but white space is left behind them. */
function leadingRecords(text: string): LeadingRecords {
  const records: JsonObject[] = [];
  const texts: string[] = [];
  let at = skipPadding(text, 0);
  while (at < text.length && records.length < GLUED_LIMIT) {
    const end = text.charCodeAt(at) === 0x7b ? endOfValue(text, at) : -1;
    const own = end < 0 ? '' : text.slice(at, end);
    const read = readJson(own);
    if (!isJsonObject(read.value)) return { records, texts, hasRest: true, isTooDeep: read.flaw === 'tooDeep' };
    records.push(read.value);
    texts.push(own);
    at = skipPadding(text, end);
  }
  return { records, texts, hasRest: at < text.length, isTooDeep: false };
}

/** `trim` looks at both ends and makes a new text; nearly every line has nothing to cut. */
function trimmed(text: string): string {
  return text.charCodeAt(0) === OPEN_BRACE && text.charCodeAt(text.length - 1) === CLOSE_BRACE ? text : text.trim();
}

/** Index of the next unit that is neither white space, NUL nor a byte order mark. */
function skipPadding(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) <= 0x20 || text[at] === BYTE_ORDER_MARK)) at += 1;
  return at;
}

/**
 * The records of a line. Certain repairs are made and named: a byte order mark, CRLF, NULs around a record, several whole records on one line, a whole
 * record before a torn one. A last line without a newline counts only if it is complete. Never throws.
 */
export function recordsOf(line: TapeLine): LineRecords {
  if (line.text === undefined) return noneOf(line);
  const hasReturn = line.flaw === undefined && line.text.endsWith('\r');
  const text = hasReturn ? line.text.slice(0, -1) : line.text;
  const repairs: readonly Repair[] = hasReturn ? ['carriageReturn'] : [];
  if (line.flaw === undefined) {
    if (trimmed(text) === '' && !text.includes(BYTE_ORDER_MARK)) return blank;
    const direct = readJson(text);
    if (direct.flaw !== undefined) { if (direct.flaw === 'tooDeep') return damaged('tooDeep'); }
    else if (isJsonObject(direct.value)) return { records: [direct.value], repairs, isBlank: false, isAlone: true, isCleanStart: true, texts: [trimmed(text)] };
    else return line.isTerminated ? damaged('notAnObject') : noneOf(line);
  }
  return repaired(text, repairs, noneOf(line));
}

/** What a line comes to that gives no record. */
function noneOf(line: TapeLine): LineRecords {
  return damaged(line.isTerminated || line.flaw === 'tooLong' ? (line.flaw ?? 'invalidJson') : 'tornTail');
}

function repaired(text: string, before: readonly Repair[], none: LineRecords): LineRecords {
  const { records, texts, hasRest, isTooDeep } = leadingRecords(text);
  if (!records.length) return isTooDeep ? damaged('tooDeep') : none;
  const isBroken = hasRest || none.damage === 'invalidUtf8';
  const start = text.slice(0, text.indexOf('{'));
  const repairs: Repair[] = [...before];
  if (text.includes('\u0000')) repairs.push('nulPadding');
  if (start.includes(BYTE_ORDER_MARK)) repairs.push('byteOrderMark');
  if (records.length > 1) repairs.push('gluedRecords');
  if (isBroken) repairs.push('partOfLine');
  return { records, repairs, damage: isBroken ? none.damage : undefined, isBlank: false, isAlone: false, isCleanStart: !/[^ \t\n\r]/.test(start), texts };
}
