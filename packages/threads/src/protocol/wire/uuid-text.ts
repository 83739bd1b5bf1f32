import { RpcError } from './rpc-error.js';

const GROUP_STARTS = [0, 9, 14, 19, 24] as const;
const GROUP_CHARS = [8, 4, 4, 4, 12] as const;
const URN = 'urn:uuid:';

/** A UUID in a shape that the original takes, as lower-case text with dashes; or why it is none, in the original's words. */
export type UuidReading = { readonly uuid: string } | { readonly problem: string };

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-').toLowerCase();
}

function wellFormed(text: string): string | undefined {
  if (/^[0-9a-f]{32}$/i.test(text)) return dashed(text);
  const inner = /^\{(.{36})\}$/.exec(text)?.[1] ?? (text.startsWith(URN) ? text.slice(URN.length) : text);
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(inner) ? inner.toLowerCase() : undefined;
}

/** Bytes of a UTF-8 text: what the original counts in. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

function groupProblem(inner: string, dashes: readonly number[]): string {
  const wrong = dashes.findIndex((at, i) => at !== (GROUP_STARTS[i + 1] ?? 0) - 1);
  const group = wrong < 0 ? 4 : wrong;
  const start = GROUP_STARTS[group] ?? 0;
  const found = (wrong < 0 ? inner.length : (dashes[group] ?? 0)) - start;
  return `invalid group length in group ${group}: expected ${GROUP_CHARS[group] ?? 0}, found ${found}`;
}

/** Says, as the original's parser does, where a text stops being a UUID. */
function problemOf(text: string): string {
  const braced = /^\{(.*)\}$/s.exec(text)?.[1];
  const inner = braced ?? (text.startsWith(URN) ? text.slice(URN.length) : text);
  const before = braced === undefined ? text.length - inner.length : 1;
  const dashes: number[] = [];
  let index = 0;
  for (const character of inner) {
    if (character === '-') dashes.push(index);
    else if (!/[0-9a-fA-F]/.test(character)) return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${character}\` at ${index + before + 1}`;
    index += utf8Length(character);
  }
  if (dashes.length === 0 && before === 0) return `invalid length: expected length 32 for simple format, found ${utf8Length(text)}`;
  return dashes.length === 4 ? groupProblem(inner, dashes) : `invalid group count: expected 5, found ${dashes.length + 1}`;
}

/** Reads a UUID with or without dashes, in braces or as a URN, in any case. Never throws. */
export function readUuid(text: string): UuidReading {
  const uuid = wellFormed(text);
  return uuid === undefined ? { problem: problemOf(text) } : { uuid };
}

/** The thread id of a request; a text that is no UUID is an `RpcError`. */
export function threadIdOf(text: string): string {
  const read = readUuid(text);
  if ('uuid' in read) return read.uuid;
  throw new RpcError('malformedThreadId', { about: read.problem });
}
