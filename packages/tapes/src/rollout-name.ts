/** What the name of a Codex session file says. `createdAtLocal`: local time of creation (`YYYY-MM-DDTHH:MM:SS`; midnight where the name has a day only, as in early 2025). */
export interface RolloutName {
  readonly createdAtLocal: string;
  readonly threadId: string;
  /** Names this file: the thread's id, or another one after a revert. */
  readonly rolloutId: string;
}

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const grammar = new RegExp(`^rollout-(\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01]))(?:T([01]\\d|2[0-3])-([0-5]\\d)-([0-5]\\d|60))?-(${uuid})(?:_(${uuid}))?\\.jsonl?(?:\\.zst)?$`);

/** Parses `rollout-DATE[Ttime]-THREAD[_ROLLOUT].jsonl[.zst]` (or `.json`), a file name without folder; undefined when it is none. Never throws. */
export function parseRolloutName(name: string): RolloutName | undefined {
  const [, day, hour = '00', minute = '00', second = '00', threadId, rolloutId] = grammar.exec(name) ?? [];
  if (day === undefined || threadId === undefined) return undefined;
  return { createdAtLocal: `${day}T${hour}:${minute}:${second}`, threadId, rolloutId: rolloutId ?? threadId };
}
