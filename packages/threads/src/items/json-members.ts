/*
 * JSON text taken apart without reading its values, which is much quicker than to parse and to write them again. Only for what `JSON.stringify` wrote: then the text of a value is, sign by
 * sign, what it would be written as again. Of other text nothing wrong comes, but nothing at all, or an error.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;

/** Behind the string that a quote opens; -1 where nothing closes it. */
function stringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // An even number of backslashes stands for themselves.
    if ((end - first) % 2 === 0) return end + 1;
  }
  return -1;
}

/** Behind an object or a list; -1 where nothing closes it. */
function nestedEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length;) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (unit === OBJECT || unit === LIST) depth += 1;
    else if ((unit === OBJECT_END || unit === LIST_END) && --depth === 0) return at + 1;
    at += 1;
  }
  return -1;
}

/** Behind a number or a word. */
function plainEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === OBJECT_END || unit === LIST_END) return at;
  }
  return -1;
}

/** Behind the value that begins at a place; -1 where it does not end. */
function valueEnd(text: string, from: number): number {
  const unit = text.charCodeAt(from);
  if (unit === QUOTE) return stringEnd(text, from);
  return unit === OBJECT || unit === LIST ? nestedEnd(text, from) : plainEnd(text, from);
}

/** Whether a text is one string, and nothing behind it. */
export function isJsonString(text: string): boolean {
  return text.charCodeAt(0) === QUOTE && stringEnd(text, 0) === text.length;
}

/** Members of an object, each as the text of its value. They are few: to look through them is quicker than to make a map. */
export class JsonMembers {
  readonly names: string[] = [];
  readonly values: string[] = [];

  /** By a name as JSON writes it, without the quotes. */
  get(name: string): string | undefined {
    const at = this.names.indexOf(name);
    return at < 0 ? undefined : this.values[at];
  }
}

/** The members of an object. Undefined where the text is none. */
export function jsonMembers(text: string): JsonMembers | undefined {
  const members = new JsonMembers();
  if (text === '{}') return members;
  if (text.charCodeAt(0) !== OBJECT) return undefined;
  for (let at = 1; text.charCodeAt(at) === QUOTE;) {
    const keyEnd = stringEnd(text, at);
    const end = keyEnd < 0 ? -1 : valueEnd(text, keyEnd + 1);
    if (end < 0) return undefined;
    members.names.push(text.slice(at + 1, keyEnd - 1));
    members.values.push(text.slice(keyEnd + 1, end));
    if (end === text.length - 1) return text.charCodeAt(end) === OBJECT_END ? members : undefined;
    at = end + 1;
  }
  return undefined;
}

/** The elements of a list, each as text. Undefined where the text is none. */
export function jsonElements(text: string): readonly string[] | undefined {
  if (text === '[]') return [];
  if (text.charCodeAt(0) !== LIST) return undefined;
  const elements: string[] = [];
  for (let at = 1; at < text.length;) {
    const end = valueEnd(text, at);
    if (end < 0) return undefined;
    elements.push(text.slice(at, end));
    if (end === text.length - 1) return text.charCodeAt(end) === LIST_END ? elements : undefined;
    at = end + 1;
  }
  return undefined;
}
