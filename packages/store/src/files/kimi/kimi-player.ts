import { createKimiPlayer } from '@tapefold/dialects';
import type { JsonValue, Player } from '@tapefold/facts';
import { MAIN_AGENT } from '@tapefold/tapes';
import type { KimiFile } from './kimi-file.js';

/** A player for a log or a history: it is told the session's own id, for a sub-agent the agent's. */
export function kimiPlayer({ tape, name: { agentId, family }, sessionKey }: Pick<KimiFile, 'tape' | 'name' | 'sessionKey'>, checkpoint?: JsonValue): Player {
  return createKimiPlayer({ tape, family, namedThreadId: agentId === MAIN_AGENT ? sessionKey : agentId }, checkpoint);
}
