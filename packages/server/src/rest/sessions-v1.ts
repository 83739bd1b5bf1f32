import { z } from 'zod';
import { CODES } from './codes.js';
import { RestError } from './rest-error.js';
import type { SessionRow } from './session-row.js';

/** `true`, `false`, `1`, `0`, as they come in a query. */
const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1').optional();

/** The query of `GET /api/v1/sessions`. */
export const sessionsQuerySchema = z.object({
  before_id: z.string().min(1).optional(), after_id: z.string().min(1).optional(), page_size: z.coerce.number().int().min(1).max(100).optional(),
  busy: flag, include_archive: flag, exclude_empty: flag, archived_only: flag, workspace_id: z.string().min(1).optional(),
}).refine(({ before_id, after_id }) => before_id === undefined || after_id === undefined, { message: 'before_id and after_id exclude each other', path: ['before_id'] })
  .refine(({ archived_only, include_archive }) => !(archived_only && include_archive), { message: 'archived_only and include_archive exclude each other', path: ['archived_only'] });

export type SessionsQuery = z.infer<typeof sessionsQuerySchema>;

const nothingUsed = {
  input_tokens: z.number(), output_tokens: z.number(), cache_read_tokens: z.number(), cache_creation_tokens: z.number(), total_cost_usd: z.number(), context_tokens: z.number(), context_limit: z.number(), turn_count: z.number(),
};

/** A session as the first version of the API shows it. Times are ISO-8601. What only a running session has is at rest. */
export const sessionSchema = z.object({
  id: z.string(), workspace_id: z.string(), title: z.string(), created_at: z.string(), updated_at: z.string(), archived_at: z.string().optional(), busy: z.boolean(), main_turn_active: z.boolean(),
  pending_interaction: z.enum(['none', 'approval', 'question']), last_turn_reason: z.enum(['completed', 'cancelled', 'failed']).optional(), archived: z.boolean(), last_prompt: z.string().optional(),
  metadata: z.object({ cwd: z.string() }), agent_config: z.object({ model: z.string() }), usage: z.object(nothingUsed), permission_rules: z.array(z.unknown()), message_count: z.number(), last_seq: z.number(),
});

export const sessionsSchema = z.object({ items: z.array(sessionSchema), has_more: z.boolean() });

export type Session = z.infer<typeof sessionSchema>;

const iso = (ms: number): string => new Date(ms).toISOString();

export function toSession(row: SessionRow): Session {
  return {
    id: row.id, workspace_id: row.workspaceId, title: row.title, created_at: iso(row.createdAtMs), updated_at: iso(row.updatedAtMs), ...(row.archivedAtMs !== undefined && { archived_at: iso(row.archivedAtMs) }),
    busy: false, main_turn_active: false, pending_interaction: 'none', ...(row.lastTurnReason && { last_turn_reason: row.lastTurnReason }), archived: row.isArchived, ...(row.lastPrompt !== '' && { last_prompt: row.lastPrompt }),
    metadata: { cwd: row.cwd }, agent_config: { model: '' },
    usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0, total_cost_usd: 0, context_tokens: 0, context_limit: 0, turn_count: 0 },
    permission_rules: [], message_count: 0, last_seq: 0,
  };
}

/** Rows behind the one that was named; all of them where it is none of ours any more. */
function behind(rows: readonly SessionRow[], { before_id, after_id }: SessionsQuery): readonly SessionRow[] {
  const at = rows.findIndex(({ id }) => id === (before_id ?? after_id));
  if (at < 0) return rows;
  return before_id === undefined ? rows.slice(0, at) : rows.slice(at + 1);
}

const DEFAULT_PAGE = 20;

/** Answers `GET /api/v1/sessions` from all rows, newest first. Without `page_size` it answers all of them, as the original does, unless only archived ones are asked for. */
export function listSessions(rows: readonly SessionRow[], query: SessionsQuery): z.infer<typeof sessionsSchema> {
  const { workspace_id, include_archive, archived_only, exclude_empty, busy } = query;
  if (workspace_id !== undefined && !rows.some(({ workspaceId }) => workspaceId === workspace_id)) throw new RestError(CODES.workspaceNotFound, `workspace ${workspace_id} does not exist`);
  const wanted = behind(rows, query).filter((row) => (workspace_id === undefined || row.workspaceId === workspace_id) && (archived_only ? row.isArchived : include_archive || !row.isArchived) && !(exclude_empty && row.lastPrompt === '') && busy !== true);
  const size = query.page_size ?? (archived_only ? DEFAULT_PAGE : wanted.length);
  return { items: wanted.slice(0, size).map(toSession), has_more: wanted.length > size };
}
