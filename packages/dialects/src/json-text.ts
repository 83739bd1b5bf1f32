import type { DamageReason, JsonValue } from '@tapefold/facts';

/** Deeper than any agent nests: whoever serialises such a value again would overflow the stack. */
const DEPTH_LIMIT = 500;
/** Text up to this length cannot nest deeper. */
const SHALLOW_CHARS = DEPTH_LIMIT * 2;
/** Numbers that JSON can write and no double can hold have one of these. */
const hugeNumber = /\d[eE]\+?\d{3}|\d{200}/;

type Flaw = Extract<DamageReason, 'tooDeep' | 'invalidJson'>;

/** Why a parsed value could not be written as JSON again. Level by level, so that its own stack is safe. */
function flawOf(value: JsonValue): Flaw | undefined {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length; depth++) {
    if (depth > DEPTH_LIMIT) return 'tooDeep';
    const below: JsonValue[] = [];
    for (const outer of level) {
      if (typeof outer === 'number' && !Number.isFinite(outer)) return 'invalidJson';
      if (typeof outer === 'object' && outer !== null) for (const inner of Object.values(outer)) if (typeof inner === 'number' ? !Number.isFinite(inner) : typeof inner === 'object' && inner !== null) below.push(inner);
    }
    level = below;
  }
  return undefined;
}

/** A text as the JSON value that it is, or why it is none that a fact could carry (`1e999` is none: programs other than this one cannot read it either). */
export function readJson(text: string): { readonly value: JsonValue } | { readonly flaw: Flaw } {
  let value: JsonValue;
  try { value = JSON.parse(text) as JsonValue; } catch { return { flaw: 'invalidJson' }; }
  const flaw = text.length <= SHALLOW_CHARS && !hugeNumber.test(text) ? undefined : flawOf(value);
  return flaw ? { flaw } : { value };
}

/** JSON inside a string of a record (arguments of a call, wrapped outputs): its value, or undefined where it is none. */
export function innerJson(text: string): JsonValue | undefined {
  const read = readJson(text);
  return 'value' in read ? read.value : undefined;
}
