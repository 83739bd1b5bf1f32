import { UsageError } from '../exit.js';

/** The value of an option that counts. */
export function wholeNumber(text: string, option: string, lowest = 0): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value) || value < lowest) {
    throw new UsageError(`${option} takes a whole number${Number.isFinite(lowest) ? ` of ${lowest} or more` : ''}, not ${text === '' ? 'nothing' : text}.`);
  }
  return value;
}
