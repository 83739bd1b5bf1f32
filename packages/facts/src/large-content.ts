import type { LargePiece, LargeRef, LineSpan, RecordPath } from './envelope.js';
import type { Fact } from './fact.js';
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

/** The string of a record that a piece points to; undefined where there is none. Never throws. */
export function stringAtPath(record: unknown, path: RecordPath): string | undefined {
  let value = record;
  for (const step of path) {
    if (typeof step === 'object') value = typeof value === 'string' ? parse(value) : undefined;
    else value = typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  }
  return typeof value === 'string' ? value : undefined;
}

/** FNV-1a over UTF-16 units in two lanes, as hex. Tells a rewritten tape from the one that was read; it is no protection against forgery. */
export function contentDigest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
  }
  return `fnv2:${(a >>> 0).toString(16).padStart(8, '0')}${(b >>> 0).toString(16).padStart(8, '0')}`;
}

/** The text a reader sees until it asks for the whole: both ends and the number of characters between them. */
function standIn(text: string): string {
  const hidden = text.length - HEAD_CHARS - TAIL_CHARS;
  return `${text.slice(0, HEAD_CHARS)}\n… ${hidden} characters …\n${text.slice(-TAIL_CHARS)}`;
}

/** Tiles `text` with the record's own large strings, in order; what lies between is verbatim. Undefined where too little of it is the record's. */
function tile(text: string, sources: readonly Found[], of: RecordSource): LargePiece[] | undefined {
  const pieces: LargePiece[] = [];
  let done = 0;
  let verbatim = 0;
  while (done < text.length) {
    const next = sources.map((found) => ({ found, at: text.indexOf(found.text, done) })).filter(({ at }) => at >= 0).sort((x, y) => x.at - y.at)[0];
    const end = next ? next.at : text.length;
    if (end > done) { pieces.push({ text: text.slice(done, end) }); verbatim += end - done; }
    if (!next) break;
    pieces.push({ tape: of.tape, line: of.line, record: of.record, path: next.found.path });
    done = next.at + next.found.text.length;
  }
  return verbatim > LARGE_TEXT_CHARS ? undefined : pieces;
}

function replaceAt(value: unknown, path: Path, text: string): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return text;
  if (Array.isArray(value)) return value.map((element: unknown, i) => (i === head ? replaceAt(element, rest, text) : element));
  return { ...(value as object), [head]: replaceAt((value as Record<string, unknown>)[head], rest, text) };
}

/**
 * Replaces each string over 32 KiB of a fact by a stand-in and notes in `large` where the whole stands. Strings that were put together anew and are
 * not the record's stay as they are: nothing is lost. Costs a walk of fact and record, so call it only for lines longer than the limit.
 */
export function carryLarge<F extends Fact>(fact: F, of: RecordSource): F {
  const texts = largeStrings(fact);
  if (!texts.length) return fact;
  const sources = sourcesOf(of.value);
  const refs: LargeRef[] = [...(fact.large ?? [])];
  if (!sources.length) return fact;
  let carried: unknown = fact;
  for (const { path, text } of texts) {
    const pieces = tile(text, sources, of);
    if (!pieces) continue;
    carried = replaceAt(carried, path, standIn(text));
    refs.push({ at: path, pieces, sizeChars: text.length, digest: contentDigest(text) });
  }
  return { ...(carried as F), ...(refs.length ? { large: refs } : {}) };
}

/** Reads one string of a record back from its tape; undefined where the tape no longer has it. */
export type PieceReader = (piece: Exclude<LargePiece, { text: string }>) => string | undefined;

/** The whole text of a reference, or undefined where the tape was rewritten or is gone (the stand-in is then all there is). */
export function readLarge(ref: LargeRef, read: PieceReader): string | undefined {
  const parts: string[] = [];
  for (const piece of ref.pieces) {
    const part = 'text' in piece ? piece.text : read(piece);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const text = parts.join('');
  return contentDigest(text) === ref.digest ? text : undefined;
}

/** Puts whole texts back in place of stand-ins: `value` is the fact, or the part of it that stood at `prefix`. */
export function restoreLarge<T>(value: T, from: { refs: readonly LargeRef[]; read: PieceReader; prefix?: readonly (string | number)[] }): T {
  const prefix = from.prefix ?? [];
  let restored: unknown = value;
  for (const ref of from.refs) {
    if (!prefix.every((key, i) => ref.at[i] === key)) continue;
    const text = readLarge(ref, from.read);
    if (text !== undefined) restored = replaceAt(restored, ref.at.slice(prefix.length), text);
  }
  return restored as T;
}
