import type { LargePiece, LargeRef, LineSpan, RecordPath } from './envelope.js';
import type { Fact } from './fact.js';
import type { JsonValue } from './json.js';
import type { TapeId } from './keys.js';

/** A string longer than this (UTF-16 units) is carried by reference: facts stay small, the tape keeps the text. */
export const LARGE_TEXT_CHARS = 32_768;
/** What the stand-in shows of each end. */
const HEAD_CHARS = 4_096;
const TAIL_CHARS = 2_048;
/** JSON nested deeper than this holds nothing that a person reads; a walk must not overflow the stack. */
const WALK_DEPTH = 64;

type Path = (string | number)[];
interface Found { readonly path: RecordPath; readonly text: string }

/** One record of a line, as the player parsed it: where strings of a fact may come from. */
export interface RecordSource {
  readonly tape: TapeId;
  readonly line: LineSpan;
  readonly record: number;
  readonly value: unknown;
}

function walkStrings(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === 'string') return visit(value, path);
  if (typeof value !== 'object' || value === null || path.length > WALK_DEPTH) return;
  if (Array.isArray(value)) value.forEach((element, i) => walkStrings(element, [...path, i], visit));
  else for (const [key, element] of Object.entries(value)) walkStrings(element, [...path, key], visit);
}

function largeStrings(value: unknown): { path: Path; text: string }[] {
  const found: { path: Path; text: string }[] = [];
  walkStrings(value, [], (text, path) => { if (text.length > LARGE_TEXT_CHARS) found.push({ path, text }); });
  return found;
}

/** Large strings of a record, those inside a string of JSON (arguments of a call, wrapped outputs) included. */
function sourcesOf(value: unknown): Found[] {
  return largeStrings(value).flatMap(({ path, text }): Found[] => {
    const inner = text.startsWith('{') || text.startsWith('[') ? parse(text) : undefined;
    return [{ path, text }, ...largeStrings(inner).map((found): Found => ({ path: [...path, { json: true }, ...found.path], text: found.text }))];
  });
}

function parse(text: string): unknown {
  try { return JSON.parse(text); } catch { return undefined; }
}

/** The value of a record at a path; undefined where there is none. Never throws. */
export function valueAtPath(record: unknown, path: RecordPath): JsonValue | undefined {
  let value = record;
  for (const step of path) {
    if (typeof step === 'object') value = typeof value === 'string' ? parse(value) : undefined;
    else value = typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  }
  return value as JsonValue | undefined;
}

/** The string of a record that a piece points to; undefined where there is none. Never throws. */
export function stringAtPath(record: unknown, path: RecordPath): string | undefined {
  const value = valueAtPath(record, path);
  return typeof value === 'string' ? value : undefined;
}

const DIGEST_OFFSETS = [0x811c9dc5, 0x01000193] as const;
const digestForm = /^fnv2:([0-9a-f]{8})([0-9a-f]{8})$/;

/** FNV-1a over UTF-16 units in two lanes, as hex. Tells a rewritten tape from the one that was read; it is no protection against forgery. `after`: the digest of what stands before. */
export function contentDigest(text: string, after?: string): string {
  const [, first, second] = digestForm.exec(after ?? '') ?? [];
  let a: number = first === undefined ? DIGEST_OFFSETS[0] : Number.parseInt(first, 16);
  let b: number = second === undefined ? DIGEST_OFFSETS[1] : Number.parseInt(second, 16);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
  }
  return `fnv2:${(a >>> 0).toString(16).padStart(8, '0')}${(b >>> 0).toString(16).padStart(8, '0')}`;
}

const isLowSurrogate = (text: string, at: number): boolean => text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff;
/** Both ends of a text, no character cut in two. */
const headOf = (text: string): string => text.slice(0, HEAD_CHARS - Number(isLowSurrogate(text, HEAD_CHARS)));
function tailOf(text: string): string {
  const from = Math.max(0, text.length - TAIL_CHARS);
  return text.slice(from + Number(from > 0 && isLowSurrogate(text, from)));
}

/** A copy that shares no memory: a slice keeps the whole of a large text alive for as long as it lives itself. */
const detached = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/** The text a reader sees until it asks for the whole: both ends and the number of characters between them. */
function standIn(head: string, tail: string, sizeChars: number): string {
  return detached(`${head}\n… ${sizeChars - head.length - tail.length} characters …\n${tail}`);
}

/** Large strings of one record, to be found in texts of its facts. */
class Sources {
  readonly #found: readonly Found[];
  readonly #of: RecordSource;
  readonly #byLength = new Map<number, Found[]>();
  /** Of those whose length others have too, by length and digest: comparing each with each would cost without end. Made when asked for. */
  #byDigest: Map<string, Found> | undefined;

  constructor(of: RecordSource) {
    this.#of = of;
    this.#found = sourcesOf(of.value);
    for (const found of this.#found) {
      const alike = this.#byLength.get(found.text.length);
      if (alike) alike.push(found);
      else this.#byLength.set(found.text.length, [found]);
    }
  }

  /** The string that the text is, whole, as most texts are one. */
  #whole(text: string, digest: string): Found | undefined {
    const alike = this.#byLength.get(text.length) ?? [];
    const found = alike.length > 1 ? this.#digests().get(`${text.length} ${digest}`) : alike[0];
    return found?.text === text ? found : undefined;
  }

  #digests(): Map<string, Found> {
    return (this.#byDigest ??= new Map([...this.#byLength.values()].flatMap((alike) => (alike.length > 1 ? alike.map((found): [string, Found] => [`${found.text.length} ${contentDigest(found.text)}`, found]) : []))));
  }

  #piece({ path }: Found): Exclude<LargePiece, { text: string }> {
    return { tape: this.#of.tape, line: this.#of.line, record: this.#of.record, path };
  }

  /** Where the text stands, as pieces; undefined where too little of it is the record's. */
  piecesOf(text: string, digest: string): LargePiece[] | undefined {
    const whole = this.#whole(text, digest);
    return whole ? [this.#piece(whole)] : this.#tile(text) ?? this.#partOf(text);
  }

  /** The record's strings in their order, and verbatim what lies between. */
  #tile(text: string): LargePiece[] | undefined {
    const pieces: LargePiece[] = [];
    let done = 0;
    let verbatim = 0;
    let misses = 0;
    const verbatimTo = (end: number): void => {
      if (end > done) pieces.push({ text: detached(text.slice(done, end)) });
      verbatim += end - done;
    };
    for (let i = 0; i < this.#found.length && misses < MISS_LIMIT && done < text.length; i++) {
      const found = this.#found[i] as Found;
      const at = text.indexOf(found.text, done);
      if (at < 0 || at - done > LARGE_TEXT_CHARS) { misses += 1; continue; }
      verbatimTo(at);
      pieces.push(this.#piece(found));
      done = at + found.text.length;
    }
    if (verbatim + text.length - done > LARGE_TEXT_CHARS) return undefined;
    verbatimTo(text.length);
    return pieces;
  }

  /** A part of one of the record's strings: an output behind its header, a request behind its heading. */
  #partOf(text: string): LargePiece[] | undefined {
    for (let i = 0; i < Math.min(MISS_LIMIT, this.#found.length); i++) {
      const found = this.#found[i] as Found;
      const from = found.text.length < text.length ? -1 : found.text.endsWith(text) ? found.text.length - text.length : found.text.indexOf(text);
      if (from >= 0) return [{ ...this.#piece(found), from, to: from + text.length }];
    }
    return undefined;
  }
}

/** Strings of a record that do not occur in a text before the search is given up. */
const MISS_LIMIT = 16;

const isContainer = (value: unknown): value is Record<string | number, unknown> => typeof value === 'object' && value !== null;
const copyOf = (value: object): Record<string | number, unknown> => (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string | number, unknown>;

function leadsSomewhere(value: unknown, path: Path): boolean {
  let at = value;
  for (const step of path) {
    if (!isContainer(at) || !Object.hasOwn(at, step)) return false;
    at = at[step];
  }
  return true;
}

/** A copy with other texts at these paths; each list and object on the way is copied once. Paths that lead nowhere are left out. */
function withTexts(value: unknown, texts: readonly { readonly path: Path; readonly text: string }[]): unknown {
  const root: Record<string | number, unknown> = { root: value };
  const own = new Set<unknown>();
  for (const { path, text } of texts) {
    if (!leadsSomewhere(value, path)) continue;
    let at = root;
    let key: string | number = 'root';
    for (const step of path) {
      const inner = at[key] as object;
      const copy = own.has(inner) ? inner : copyOf(inner);
      own.add(copy);
      at[key] = copy;
      at = copy as Record<string | number, unknown>;
      key = step;
    }
    at[key] = text;
  }
  return root['root'];
}

/**
 * Replaces each string over 32 KiB of a fact by a stand-in and notes in `large` where the whole stands. Strings that were put together anew and are
 * not the record's stay as they are: nothing is lost. Costs a walk of fact and record, so call it only for lines longer than the limit.
 */
export function carryLarge<F extends Fact>(fact: F, of: RecordSource): F {
  const texts = largeStrings(fact);
  if (!texts.length) return fact;
  const sources = new Sources(of);
  const stands: { path: Path; text: string }[] = [];
  const refs: LargeRef[] = [];
  for (const { path, text } of texts) {
    const digest = contentDigest(text);
    const pieces = sources.piecesOf(text, digest);
    if (!pieces) continue;
    stands.push({ path, text: standIn(headOf(text), tailOf(text), text.length) });
    refs.push({ at: path, pieces, sizeChars: text.length, digest });
  }
  if (!refs.length) return fact;
  const isReplaced = new Set(refs.map(({ at }) => JSON.stringify(at)));
  const kept = (fact.large ?? []).filter(({ at }) => !isReplaced.has(JSON.stringify(at)));
  return { ...(withTexts(fact, stands) as F), large: [...kept, ...refs] };
}

/** A text that grew: `shown` is the stand-in of what `ref` carries, `more` comes behind it. Returns the new stand-in and its reference. */
export function growLarge(shown: string, ref: LargeRef, more: string): { readonly text: string; readonly ref: LargeRef } {
  const sizeChars = ref.sizeChars + more.length;
  return {
    text: standIn(headOf(shown), tailOf(`${shown.slice(-TAIL_CHARS)}${more}`), sizeChars),
    ref: { ...ref, pieces: [...ref.pieces, { text: more }], sizeChars, digest: contentDigest(more, ref.digest) },
  };
}

/** Reads one string of a record back from its tape; undefined where the tape no longer has it. */
export type PieceReader = (piece: Exclude<LargePiece, { text: string }>) => string | undefined;

/** The whole text of a reference, or undefined where the tape was rewritten or is gone (the stand-in is then all there is). */
export function readLarge(ref: LargeRef, read: PieceReader): string | undefined {
  const parts: string[] = [];
  for (const piece of ref.pieces) {
    const part = 'text' in piece ? piece.text : read(piece);
    if (part === undefined) return undefined;
    parts.push('text' in piece || (piece.from === undefined && piece.to === undefined) ? part : part.slice(piece.from, piece.to));
  }
  const text = parts.join('');
  return contentDigest(text) === ref.digest ? text : undefined;
}

/** Puts whole texts back in place of stand-ins: `value` is the fact, or the part of it that stood at `prefix`. */
export function restoreLarge<T>(value: T, from: { refs: readonly LargeRef[]; read: PieceReader; prefix?: readonly (string | number)[] }): T {
  const prefix = from.prefix ?? [];
  const texts = from.refs.flatMap((ref) => {
    if (!prefix.every((key, i) => ref.at[i] === key)) return [];
    const text = readLarge(ref, from.read);
    return text === undefined ? [] : [{ path: ref.at.slice(prefix.length), text }];
  });
  return withTexts(value, texts) as T;
}
