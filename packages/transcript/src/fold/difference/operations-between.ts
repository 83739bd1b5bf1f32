import type { TranscriptItem } from '../../model/item.js';
import { itemId } from '../../model/item.js';
import type { AgentTranscriptSnapshot } from '../../model/snapshot.js';
import type { TranscriptOperation } from '../../operations/operation.js';
import { grown } from './grown.js';
import { itemDifference, itemsGone } from './item-difference.js';
import { metaDifference } from './meta-difference.js';

/** Calls of the turns that go, and with them what the person was asked about them. */
function callsOf(items: readonly TranscriptItem[]): ReadonlySet<string> {
  const calls = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'turn') continue;
    for (const { frames } of item.steps) for (const frame of frames) if (frame.kind === 'tool') calls.add(frame.toolCallId);
  }
  return calls;
}

/** The upserts of one kind of entity; undefined where one went, which no operation says. */
function upserts<T>(before: readonly T[], after: readonly T[], of: { readonly idOf: (entity: T) => string; readonly op: (entity: T) => TranscriptOperation }): readonly TranscriptOperation[] | undefined {
  return grown(before, after, of.idOf)?.map((changed) => of.op(changed.after));
}

/** `before` without what goes with its items. */
function withoutItems(before: AgentTranscriptSnapshot, gone: readonly TranscriptItem[]): AgentTranscriptSnapshot {
  if (gone.length === 0) return before;
  const calls = callsOf(gone);
  const ids = new Set(gone.map(itemId));
  return {
    ...before, items: before.items.filter((item) => !ids.has(itemId(item))), interactions: before.interactions.filter(({ toolCallId }) => toolCallId === undefined || !calls.has(toolCallId)),
  };
}

/** The parts in the order in which a reader takes them: what goes, the timeline, the entities, the meta. */
function parts(before: AgentTranscriptSnapshot, after: AgentTranscriptSnapshot): readonly (readonly TranscriptOperation[] | undefined)[] {
  const gone = itemsGone(before.items, after.items);
  const kept = withoutItems(before, gone);
  return [
    gone.length === 0 ? [] : [{ op: 'items.remove', ids: gone.map(itemId) }],
    itemDifference(kept.items, after.items),
    upserts(kept.tasks, after.tasks, { idOf: ({ taskId }) => taskId, op: (task) => ({ op: 'task.upsert', task }) }),
    upserts(kept.interactions, after.interactions, { idOf: ({ interactionId }) => interactionId, op: (interaction) => ({ op: 'interaction.upsert', interaction }) }),
    upserts(kept.attachments, after.attachments, { idOf: ({ attachmentId }) => attachmentId, op: (attachment) => ({ op: 'attachment.upsert', attachment }) }),
    upserts(kept.todos, after.todos, { idOf: ({ todoId }) => todoId, op: (todo) => ({ op: 'todo.upsert', todo }) }),
    upserts(kept.prompts, after.prompts, { idOf: ({ promptId }) => promptId, op: (prompt) => ({ op: 'prompt.upsert', prompt }) }),
    metaDifference(kept.meta, after.meta),
  ];
}

/**
 * The operations that turn one state of a transcript into another: removals and upserts of what changed, or one `reset` where these cannot say it (something
 * went that no operation removes, or stands elsewhere). Costs the size of both where they share nothing; parts that are the same object cost nothing.
 */
export function operationsBetween(before: AgentTranscriptSnapshot, after: AgentTranscriptSnapshot, agentId: string): readonly TranscriptOperation[] {
  const reset: TranscriptOperation = { op: 'reset', agentId, snapshot: after };
  if ((before.hasMoreOlder ?? false) !== (after.hasMoreOlder ?? false)) return [reset];
  const ops: TranscriptOperation[] = [];
  for (const part of parts(before, after)) {
    if (!part) return [reset];
    ops.push(...part);
  }
  return ops;
}
