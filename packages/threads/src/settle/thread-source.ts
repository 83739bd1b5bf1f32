import { type ThreadOrigin, assertNever } from '@tapefold/facts';
import type { ThreadSource } from '../objects/thread.js';

type SubAgent = Extract<ThreadOrigin, { kind: 'subAgent' }>;

function spawned(spawn: NonNullable<SubAgent['spawn']>): ThreadSource {
  const { parentThreadId, depth, agentPath, nickname, agentRole } = spawn;
  return {
    subAgent: { thread_spawn: { parent_thread_id: parentThreadId, depth: depth ?? 1, agent_path: agentPath ?? null, agent_nickname: nickname ?? null, agent_role: agentRole ?? null } },
  };
}

function subAgent(origin: SubAgent): ThreadSource {
  switch (origin.role) {
    case 'review': case 'compact': return { subAgent: origin.role };
    case 'memoryConsolidation': return { subAgent: 'memory_consolidation' };
    case 'threadSpawn': return spawned(origin.spawn ?? { parentThreadId: '' });
    case 'other': return { subAgent: { other: origin.name ?? '' } };
    default: return assertNever(origin.role);
  }
}

/** Where a thread came from, in the protocol's words (`codex-history.md` §2.2, §6). The program's own internal threads are `unknown` to a client. */
export function threadSource(origin: ThreadOrigin): ThreadSource {
  switch (origin.kind) {
    case 'cli': case 'vscode': case 'exec': case 'appServer': case 'unknown': return origin.kind;
    case 'custom': return { custom: origin.name };
    case 'internal': return 'unknown';
    case 'subAgent': return subAgent(origin);
    default: return assertNever(origin);
  }
}
