import type { SessionAgent, SessionAgents } from '../thread-source.js';
import { stampOf } from './opened-threads.js';
import type { ShelfThread } from './shelf.js';

const MAIN = 'main';

function byMaking(a: ShelfThread, b: ShelfThread): number {
  const [left, right] = [a.member().agent.createdAt ?? '', b.member().agent.createdAt ?? ''];
  return left === right ? 0 : left < right ? -1 : 1;
}

function agentOf(thread: ShelfThread): SessionAgent {
  const { segments } = thread.segments();
  return { ...thread.member(), threadId: thread.threadId, stamp: stampOf(segments), sizeBytes: segments.reduce((sum, { file }) => sum + file.sizeBytes, 0) };
}

/** The session of a thread. */
export function sessionAgents(thread: ShelfThread): SessionAgents {
  const { sessionId, agent: { agentId: named } } = thread.member();
  const found = thread.shelf.threadsOfSession(sessionId);
  const members = found.some(({ threadId }) => threadId === thread.threadId) ? found : [...found, thread];
  const isRoot = (each: ShelfThread): boolean => each.member().agent.agentId === MAIN;
  const ordered = [...members.filter(isRoot), ...members.filter((each) => !isRoot(each)).sort(byMaking)];
  return { program: thread.shelf.program, sessionId, named, agents: ordered.map(agentOf) };
}
