import type { AgentStatusMeta, ModesMeta, ModesMetaMerge, TranscriptMeta, TranscriptMetaMerge } from '../model/meta.js';

/** Of a new value, null (cleared) and undefined (kept), and the old value, the one that counts. */
const settled = <T>(old: T | undefined, next: T | null | undefined): T | undefined => (next === null ? undefined : (next ?? old));

/** The fields that hold something. */
function filled<T extends object>(fields: T): T | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return entries.length ? (Object.fromEntries(entries) as T) : undefined;
}

function mergedModes(old: ModesMeta | undefined, next: ModesMetaMerge | undefined): ModesMeta | undefined {
  if (next === undefined) return old;
  return filled({ plan: settled(old?.plan, next.plan), swarm: settled(old?.swarm, next.swarm), tower: settled(old?.tower, next.tower) });
}

function mergedAgent(old: AgentStatusMeta | undefined, next: AgentStatusMeta | undefined): AgentStatusMeta | undefined {
  return next === undefined ? old : { ...old, ...filled(next) };
}

/** The meta with a change merged in: null clears the goal or a mode, what is absent stays, and of the agent's status each given field is replaced. */
export function mergedMeta(old: TranscriptMeta, next: TranscriptMetaMerge): TranscriptMeta {
  return filled({
    goal: settled(old.goal, next.goal), modes: mergedModes(old.modes, next.modes), activity: settled(old.activity, next.activity), agent: mergedAgent(old.agent, next.agent),
  }) ?? {};
}
