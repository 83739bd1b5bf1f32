import type { ListQuery, ThreadSummary } from '../thread-source.js';

/** Why a plain list leaves a thread out, as a sentence without a stop; undefined where it shows it. */
export function hiddenBecause(row: Pick<ThreadSummary, 'isArchived' | 'isSubAgent'>): string | undefined {
  if (row.isArchived) return 'it is archived: `tapefold list --archived` shows it';
  return row.isSubAgent ? 'it is a sub-agent\'s: `tapefold list --all` shows it' : undefined;
}

/** Whether a query lets a row through. */
export function isWanted(row: ThreadSummary, query: ListQuery): boolean {
  if (query.program !== undefined && row.program !== query.program) return false;
  if (query.archived === 'only' ? !row.isArchived : row.isArchived && query.archived !== 'too') return false;
  if (row.isSubAgent && !query.hasSubAgents) return false;
  if (query.cwd !== undefined && row.thread.cwd !== query.cwd) return false;
  return query.sinceMs === undefined || row.updatedAtMs >= query.sinceMs;
}

/** Newest first, then by id. */
export function byRecency(a: ThreadSummary, b: ThreadSummary): number {
  return b.updatedAtMs - a.updatedAtMs || (a.thread.id < b.thread.id ? 1 : -1);
}
