import { basename } from 'node:path';
import { z } from 'zod';
import { type SessionRow, byWorkspace } from './session-row.js';

export const workspaceSchema = z.object({ id: z.string(), root: z.string(), name: z.string(), created_at: z.string(), last_opened_at: z.string(), session_count: z.number() });
export const workspacesSchema = z.object({ items: z.array(workspaceSchema) });

/** Answers `GET /api/v1/workspaces`: the folders that sessions ran in, the one used last first. Archived sessions do not count. */
export function listWorkspaces(rows: readonly SessionRow[]): z.infer<typeof workspacesSchema> {
  const groups = byWorkspace(rows.filter(({ isArchived }) => !isArchived));
  const iso = (ms: number): string => new Date(ms).toISOString();
  const toWorkspace = ([id, group]: readonly [string, readonly SessionRow[]]): z.infer<typeof workspaceSchema> => ({
    id, root: group[0]?.cwd ?? '', name: basename(group[0]?.cwd ?? ''), created_at: iso(Math.min(...group.map(({ createdAtMs }) => createdAtMs))), last_opened_at: iso(Math.max(...group.map(({ updatedAtMs }) => updatedAtMs))), session_count: group.length,
  });
  return { items: [...groups].map(toWorkspace) };
}
