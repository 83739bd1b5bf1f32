import { claudeTape, createClaudePlayer } from '@tapefold/dialects';
import type { JsonValue, Player } from '@tapefold/facts';
import type { ClaudeTapeFile } from '@tapefold/tapes';
import { isUuid } from '../derived-ids.js';
import type { ShelfFile } from '../shelf.js';
import { claudeThreadId } from './thread-ids.js';

/** One line file of a Claude home, with the id that names its tape. */
export interface ClaudeFile extends ShelfFile {
  readonly name: ClaudeTapeFile['name'];
  /** The side tape of a sub-agent, where there is one. */
  readonly notePath: string | undefined;
  /** Names the session, or the one of a sub-agent: its UUID; of a file with another name the folder as well. Of a sub-agent of an old version only its lines say it. */
  readonly sessionKey: string | undefined;
  /** The public id of its thread, where name and place tell it. */
  readonly threadId: string | undefined;
}

/** Only a UUID is one session's wherever it lies. */
function sessionKeyOf({ name: { sessionId, kind }, path }: ClaudeTapeFile): string | undefined {
  if (sessionId === undefined || isUuid(sessionId)) return sessionId;
  const parts = path.split(/[\\/]/);
  const folder = kind === 'session' ? parts.at(-2) : parts[parts.lastIndexOf(sessionId) - 1];
  return `${folder ?? ''}/${sessionId}`;
}

/** A file of a home with the ids that its name and place tell; opens nothing. */
export function claudeFile(home: string, found: ClaudeTapeFile): ClaudeFile {
  const { name, path, notePath, sizeBytes, mtimeMs } = found;
  const sessionKey = sessionKeyOf(found);
  const agentId = name.kind === 'agent' ? name.agentId : undefined;
  const threadId = sessionKey === undefined ? undefined : claudeThreadId({ sessionId: sessionKey, agentId });
  // A sub-agent that lies beside the sessions: the folder tells it from a copy elsewhere.
  const place = sessionKey ?? path.split(/[\\/]/).at(-2) ?? '';
  return { path, shownPath: path, form: 'lines', isArchived: false, sizeBytes, mtimeMs, home, tape: claudeTape(agentId === undefined ? place : `${place}/${agentId}`), name, notePath, sessionKey, threadId };
}

/** A player for a file: it is told the session's UUID, or the agent's own id. */
export function playerOf({ tape, name, sessionKey }: Pick<ClaudeFile, 'tape' | 'name' | 'sessionKey'>, checkpoint?: JsonValue): Player {
  return createClaudePlayer({ tape, namedThreadId: name.kind === 'agent' ? name.agentId : claudeThreadId({ sessionId: sessionKey }) }, checkpoint);
}
