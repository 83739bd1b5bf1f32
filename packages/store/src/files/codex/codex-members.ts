import type { SessionMember } from '../../thread-source.js';
import type { ThreadFiles } from './codex-files.js';

/** Agents inside each other that are followed to their root; files may name each other in a circle. */
const DEPTH_LIMIT = 64;
const MAIN_AGENT = 'main';

/** The thread that started a sub-agent; undefined for a thread that nobody started. */
function parentOf({ threadId, newest: { head } }: ThreadFiles): string | undefined {
  const { identity } = head;
  if (identity?.origin.kind !== 'subAgent') return undefined;
  const parent = identity.origin.spawn?.parentThreadId ?? head.links.parent ?? identity.sessionId;
  return parent === threadId ? undefined : parent;
}

/** Which session each Codex thread is part of, as the heads of its files say: a sub-agent's id is its thread's. */
export class CodexMembers {
  readonly #all: () => readonly ThreadFiles[];
  #parents: ReadonlyMap<string, string | undefined> | undefined;

  constructor(all: () => readonly ThreadFiles[]) {
    this.#all = all;
  }

  memberOf(files: ThreadFiles): SessionMember {
    const parent = parentOf(files);
    if (parent === undefined) return { sessionId: files.threadId, agent: { agentId: MAIN_AGENT, type: 'main' } };
    const root = this.#rootOf(parent);
    const { identity, details: { agentNickname, agentRole } } = files.newest.head;
    const label = agentNickname ?? agentRole;
    return { sessionId: root, agent: { agentId: files.threadId, type: 'sub', parentAgentId: parent === root ? MAIN_AGENT : parent, ...(label === undefined ? {} : { label }), ...(identity?.createdAt === undefined ? {} : { createdAt: identity.createdAt }) } };
  }

  /** Looks at the heads of all files, and only where there are sub-agents. */
  #rootOf(threadId: string): string {
    this.#parents ??= new Map(this.#all().map((files) => [files.threadId, parentOf(files)]));
    let root = threadId;
    for (let depth = 0; depth < DEPTH_LIMIT; depth += 1) {
      const parent = this.#parents.get(root);
      if (parent === undefined) return root;
      root = parent;
    }
    return root;
  }
}
