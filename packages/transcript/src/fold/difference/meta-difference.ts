import type { AgentStatusMeta, ModesMeta, ModesMetaMerge, TranscriptMeta, TranscriptMetaMerge } from '../../model/meta.js';
import { mergedMeta } from '../../operations/apply-meta.js';
import type { TranscriptOperation } from '../../operations/operation.js';
import { isSameValue } from '../../state/same-value.js';
import { present } from '../present.js';

/** The fields that say something else than before; null for one that went. */
function changedFields<T extends object>(before: T, after: T): { [K in keyof T]?: T[K] | null } {
  const changed: { [K in keyof T]?: T[K] | null } = {};
  for (const key of Object.keys({ ...before, ...after }) as (keyof T)[]) if (!isSameValue(before[key], after[key])) changed[key] = after[key] ?? null;
  return changed;
}

/** The merge that makes one meta of the other: none, or one; undefined where a merge cannot say it (a field of the agent's status went). */
export function metaDifference(before: TranscriptMeta, after: TranscriptMeta): readonly TranscriptOperation[] | undefined {
  if (isSameValue(before, after)) return [];
  const { goal, activity, modes, agent } = changedFields<TranscriptMeta>(before, after);
  const meta: TranscriptMetaMerge = present({
    goal, activity: activity ?? undefined, modes: modes === undefined ? undefined : (changedFields<ModesMeta>(before.modes ?? {}, after.modes ?? {}) as ModesMetaMerge),
    agent: agent === undefined ? undefined : (changedFields<AgentStatusMeta>(before.agent ?? {}, after.agent ?? {}) as AgentStatusMeta),
  });
  return isSameValue(mergedMeta(before, meta), after) ? [{ op: 'meta.merge', meta }] : undefined;
}
