import type { ClaudeLineSign } from '@tapefold/dialects';
import type { ClaudeFile } from './claude-file.js';

const journalTypes = new Set(['started', 'result']);

/**
 * Why a file with the name of a session is none, as a sentence: nothing was said in it (claude-history §1). Undefined for a session, for a file whose
 * middle was not looked at, and for one in which lines cannot be read: nothing that may be a session is left out of a list.
 */
export function notSessionReason({ file, lines, isWhole }: { file: ClaudeFile; lines: readonly (readonly ClaudeLineSign[])[]; isWhole: boolean }): string | undefined {
  const signs = lines.flat();
  if (signs.some(({ isSpeech }) => isSpeech)) return undefined;
  if (signs.length > 0 && signs.every(({ type }) => journalTypes.has(type))) return 'It is the journal of a workflow (what was started, and what came of it): it is no session.';
  if (!isWhole || lines.some((records) => records.length === 0)) return undefined;
  if (file.sizeBytes === 0) return 'It is empty: a start that was given up, so it is no session.';
  if (signs.some(({ isSide }) => isSide)) return 'It holds lines of a sub-agent only: it is no session of its own, `tapefold list --all` shows the sub-agent.';
  return 'It holds nothing that anybody said (only summaries, queued prompts, settings and the like): a start that was given up, so it is no session.';
}
