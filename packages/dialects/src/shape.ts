import type { JsonObject, JsonValue } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';

/** Reads a field as what it should be; undefined for absent, null and any other type. These never throw. */
export function stringAt(from: JsonObject, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}
/** Any number, also a fraction and below zero; `countAt` for counts and positions. */
export function numberAt(from: JsonObject, key: string): number | undefined {
  const value = from[key];
  return typeof value === 'number' ? value : undefined;
}
/** A count or a position: a whole number from 0. */
export function countAt(from: JsonObject, key: string): number | undefined {
  const value = numberAt(from, key);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
/** A number that a sum or a conversion may have driven out of what JSON can carry. */
export function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
/** What a table says of a word of the file; undefined for words that it does not have, also for those that every object inherits (`constructor`). */
export function wordIn<T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}
/** Undefined for words and numbers that mean the same elsewhere (`"true"`, 1). */
export function booleanAt(from: JsonObject, key: string): boolean | undefined {
  const value = from[key];
  return typeof value === 'boolean' ? value : undefined;
}
/** An object proper: no list. */
export function objectAt(from: JsonObject, key: string): JsonObject | undefined {
  const value = from[key];
  return isJsonObject(value) ? value : undefined;
}
/** A list as it stands; empty where there is none. */
export function listAt(from: JsonObject, key: string): JsonValue[] {
  const value = from[key];
  return Array.isArray(value) ? value : [];
}
/** The objects of a list; other elements are left out, so places are not those of the list. */
export function objectsAt(from: JsonObject, key: string): JsonObject[] {
  return listAt(from, key).filter(isJsonObject);
}
/** The texts of a list; other elements are left out, so places are not those of the list. */
export function stringsAt(from: JsonObject, key: string): string[] {
  return listAt(from, key).filter((value) => typeof value === 'string');
}

/** Leaves out undefined fields, so that optional ones are absent and facts stay equal through JSON. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // A copy: `delete` would turn the object into a slow one, and all that later copies or reads it would pay.
  const kept: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as { [K in keyof T]: Exclude<T[K], undefined> };
}

/**
 * What a field must be for the program that wrote it to have read its own record: `string`, `number`, `integer`, `count` (a whole number from 0), `boolean`, `object`, `list`, `strings` (a list of
 * them), `any` (present), a list of allowed words; with `?` behind the name also absent or null.
 */
export type FieldRule = 'string' | 'number' | 'integer' | 'count' | 'boolean' | 'object' | 'list' | 'strings' | 'any' | readonly string[];
/** Rules by field name. Fields that are not named may be anything. */
export type Shape = Readonly<Record<string, FieldRule>>;

function fits(value: JsonValue, rule: FieldRule): boolean {
  if (typeof rule !== 'string') return typeof value === 'string' && rule.includes(value);
  switch (rule) {
    case 'any': return true;
    case 'integer': return Number.isInteger(value);
    case 'count': return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'object': return isJsonObject(value);
    case 'list': return Array.isArray(value);
    case 'strings': return Array.isArray(value) && value.every((element) => typeof element === 'string');
    default: return typeof value === rule;
  }
}

interface Field { readonly name: string; readonly isOptional: boolean; readonly rule: FieldRule }

/** Shapes are constants, so each is taken apart once. */
const fieldsByShape = new WeakMap<Shape, readonly Field[]>();

function fieldsOf(shape: Shape): readonly Field[] {
  const known = fieldsByShape.get(shape);
  if (known) return known;
  const fields = Object.entries(shape).map(([key, rule]) => ({ name: key.replace(/\?$/, ''), isOptional: key.endsWith('?'), rule }));
  fieldsByShape.set(shape, fields);
  return fields;
}

/** The first field that does not fit, or undefined where the object has the shape. */
export function misfit(from: JsonObject, shape: Shape): string | undefined {
  for (const { name, isOptional, rule } of fieldsOf(shape)) {
    const value = from[name];
    if (value === undefined || value === null) {
      if (!isOptional) return name;
    } else if (!fits(value, rule)) return name;
  }
  return undefined;
}
