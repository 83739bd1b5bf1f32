import type { AgentTranscriptSnapshot } from '@tapefold/transcript';
import { createHash } from 'node:crypto';

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
const sorted = (_: string, value: unknown): unknown => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(byKey)) : value);

/** Names a state: states that say the same have the same name, in whatever order their keys stand. Costs the state, an item at a time. */
export function stateDigest(state: AgentTranscriptSnapshot): string {
  const { items, hasMoreOlder: _, ...rest } = state;
  const hash = createHash('sha256');
  for (const item of items) hash.update(JSON.stringify(item, sorted)).update('\n');
  return hash.update(JSON.stringify(rest, sorted)).digest('base64url');
}
