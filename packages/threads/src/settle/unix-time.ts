/** Whole Unix seconds of an ISO-8601 time, rounded down; undefined where the text is no time. */
export function unixSeconds(iso: string | undefined): number | undefined {
  if (iso === undefined) return undefined;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}
