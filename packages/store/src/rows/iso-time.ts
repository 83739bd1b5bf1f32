/** A time as records write it, short: milliseconds since `fromMs` where that says the same text again, else the text. */
export function shortTime(at: string | undefined, fromMs = 0): number | string | undefined {
  if (at === undefined) return undefined;
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === at ? ms - fromMs : at;
}

/** The time again. */
export function longTime(at: number | string | undefined, fromMs = 0): string | undefined {
  return typeof at === 'number' ? new Date(at + fromMs).toISOString() : at;
}
