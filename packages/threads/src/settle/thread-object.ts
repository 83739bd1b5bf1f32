import type { GitInfo, ThreadDetails, ThreadOrigin } from '@tapefold/facts';
import type { ThreadHead } from '../fold/thread-head.js';
import type { Thread, ThreadStatus } from '../objects/thread.js';
import { threadSource } from './thread-source.js';
import { unixSeconds } from './unix-time.js';

/** What of a thread no tape says: where its file is, when that changed, whether it runs. `name`: from a names index, where that says one. */
export interface ThreadFacets {
  readonly path: string | null;
  readonly updatedAtMs: number;
  readonly recencyAtMs: number | null;
  readonly status: ThreadStatus;
  readonly name?: string | null | undefined;
  /** Stands where no record names a provider; `openai` where absent. */
  readonly defaultModelProvider?: string | undefined;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

function gitInfo(git: GitInfo): Thread['gitInfo'] {
  return { sha: git.sha ?? null, branch: git.branch ?? null, originUrl: git.originUrl ?? null };
}

function spawnOf(origin: ThreadOrigin | undefined): Extract<ThreadOrigin, { kind: 'subAgent' }>['spawn'] {
  return origin?.kind === 'subAgent' ? origin.spawn : undefined;
}

/** What records say of the thread: names, model, folder. */
function described(details: ThreadDetails, facets: ThreadFacets): Pick<Thread, 'preview' | 'modelProvider' | 'model' | 'reasoningEffort' | 'cwd' | 'gitInfo' | 'name'> {
  return {
    preview: details.firstPrompt ?? details.goal ?? '', modelProvider: details.modelProvider ?? facets.defaultModelProvider ?? 'openai', model: details.model ?? null,
    reasoningEffort: details.effort ?? null, cwd: details.cwd ?? '', gitInfo: details.git ? gitInfo(details.git) : null, name: facets.name ?? details.name ?? null,
  };
}

/** Who the thread is and which threads it belongs to. */
function identified({ identity, links, details }: ThreadHead): Pick<Thread, 'id' | 'sessionId' | 'forkedFromId' | 'attachedToThreadId' | 'parentThreadId' | 'historyMode' | 'cliVersion' | 'originator' | 'source' | 'threadSource' | 'agentNickname' | 'agentRole'> {
  const spawn = spawnOf(identity?.origin);
  return {
    id: identity?.threadId ?? '', sessionId: identity?.threadId ?? '', forkedFromId: links.forkOf ?? null, attachedToThreadId: links.attachedTo ?? null,
    parentThreadId: links.parent ?? spawn?.parentThreadId ?? null, historyMode: identity?.historyMode ?? 'legacy', cliVersion: identity?.programVersion ?? '', originator: identity?.originator ?? '',
    source: identity ? threadSource(identity.origin) : 'unknown', threadSource: identity?.threadSource ?? null, agentNickname: details.agentNickname ?? spawn?.nickname ?? null,
    agentRole: details.agentRole ?? spawn?.agentRole ?? null,
  };
}

/** The public object of a thread, without turns. Pure; every nullable key stands. */
export function threadObject(head: ThreadHead, facets: ThreadFacets): Thread {
  return {
    ...identified(head), ...described(head.details, facets), environments: null, extra: null, ephemeral: false, section: null, sectionEnteredAt: null, projectId: null,
    createdAt: unixSeconds(head.identity?.createdAt) ?? seconds(facets.updatedAtMs), updatedAt: seconds(facets.updatedAtMs), recencyAt: facets.recencyAtMs === null ? null : seconds(facets.recencyAtMs),
    status: facets.status, path: facets.path, canAcceptDirectInput: null, daybreakEnabled: null, turns: [],
  };
}

/** What a running thread waits for, as its open interactions say: approvals, and answers to questions. */
export function activeStatus(head: ThreadHead): ThreadStatus {
  const kinds = new Set(Object.values(head.openInteractions).filter((open) => !open.isSuperseded).map(({ kind }) => kind));
  const isAsking = kinds.has('question') || kinds.has('tool');
  return { type: 'active', activeFlags: [...(kinds.has('approval') ? ['waitingOnApproval' as const] : []), ...(isAsking ? ['waitingOnUserInput' as const] : [])] };
}
