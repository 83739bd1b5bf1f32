import type { FactDraft, GitInfo, JsonObject, JsonValue, TapeIdentity, ThreadOrigin } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { type Shape, countAt, misfit, numberAt, objectAt, present, stringAt, wordIn } from '../shape.js';

/** A rollout's name for its tape: `codex/<rollout id>`. */
export const codexTape = (rolloutId: string): string => `codex/${rolloutId}`;

const metaShape: Shape = { id: 'string', timestamp: 'string', cwd: 'string', originator: 'string', cli_version: 'string', 'history_mode?': ['legacy', 'paginated'] };

/** Why the original program could not read this `session_meta`, as the first field that is wrong; undefined where it could. */
export function unreadableMetaField(meta: JsonObject): string | undefined {
  return misfit(meta, metaShape);
}

const plainSources: Readonly<Record<string, ThreadOrigin>> = {
  cli: { kind: 'cli' }, vscode: { kind: 'vscode' }, exec: { kind: 'exec' }, mcp: { kind: 'appServer' }, appServer: { kind: 'appServer' }, unknown: { kind: 'unknown' },
};
const subAgentRoles: Readonly<Record<string, 'review' | 'compact' | 'memoryConsolidation'>> = { review: 'review', compact: 'compact', memory_consolidation: 'memoryConsolidation' };

function subAgentOrigin(value: JsonValue): ThreadOrigin {
  if (typeof value === 'string') return { kind: 'subAgent', role: wordIn(subAgentRoles, value) ?? 'other', ...(wordIn(subAgentRoles, value) ? {} : { name: value }) };
  const spawn = isJsonObject(value) ? objectAt(value, 'thread_spawn') : undefined;
  if (!spawn) return { kind: 'subAgent', role: 'other', name: isJsonObject(value) ? stringAt(value, 'other') ?? '' : '' };
  return {
    kind: 'subAgent', role: 'threadSpawn',
    spawn: present({
      parentThreadId: stringAt(spawn, 'parent_thread_id') ?? '', depth: numberAt(spawn, 'depth'), agentPath: stringAt(spawn, 'agent_path'),
      nickname: stringAt(spawn, 'agent_nickname'), agentRole: stringAt(spawn, 'agent_role'),
    }),
  };
}

/** `source` of a rollout: a missing one reads as vscode, as the original program takes it. */
export function originOf(source: JsonValue | undefined): ThreadOrigin {
  if (source === undefined || source === null) return { kind: 'vscode' };
  if (typeof source === 'string') return wordIn(plainSources, source) ?? { kind: 'custom', name: source };
  if (!isJsonObject(source)) return { kind: 'unknown' };
  if (source['subagent'] !== undefined) return subAgentOrigin(source['subagent']);
  const internal = stringAt(source, 'internal');
  if (internal !== undefined) return { kind: 'internal', name: internal };
  return { kind: 'custom', name: stringAt(source, 'custom') ?? '' };
}

function gitOf(meta: JsonObject): GitInfo | undefined {
  const git = objectAt(meta, 'git');
  const info = present({ sha: stringAt(git ?? {}, 'commit_hash'), branch: stringAt(git ?? {}, 'branch'), originUrl: stringAt(git ?? {}, 'repository_url') });
  return Object.keys(info).length ? info : undefined;
}

/** The first `session_meta` of a tape: who the thread is. The id in it beats the one in the file's name. */
export function openedThread(meta: JsonObject, named: TapeIdentity): Extract<FactDraft, { type: 'thread.opened' }> {
  const threadId = stringAt(meta, 'id') ?? named.namedThreadId ?? '';
  return present({
    type: 'thread.opened' as const, threadId, sessionId: stringAt(meta, 'session_id') ?? threadId, program: 'codex' as const, programVersion: stringAt(meta, 'cli_version'),
    originator: stringAt(meta, 'originator'), createdAt: stringAt(meta, 'timestamp') ?? named.namedCreatedAt, origin: originOf(meta['source']),
    historyMode: stringAt(meta, 'history_mode') === 'paginated' ? ('paginated' as const) : ('legacy' as const), threadSource: meta['thread_source'] ?? undefined,
    ownHistoryFrom: numberAt(meta, 'subagent_history_start_ordinal'),
    details: present({
      cwd: stringAt(meta, 'cwd'), modelProvider: stringAt(meta, 'model_provider'), git: gitOf(meta), agentNickname: stringAt(meta, 'agent_nickname'), agentRole: stringAt(meta, 'agent_role'),
    }),
  });
}

/** What else a `session_meta` says: where the history goes on from, and which threads this one belongs to. */
export function threadLinks(meta: JsonObject): FactDraft[] {
  const drafts: FactDraft[] = [];
  const base = objectAt(meta, 'history_base');
  const baseId = base && stringAt(base, 'thread_id');
  const forkedFrom = stringAt(meta, 'forked_from_id');
  if (base && baseId !== undefined) {
    const cut = present({ tape: codexTape(baseId), endOffset: countAt(base, 'end_byte_offset'), endOrdinal: countAt(base, 'end_ordinal_exclusive') });
    drafts.push({ type: 'thread.based', base: cut, reason: forkedFrom === undefined ? 'revert' : 'fork' });
  }
  const link = (relation: 'forkOf' | 'parent' | 'attachedTo', threadId: string | undefined): void => {
    if (threadId !== undefined) drafts.push({ type: 'thread.linked', relation, threadId });
  };
  link('forkOf', forkedFrom);
  link('parent', stringAt(meta, 'parent_thread_id'));
  link('attachedTo', stringAt(objectAt(meta, 'attached_thread') ?? {}, 'thread_id') ?? stringAt(meta, 'attached_thread'));
  return drafts;
}
