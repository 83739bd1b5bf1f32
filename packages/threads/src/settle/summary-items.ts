import type { ItemRow } from '../fold/row.js';

type Phase = 'commentary' | 'partialAnswer' | 'finalAnswer';

function phaseOf(row: ItemRow): Phase | undefined {
  return row.body.kind === 'agentMessage' ? row.body.phase : undefined;
}

/**
 * Paginated threads: the last message marked final, else the last without a mark before the record that ended the turn. Legacy ones: the last of any kind
 * (`codex-history.md` §0.14).
 */
function finalMessage(messages: readonly ItemRow[], historyMode: 'legacy' | 'paginated', endedAt: number | undefined): ItemRow | undefined {
  if (historyMode === 'legacy') return messages.at(-1);
  const final = messages.filter((row) => phaseOf(row) === 'finalAnswer').at(-1);
  const isOfEnd = (row: ItemRow): boolean => endedAt !== undefined && row.position < endedAt && phaseOf(row) === undefined;
  return final ?? messages.filter(isOfEnd).at(-1);
}

/** What a summary of a turn holds: its first user message and its final agent message, in order. `endedAt`: the position of the turn's end. What we add to the original's items never counts. */
export function summaryItems(shown: readonly ItemRow[], historyMode: 'legacy' | 'paginated', endedAt: number | undefined): readonly ItemRow[] {
  const counted = shown.filter((row) => !row.isAdded);
  const question = counted.find((row) => row.body.kind === 'input');
  const answer = finalMessage(counted.filter((row) => row.body.kind === 'agentMessage'), historyMode, endedAt);
  return shown.filter((row) => row === question || row === answer);
}
