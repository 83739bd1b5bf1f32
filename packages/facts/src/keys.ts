import { z } from 'zod';

/** Names one tape: `<dialect>/<native id of the file>`, for example `codex/0199…` (the rollout id). Stable over moves and compression of the file. */
export type TapeId = string;

/**
 * Identity of a fact: `<tape>#<ordinal>`. Turns, steps, inputs and items are named by the key of the fact that began them,
 * since native ids repeat (after a rollback, over turns, in forked files).
 */
export type FactKey = string;

/** Accepts any dialect: which there are is for the players to know. */
export const tapeIdSchema = z.string().min(1);
/** Accepts the one spelling of a key: an ordinal without sign and leading zero. */
export const factKeySchema = z.string().regex(/^.+#(?:0|[1-9]\d*)$/s);

/** The key of the fact at `ordinal` (dense, from 0) of `tape`. */
export function factKey(tape: TapeId, ordinal: number): FactKey {
  return `${tape}#${ordinal}`;
}

/** Splits a key; undefined when the text is no key. Never throws. */
export function parseFactKey(key: string): { tape: TapeId; ordinal: number } | undefined {
  const hash = key.lastIndexOf('#');
  const ordinal = wholeNumber(key, hash + 1);
  return hash <= 0 || ordinal === undefined ? undefined : { tape: key.slice(0, hash), ordinal };
}

const ZERO = 0x30;

/** The number that a text ends with. One fact has one key: no sign, no leading zero, no other way to write a number. Digit by digit, since folds take apart several keys a fact. */
function wholeNumber(text: string, from: number): number | undefined {
  if (from >= text.length || (text.charCodeAt(from) === ZERO && from + 1 < text.length)) return undefined;
  let number = 0;
  for (let i = from; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return Number.isSafeInteger(number) ? number : undefined;
}
