import { isUuid, uuidV5 } from '../derived-ids.js';

/** Who a thread of Claude Code is: a session by its file's name, or an agent of a session. */
export interface ClaudeThreadName {
  readonly sessionId: string | undefined;
  readonly agentId?: string | undefined;
}

/** The id of a thread on the wire: a session's own UUID; for every other name the UUID of version 5 over `claude/<session>[/<agent id>]`. */
export function claudeThreadId({ sessionId, agentId }: ClaudeThreadName): string {
  if (agentId === undefined && sessionId !== undefined && isUuid(sessionId)) return sessionId.toLowerCase();
  return uuidV5(['claude', sessionId, agentId].filter((part) => part !== undefined).join('/'));
}
