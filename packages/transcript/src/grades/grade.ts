import type { AgentId } from '../model/ids.js';

/** How much of an agent's transcript a reader gets: nothing, turns, whole blocks, or text as it streams. */
export type TranscriptGrade = 'off' | 'turn' | 'block' | 'delta';
/** Grades by agent id; `*` is for those that are not named. */
export type TranscriptGradeSpec = Readonly<Record<AgentId, TranscriptGrade>>;

export const GRADE_RANK: Readonly<Record<TranscriptGrade, number>> = { off: 0, turn: 1, block: 2, delta: 3 };

const ownGrade = (spec: TranscriptGradeSpec, key: string): TranscriptGrade | undefined => (Object.hasOwn(spec, key) ? spec[key] : undefined);

/** The grade of an agent: its own, else that of `*`, else `off`. */
export function gradeFor(spec: TranscriptGradeSpec | undefined, agentId: AgentId): TranscriptGrade {
  return spec ? (ownGrade(spec, agentId) ?? ownGrade(spec, '*') ?? 'off') : 'off';
}

/** Whether a reader whose grade changes needs a new baseline: only a higher grade shows what was left out before. */
export function needsResetOnTransition(previous: TranscriptGrade, next: TranscriptGrade): boolean {
  return GRADE_RANK[next] > GRADE_RANK[previous];
}

/** The grades without some agents. Each becomes `off` by name, so that `*` does not bring it back; `*` itself is taken out. Undefined where nothing is left to send. */
export function detachGrades(spec: TranscriptGradeSpec | undefined, agentIds: readonly AgentId[]): Record<string, TranscriptGrade> | undefined {
  if (!spec) return undefined;
  const off = agentIds.filter((agentId) => agentId !== '*').map((agentId) => [agentId, 'off'] as const);
  const kept = Object.entries(spec).filter(([agentId]) => agentId !== '*' || !agentIds.includes('*'));
  const left = Object.fromEntries([...kept, ...off]);
  return Object.values(left).some((grade) => grade !== 'off') ? left : undefined;
}
