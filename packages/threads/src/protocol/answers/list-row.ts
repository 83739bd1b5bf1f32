import { assertNever } from '@tapefold/facts';
import type { Thread } from '../../objects/thread.js';
import type { SourceKind, ThreadSortKey } from '../schemas/list-params.js';

/** A thread as lists know it: without turns. A store's summaries are such rows. */
export interface ListRow {
  readonly thread: Thread;
  readonly isArchived: boolean;
  /** Whether its provider is the one that its home is configured with. */
  readonly isConfiguredProvider: boolean;
}

/**
 * A thread as `thread/list` and `thread/search` show it: the original lists from its index, which knows nothing of the links that a file's head names
 * (`codex-history.md` §0.10).
 */
export function listedThread(thread: Thread): Thread {
  return { ...thread, forkedFromId: null, parentThreadId: null, threadSource: null };
}

/** A thread as `thread/read` shows it without turns: of a legacy one the original says the time of creation, and not what started it. */
export function bareThread(thread: Thread): Thread {
  return thread.historyMode === 'legacy' ? { ...thread, updatedAt: thread.createdAt, threadSource: null } : thread;
}

/** Programs that people work in directly; the customs are the original's. */
function isInteractive({ source }: Thread): boolean {
  return source === 'cli' || source === 'vscode' || (typeof source === 'object' && 'custom' in source && (source.custom === 'atlas' || source.custom === 'chatgpt'));
}

function subAgentOf({ source }: Thread): string | object | undefined {
  return typeof source === 'object' && 'subAgent' in source ? source.subAgent : undefined;
}

function isOfKind(thread: Thread, kind: SourceKind): boolean {
  const subAgent = subAgentOf(thread);
  switch (kind) {
    case 'cli': case 'vscode': case 'exec': case 'appServer': case 'unknown': return thread.source === kind;
    case 'subAgent': return subAgent !== undefined;
    case 'subAgentReview': return subAgent === 'review';
    case 'subAgentCompact': return subAgent === 'compact';
    case 'subAgentThreadSpawn': return typeof subAgent === 'object' && 'thread_spawn' in subAgent;
    case 'subAgentOther': return typeof subAgent === 'object' && 'other' in subAgent;
    default: return assertNever(kind);
  }
}

/** Whether a thread came from one of the kinds; absent or empty: from a program that people work in directly. */
export function isFrom(thread: Thread, kinds: readonly SourceKind[] | null | undefined): boolean {
  return kinds?.length ? kinds.some((kind) => isOfKind(thread, kind)) : isInteractive(thread);
}

/** The time that a list goes by, Unix ms. */
export function timeMsOf(thread: Thread, sortKey: ThreadSortKey): number {
  switch (sortKey) {
    case 'created_at': return thread.createdAt * 1000;
    case 'updated_at': case 'section_position': return thread.updatedAt * 1000;
    case 'recency_at': return (thread.recencyAt ?? thread.updatedAt) * 1000;
    default: return assertNever(sortKey);
  }
}
