import type { AgentProgram, LastTurnStatus, ThreadSource, ThreadSummary } from '@tapefold/store';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/** How a session's last turn ended, in the words of Kimi's server; undefined where it is open or not known. */
export type LastTurnReason = 'completed' | 'cancelled' | 'failed';

/** A session as lists show it: the root thread of any agent program. Times are Unix ms. */
export interface SessionRow {
  /** The agent's own id of the session. */
  readonly id: string;
  /** The thread id of its main agent. */
  readonly threadId: string;
  readonly program: AgentProgram;
  /** Its newest session file. */
  readonly path: string;
  readonly workspaceId: string;
  readonly cwd: string;
  readonly title: string;
  /** The newest prompt where the agent keeps it beside the session, else the first; empty: nothing was asked yet. */
  readonly lastPrompt: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly isArchived: boolean;
  /** Undefined: not archived, or nobody noted when. */
  readonly archivedAtMs: number | undefined;
  readonly lastTurnReason: LastTurnReason | undefined;
}

/** Characters of a folder's name in a workspace id. */
const SLUG_CHARS = 40;
const HASH_CHARS = 12;

/** The id of a folder's workspace, as Kimi Code names it, so that sessions of all agents in one folder stand in one group. */
export function workspaceIdOf(cwd: string): string {
  const path = cwd.replaceAll('\\', '/').replace(/\/+$/, '');
  const slug = basename(path).toLowerCase().replace(/[^a-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, SLUG_CHARS);
  return `wd_${slug === '' ? 'root' : slug}_${createHash('sha256').update(path).digest('hex').slice(0, HASH_CHARS)}`;
}

function reasonOf(status: LastTurnStatus | undefined): LastTurnReason | undefined {
  if (status === 'completed' || status === 'failed') return status;
  return status === 'interrupted' ? 'cancelled' : undefined;
}

/** The session that a thread is the root of. */
export function rowOf({ thread, program, path, isArchived, updatedAtMs, lastTurn, kimi }: ThreadSummary): SessionRow {
  const lastPrompt = kimi ? kimi.lastPrompt ?? '' : thread.preview;
  return {
    id: kimi?.sessionId ?? thread.id, threadId: thread.id, program, path, workspaceId: kimi?.workspaceId ?? workspaceIdOf(thread.cwd), cwd: thread.cwd, title: kimi?.title ?? thread.name ?? lastPrompt.split('\n', 1)[0] ?? '', lastPrompt,
    createdAtMs: kimi?.createdAtMs ?? thread.createdAt * 1000, updatedAtMs: kimi?.updatedAtMs ?? updatedAtMs, isArchived, archivedAtMs: kimi?.archivedAtMs, lastTurnReason: reasonOf(kimi ? kimi.lastTurn : lastTurn),
  };
}

const newestFirst = (a: SessionRow, b: SessionRow): number => b.updatedAtMs - a.updatedAtMs || (a.id < b.id ? 1 : -1);

/** Every session of the homes, archived ones too, newest first; sub-agents are no sessions. */
export async function sessionRows(source: ThreadSource): Promise<SessionRow[]> {
  const { rows } = await source.list({ archived: 'too' });
  return rows.filter(({ isSubAgent }) => !isSubAgent).map(rowOf).sort(newestFirst);
}

/** Rows by their workspace, in the order of the rows. */
export function byWorkspace(rows: readonly SessionRow[]): Map<string, SessionRow[]> {
  const groups = new Map<string, SessionRow[]>();
  for (const row of rows) {
    const group = groups.get(row.workspaceId);
    if (group) group.push(row);
    else groups.set(row.workspaceId, [row]);
  }
  return groups;
}
