import { z } from 'zod';
import type { LineSpan } from './envelope.js';
import { type Fact, type FactDraft, factSchema } from './fact.js';
import { type JsonObject, isJsonObject } from './json.js';
import type { TapeId } from './keys.js';

/** Version that writers write. Raise it when a fact's meaning changes, and add an upgrade from the version before. */
export const NATIVE_TAPE_VERSION = 1;

/**
 * First line of a native tape. `version` is of the facts behind it; a reader upgrades older ones fact by fact. It may stand again further down: a writer of
 * a newer version that goes on with an older tape says so there, since nothing is rewritten.
 */
export const nativeHeaderSchema = z.object({ tapefold: z.literal('tape'), version: z.number().int().positive(), tape: z.string().min(1), createdAt: z.string().optional() });
export type NativeHeader = z.infer<typeof nativeHeaderSchema>;

/** Turns a fact's JSON of version n into version n+1, at index n-1. Empty while there is one version. */
const upgrades: readonly ((fact: Record<string, unknown>) => Record<string, unknown>)[] = [];

/** Why a line gives no fact, with a sentence. `newerVersion`: nothing is wrong with it, a newer reader understands it. */
export type NativeLineError = { readonly code: 'invalidJson' | 'notAFact' | 'newerVersion'; readonly message: string };
/** One decoded line: the header, a fact, or why it is neither. */
export type NativeLine = { readonly header: NativeHeader } | { readonly fact: Fact } | { readonly error: NativeLineError };

/** The header line of a tape written now, without newline. */
export function encodeNativeHeader(header: Omit<NativeHeader, 'tapefold' | 'version'>): string {
  return JSON.stringify({ tapefold: 'tape', version: NATIVE_TAPE_VERSION, ...header });
}

/** How the line of a fact begins, up to where the fields of its draft follow; ASCII. */
export function encodeNativeStart(ordinal: number): string {
  return `{"ordinal":${ordinal},`;
}

/**
 * One fact as a line of a native tape, without newline. The ordinal comes first, so that it is found without reading the line. Its tape stands in the
 * header, and where the line lies nobody needs to write down.
 */
export function encodeNativeDraft(draft: FactDraft, ordinal: number): string {
  return `${encodeNativeStart(ordinal)}${JSON.stringify(draft).slice(1)}`;
}

/** `encodeNativeDraft` of a fact that has its identity already. */
export function encodeNativeFact(fact: Fact): string {
  const { tape: _tape, line: _line, ordinal, ...draft } = fact;
  return encodeNativeDraft(draft as FactDraft, ordinal);
}

/** Where a line stands, and of which version the facts there are. */
export interface NativePlace {
  readonly tape: TapeId;
  readonly version: number;
  readonly line: LineSpan;
}

function upgraded(raw: Record<string, unknown>, from: number): Record<string, unknown> {
  return upgrades.slice(from - 1).reduce((fact, upgrade) => upgrade(fact), raw);
}

/**
 * Reads one line of a native tape: its header, or a fact of `version`, upgraded and validated. Never throws; errors name the field.
 * A header of a newer version is an error: facts of it could mean something else.
 */
export function decodeNativeLine(text: string, at: NativePlace): NativeLine {
  let raw: unknown;
  try { raw = JSON.parse(text); } catch { return { error: { code: 'invalidJson', message: 'the line is not JSON' } }; }
  return isJsonObject(raw) ? decodeNativeRecord(raw, at) : { error: { code: 'notAFact', message: 'the line is not an object' } };
}

/** The same of a line that was parsed already, or of one of several records that stand on one. */
export function decodeNativeRecord(raw: JsonObject, at: NativePlace): NativeLine {
  if (raw['tapefold'] !== undefined) return decodeHeader(raw);
  if (at.version > NATIVE_TAPE_VERSION) return { error: newerVersion(at.version) };
  if (!Number.isInteger(at.version) || at.version < 1) return { error: { code: 'notAFact', message: `the tape has no version ${at.version}` } };
  const parsed = factSchema.safeParse({ ...upgraded(raw, at.version), tape: at.tape, line: at.line });
  if (parsed.success) return { fact: parsed.data };
  const issue = parsed.error.issues[0];
  return { error: { code: 'notAFact', message: `${issue?.path.join('.') || 'type'}: ${issue?.message ?? 'not a fact'}` } };
}

function decodeHeader(raw: unknown): NativeLine {
  const header = nativeHeaderSchema.safeParse(raw);
  if (!header.success) return { error: { code: 'notAFact', message: 'the header of the tape has a field missing' } };
  if (header.data.version <= NATIVE_TAPE_VERSION) return { header: header.data };
  return { error: newerVersion(header.data.version) };
}

function newerVersion(version: number): NativeLineError {
  return { code: 'newerVersion', message: `the tape is of version ${version}, this reader knows up to ${NATIVE_TAPE_VERSION}: update Tapefold` };
}
