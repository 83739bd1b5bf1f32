import { z } from 'zod';

/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** An object as JSON carries it. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Accepts every value that came out of `JSON.parse`. It does not walk it: depth is the sender's, so a walk could overflow the stack. */
export const jsonValueSchema = z.custom<JsonValue>((value) => value !== undefined && typeof value !== 'function' && typeof value !== 'bigint' && typeof value !== 'symbol');

/** True for objects that are neither null nor arrays. Never throws. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
