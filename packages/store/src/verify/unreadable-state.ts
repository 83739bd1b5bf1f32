const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isStamp = (value: unknown): boolean => isObject(value) && typeof value.tape === 'string' && typeof value.path === 'string' && isCount(value.bytes) && isCount(value.sizeBytes);

/** What rows are read, and files are played, by: the rest of a state is compared, whatever it is. */
const needed: Readonly<Record<string, (value: unknown) => boolean>> = {
  head: (head) => isObject(head) && isObject(head.offsets),
  position: isCount,
  segments: (segments) => Array.isArray(segments) && segments.every(isStamp),
};

/** Why the stored state of a history cannot be worked with, as a sentence; undefined where it can. Never throws. */
export function unreadableState(state: unknown): string | undefined {
  if (!isObject(state)) return 'its state is no object';
  const member = Object.keys(needed).find((name) => needed[name]?.(state[name]) !== true);
  return member === undefined ? undefined : `${member} of its state is ${(JSON.stringify(state[member]) ?? 'missing').slice(0, 120)}`;
}
