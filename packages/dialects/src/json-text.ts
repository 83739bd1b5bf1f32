import { type JsonValue, readJson } from '@tapefold/facts';

/** JSON inside a string of a record (arguments of a call, wrapped outputs): its value, or undefined where it is none. */
export function innerJson(text: string): JsonValue | undefined {
  return readJson(text).value;
}
