import type { TranscriptItem } from '../model/item.js';
import { itemId } from '../model/item.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { TranscriptOperation } from '../operations/operation.js';
import { isSameValue } from '../state/same-value.js';

/** Calls of the turns that go, and with them what the person was asked about them. */
function callsOf(items: readonly TranscriptItem[]): ReadonlySet<string> {
  const calls = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'turn') continue;
    for (const { frames } of item.steps) for (const frame of frames) if (frame.kind === 'tool') calls.add(frame.toolCallId);
  }
  return calls;
}

/** What a reader that holds `before` gets when the end of its timeline goes; undefined where more than that changed. */
function removal(before: AgentTranscriptSnapshot, after: AgentTranscriptSnapshot): TranscriptOperation[] | undefined {
  const kept = after.items.length;
  if (kept > before.items.length || !isSameValue(before.items.slice(0, kept), after.items)) return undefined;
  const gone = before.items.slice(kept);
  const calls = callsOf(gone);
  const interactions = before.interactions.filter(({ toolCallId }) => toolCallId === undefined || !calls.has(toolCallId));
  const isRest = isSameValue({ ...before, items: [], interactions }, { ...after, items: [] });
  return isRest ? [{ op: 'items.remove', ids: gone.map(itemId) }] : undefined;
}

/**
 * The operations that turn one state of a transcript into another after its history changed: none, the removal of what was last, or one `reset`.
 * Costs the size of both.
 */
export function operationsBetween(before: AgentTranscriptSnapshot, after: AgentTranscriptSnapshot, agentId: string): readonly TranscriptOperation[] {
  if (isSameValue(before, after)) return [];
  return removal(before, after) ?? [{ op: 'reset', agentId, snapshot: after }];
}
