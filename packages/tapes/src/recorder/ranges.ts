/** Ordinals from the first to before the second. */
export type Span = readonly [from: number, to: number];

/** What of `spans` (ascending, apart from each other) is left without `gone`. */
export function without(spans: readonly Span[], gone: readonly Span[]): Span[] {
  return gone.reduce<readonly Span[]>((left, [from, to]) => left.flatMap(([start, end]): Span[] => [[start, Math.min(end, from)], [Math.max(start, to), end]].filter((part): part is [number, number] => (part[0] ?? 0) < (part[1] ?? 0))), spans).map((span) => span);
}

/** Both together, ascending, apart from each other. */
export function joined(a: readonly Span[], b: readonly Span[]): Span[] {
  const whole: [number, number][] = [];
  for (const [from, to] of [...a, ...b].sort((x, y) => x[0] - y[0])) {
    const last = whole.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else whole.push([from, to]);
  }
  return whole;
}
