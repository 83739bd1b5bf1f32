import { claudeTape, createClaudePlayer } from '@tapefold/dialects';
import type { Player } from '@tapefold/facts';
import type { ClaudeTapeFile } from '@tapefold/tapes';
import type { ShelfFile } from '../shelf.js';
import { claudeThreadId } from './thread-ids.js';

/** One line file of a Claude home, with the id that names its tape. */
export interface ClaudeFile extends ShelfFile {
  readonly name: ClaudeTapeFile['name'];
  /** The side tape of a sub-agent, where there is one. */
  readonly notePath: string | undefined;
  /** The public id of its thread; of a sub-agent of an old version its lines say the session, so there is none yet. */
  readonly threadId: string | undefined;
}

function nativeName({ name, path }: ClaudeTapeFile): string {
  if (name.kind === 'session') return name.sessionId;
  // Sub-agents that lie beside the sessions: agents of two sessions have never one id, but copies of folders have.
  return name.sessionId === undefined ? `${path.split(/[\\/]/).at(-2) ?? ''}/${name.agentId}` : `${name.sessionId}/${name.agentId}`;
}

export function claudeFile(home: string, found: ClaudeTapeFile): ClaudeFile {
  const { name, path, sizeBytes, mtimeMs } = found;
  const hasId = name.kind === 'session' || name.sessionId !== undefined;
  return {
    path, shownPath: path, form: 'lines', isArchived: false, sizeBytes, mtimeMs, home, tape: claudeTape(nativeName(found)), name, notePath: found.notePath, threadId: hasId ? claudeThreadId(name) : undefined,
  };
}

/** A player for a file: it is told the session's UUID, or the agent's own id. */
export function playerOf({ tape, name }: Pick<ClaudeFile, 'tape' | 'name'>): Player {
  return createClaudePlayer({ tape, namedThreadId: name.kind === 'agent' ? name.agentId : claudeThreadId(name) });
}
