import type { JsonObject } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';

/*
 * Two programs call themselves Kimi and both write `protocol_version` into their logs, with unrelated meaning: the shape of the records tells them apart,
 * never the number.
 */

/** Which program wrote a log: kimi-code (TypeScript, `~/.kimi-code`) or kimi-cli (Python, `~/.kimi`). */
export type KimiFamily = 'code' | 'cli';

/** Types of kimi-code have a family before a dot; `forked` is of before that. */
const codeType = /^[a-z_]+(?:\.[a-z_]+)+$|^forked$/;

/** The family that one record tells; undefined where it does not. A whole log is of one family, so the first record that tells decides. Never throws. */
export function kimiFamilyOf(record: JsonObject): KimiFamily | undefined {
  const { type, message, role } = record;
  if (type === 'metadata') return typeof record['created_at'] === 'number' ? 'code' : typeof record['protocol_version'] === 'string' ? 'cli' : undefined;
  if (typeof type === 'string') return codeType.test(type) ? 'code' : undefined;
  if (isJsonObject(message)) return typeof message['type'] === 'string' && record['timestamp'] !== undefined ? 'cli' : undefined;
  return typeof role === 'string' ? 'cli' : undefined;
}

/** The agent of a session that a person speaks to. */
export const MAIN_AGENT = 'main';

/** Names the tape of one agent of a session: `kimi/<session>` for the main one, `kimi/<session>/<agent>` for the others. */
export function kimiTape(sessionId: string, agentId: string = MAIN_AGENT): string {
  return agentId === MAIN_AGENT ? `kimi/${sessionId}` : `kimi/${sessionId}/${agentId}`;
}

/** The session and agent that a tape's name says; both as in `kimiTape`. */
export function kimiTapeParts(tape: string): { readonly sessionId: string; readonly agentId: string } {
  const [, sessionId = '', agentId = MAIN_AGENT] = tape.split('/');
  return { sessionId, agentId };
}
