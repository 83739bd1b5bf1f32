import type { Fact, JsonValue } from '@tapefold/facts';

/** Facts as a test writes them down: keys as `#n`, without the envelope's place and times and without native records. */
export function said(facts: readonly Fact[]): JsonValue[] {
  return facts.map((fact) => {
    const { tape, ordinal: _ordinal, line: _line, at: _at, ...rest } = fact;
    const text = JSON.stringify(rest, (key, value: unknown) => (key === 'native' || (key === 'tape' && value === tape) ? undefined : value));
    return JSON.parse(text.replaceAll(`"${tape}#`, '"#')) as JsonValue;
  });
}
