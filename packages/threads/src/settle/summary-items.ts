import type { ItemRow } from '../fold/row.js';

type Phase = 'commentary' | 'partialAnswer' | 'finalAnswer';

function phaseOf(row: ItemRow): Phase | undefined {
  return row.body.kind === 'agentMessage' ? row.body.phase : undefined;
}

/**
 * Paginated threads: the last message marked final, else, once a record ended the turn, the last without a mark. Legacy ones: the last of any kind
 * (`codex-history.md` §0.14).
 */
function finalMessage(messages: readonly ItemRow[], historyMode: 'legacy' | 'paginated', isEnded: boolean): ItemRow | undefined {
  if (historyMode === 'legacy') return messages.at(-1);
  const final = messages.filter((row) => phaseOf(row) === 'finalAnswer').at(-1);
  return final ?? (isEnded ? messages.filter((row) => phaseOf(row) === undefined).at(-1) : undefined);
}

/** What a summary of a turn holds: its first user message and its final agent message, in order. */
export function summaryItems(shown: readonly ItemRow[], historyMode: 'legacy' | 'paginated', isEnded: boolean): readonly ItemRow[] {
  const question = shown.find((row) => row.body.kind === 'input');
  const answer = finalMessage(shown.filter((row) => row.body.kind === 'agentMessage'), historyMode, isEnded);
  return shown.filter((row) => row === question || row === answer);
}
