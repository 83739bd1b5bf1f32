import type { JsonValue } from './json.js';
import type { DamageReason } from './families/record-facts.js';

/** Deeper than any agent nests: whoever serialises such a value again would overflow the stack. */
const DEPTH_LIMIT = 500;

type Flaw = Extract<DamageReason, 'tooDeep' | 'invalidJson'>;

/** Why a parsed value at this depth could not be written as JSON again. Looks at every value of every line, so it makes nothing; goes no deeper than the limit. */
function flawOf(value: JsonValue, depth: number): Flaw | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'invalidJson';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > DEPTH_LIMIT) return 'tooDeep';
  if (Array.isArray(value)) {
    for (const element of value) {
      const flaw = flawOf(element, depth + 1);
      if (flaw) return flaw;
    }
    return undefined;
  }
  for (const key in value) {
    const flaw = flawOf(value[key] as JsonValue, depth + 1);
    if (flaw) return flaw;
  }
  return undefined;
}

/** A text as the JSON value that it is, or why it is none that a fact could carry (`1e999` is none: programs other than this one cannot read it either). Never throws. */
export function readJson(text: string): { readonly value: JsonValue; readonly flaw: undefined } | { readonly value: undefined; readonly flaw: Flaw } {
  let value: JsonValue;
  try { value = JSON.parse(text) as JsonValue; } catch { return { value: undefined, flaw: 'invalidJson' }; }
  const flaw = flawOf(value, 0);
  return flaw ? { value: undefined, flaw } : { value, flaw };
}
