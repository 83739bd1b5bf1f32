import { type JsonValue, type TurnError, isJsonObject } from '@tapefold/facts';
import { type CodexErrorInfo, type TurnErrorObject, codexErrorInfoSchema } from '../objects/turn.js';

const camelCase = (text: string): string => text.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** An error kind with its details is two levels deep; what lies deeper is none of ours. */
function camelKeys(value: JsonValue, levels = 2): JsonValue {
  if (!isJsonObject(value) || levels === 0) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camelCase(key), camelKeys(inner, levels - 1)]));
}

/** An object of one key whose details are incomplete has them as null. */
function withDetails(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, isJsonObject(inner) && key !== 'activeTurnNotSteerable' ? { httpStatusCode: null, ...inner } : inner]));
}

/** `snake_case` of a file as the public words; a word that the protocol does not know is `other`. */
export function codexErrorInfo(code: JsonValue | undefined): CodexErrorInfo | null {
  if (code === undefined || code === null) return null;
  const parsed = codexErrorInfoSchema.safeParse(typeof code === 'string' ? camelCase(code) : withDetails(camelKeys(code)));
  return parsed.success ? parsed.data : 'other';
}

/** Details as the one string that the protocol has for them; none where they nest too deep to be written. */
function detailsText(details: JsonValue | undefined): string | null {
  if (details === undefined || details === null || typeof details === 'string') return details ?? null;
  try { return JSON.stringify(details); } catch { return null; }
}

/** The public object of a turn's error. */
export function turnErrorObject(error: TurnError): TurnErrorObject {
  const { message, kind, code, details, misalignment } = error;
  return { message, codexErrorInfo: codexErrorInfo(code ?? kind), additionalDetails: detailsText(details), misalignment: misalignment ?? null };
}
