import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CODES } from './codes.js';
import { RestError } from './rest-error.js';
import { type SessionRow, byWorkspace } from './session-row.js';

/** One value, or the same parameter several times. */
const repeated = <S extends z.ZodType>(item: S) => z.union([item, z.array(item).min(1)]).optional();
const time = z.coerce.number().int().nonnegative().optional();
const FULL_PAGE = 100;

/** The query of `GET /api/v2/sessions`. */
export const sessionsV2QuerySchema = z.object({
  'workspace.id': repeated(z.string().min(1)), 'activity.status': repeated(z.enum(['idle', 'running', 'approval', 'question', 'failed'])), 'meta.updated_after': time, 'meta.updated_before': time,
  'meta.archived': z.enum(['true', 'false', 'all']).default('false'), 'meta.has_prompt': z.enum(['true', 'false']).optional(), view: z.enum(['flat', 'by_workspace']).default('flat'),
  'group.page_size': z.coerce.number().int().min(1).max(FULL_PAGE).default(5), sort: z.enum(['meta.updated_at_desc', 'meta.updated_at_asc', 'meta.created_at_desc']).default('meta.updated_at_desc'),
  include: z.enum(['git', '']).optional(), page_size: z.coerce.number().int().min(1).max(FULL_PAGE).default(50), page: z.coerce.number().int().min(1).optional(), page_token: z.string().min(1).max(200).optional(),
}).refine(({ page, page_token }) => page === undefined || page_token === undefined, { message: 'page and page_token exclude each other', path: ['page'] });

export type SessionsV2Query = z.infer<typeof sessionsV2QuerySchema>;

const workspace = z.object({ id: z.string(), cwd: z.string().nullable() });
/** A session as the second version of the API shows it. Times are Unix ms. Branches and pull requests would take running git: they are not known. */
export const sessionV2Schema = z.object({
  id: z.string(), workspace,
  meta: z.object({ title: z.string().nullable(), last_prompt: z.string().nullable(), created_at: z.number(), updated_at: z.number(), archived: z.boolean(), archived_at: z.number().nullable() }),
  activity: z.object({ status: z.enum(['idle', 'running', 'approval', 'question', 'failed']), model: z.string().nullable() }), git: z.object({ branch: z.null(), pull_request: z.null() }).optional(),
});

const paged = { total: z.number(), has_more: z.boolean(), next_page_token: z.string().nullable() };
export const sessionsV2Schema = z.union([
  z.object({ items: z.array(sessionV2Schema), ...paged }), z.object({ groups: z.array(z.object({ workspace, sessions: z.array(sessionV2Schema), total: z.number() })), ...paged }),
]);

export type SessionV2 = z.infer<typeof sessionV2Schema>;

const statusOf = ({ lastTurnReason }: SessionRow): SessionV2['activity']['status'] => (lastTurnReason === 'failed' ? 'failed' : 'idle');

function toSession(row: SessionRow, hasGit: boolean): SessionV2 {
  const { id, workspaceId, cwd, title, lastPrompt, createdAtMs, updatedAtMs, isArchived, archivedAtMs } = row;
  return {
    id, workspace: { id: workspaceId, cwd },
    meta: { title: title === '' ? null : title, last_prompt: lastPrompt === '' ? null : lastPrompt, created_at: createdAtMs, updated_at: updatedAtMs, archived: isArchived, archived_at: archivedAtMs ?? null },
    activity: { status: statusOf(row), model: null }, ...(hasGit && { git: { branch: null, pull_request: null } }),
  };
}

const listOf = <T extends string>(value: T | T[] | undefined): readonly T[] | undefined => (typeof value === 'string' ? [value] : value);

function isWanted(row: SessionRow, query: SessionsV2Query): boolean {
  const workspaces = listOf(query['workspace.id']);
  const statuses = listOf(query['activity.status']);
  const { 'meta.archived': archived, 'meta.has_prompt': hasPrompt, 'meta.updated_after': after = -Infinity, 'meta.updated_before': before = Infinity } = query;
  return (archived === 'all' || row.isArchived === (archived === 'true')) && (hasPrompt === undefined || (row.lastPrompt !== '') === (hasPrompt === 'true')) && row.updatedAtMs >= after && row.updatedAtMs <= before
    && (workspaces === undefined || workspaces.includes(row.workspaceId)) && (statuses === undefined || statuses.includes(statusOf(row)));
}

function sorted(rows: readonly SessionRow[], sort: SessionsV2Query['sort']): readonly SessionRow[] {
  if (sort === 'meta.updated_at_desc') return rows;
  if (sort === 'meta.updated_at_asc') return [...rows].reverse();
  return [...rows].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1));
}

/** What a page token is tied to: every condition but the page itself. */
function conditionsOf(query: SessionsV2Query): string {
  return createHash('sha256').update(JSON.stringify({ ...query, page: undefined, page_token: undefined })).digest('base64url').slice(0, 16);
}

function offsetOf(query: SessionsV2Query): number {
  if (query.page_token === undefined) return ((query.page ?? 1) - 1) * query.page_size;
  const [conditions, offset = ''] = query.page_token.split('.');
  if (conditions !== conditionsOf(query) || !/^\d{1,9}$/.test(offset)) throw new RestError(CODES.pageTokenMismatch, 'page_token does not belong to this query: begin again without it');
  return Number(offset);
}

function page<T>(all: readonly T[], query: SessionsV2Query): { readonly part: readonly T[]; readonly total: number; readonly has_more: boolean; readonly next_page_token: string | null } {
  const offset = offsetOf(query);
  const end = offset + query.page_size;
  const hasMore = end < all.length;
  return { part: all.slice(offset, end), total: all.length, has_more: hasMore, next_page_token: hasMore ? `${conditionsOf(query)}.${end}` : null };
}

/** Answers `GET /api/v2/sessions` from all rows, newest first: a page of sessions, or of workspaces with the first sessions of each. */
export function listSessionsV2(rows: readonly SessionRow[], query: SessionsV2Query): z.infer<typeof sessionsV2Schema> {
  const wanted = sorted(rows.filter((row) => isWanted(row, query)), query.sort);
  const hasGit = query.include === 'git';
  if (query.view === 'flat') {
    const { part, ...rest } = page(wanted, query);
    return { items: part.map((row) => toSession(row, hasGit)), ...rest };
  }
  const { part, ...rest } = page([...byWorkspace(wanted).values()], query);
  const toGroup = (group: readonly SessionRow[]) => ({ workspace: { id: group[0]?.workspaceId ?? '', cwd: group[0]?.cwd ?? null }, sessions: group.slice(0, query['group.page_size']).map((row) => toSession(row, hasGit)), total: group.length });
  return { groups: part.map(toGroup), ...rest };
}
