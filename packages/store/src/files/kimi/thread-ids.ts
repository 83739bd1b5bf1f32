import { MAIN_AGENT } from '@tapefold/tapes';
import { isUuid, uuidV5 } from '../derived-ids.js';

/** Who a thread of Kimi is: an agent of a session. `sessionId`: as the agent writes it; of one that is no UUID the folder as well, since only a UUID is one session's wherever it lies. */
export interface KimiThreadName {
  readonly sessionId: string;
  readonly agentId: string;
}

const prefixed = /^(?:session_|ses_)?(.+)$/;

/** The UUID of a session, in lower case: kimi-code writes it behind `session_`, behind `ses_` where it took the session over from kimi-cli, which writes it bare. Undefined where there is none. */
export function sessionUuid(sessionId: string): string | undefined {
  const bare = prefixed.exec(sessionId)?.[1] ?? '';
  return isUuid(bare) ? bare.toLowerCase() : undefined;
}

/** The id of a thread on the wire: for a session's main agent its own UUID; for every other name the UUID of version 5 over `kimi/<session>/<agent id>`. */
export function kimiThreadId({ sessionId, agentId }: KimiThreadName): string {
  return (agentId === MAIN_AGENT ? sessionUuid(sessionId) : undefined) ?? uuidV5(`kimi/${sessionId}/${agentId}`);
}
