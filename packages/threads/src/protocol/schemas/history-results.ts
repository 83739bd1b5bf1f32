import { z } from 'zod';
import { threadItemSchema } from '../../objects/thread-item.js';
import { turnSchema } from '../../objects/turn.js';
import { cursorsShape, notYetIndexedSchema } from './parts.js';

const notYetIndexed = notYetIndexedSchema.optional();

/** `thread/turns/list`. */
export const turnsListResponseSchema = z.object({ data: z.array(turnSchema), ...cursorsShape, notYetIndexed });

/** An item beside its turn's id and its times; `outputDeferred` stands where the answer left its output out. */
export const threadItemEntrySchema = z.object({
  turnId: z.string(), item: threadItemSchema, outputDeferred: z.literal(true).optional(), startedAtMs: z.number().nullable(), completedAtMs: z.number().nullable(),
});
export type ThreadItemEntry = z.infer<typeof threadItemEntrySchema>;
/** `thread/items/list`. */
export const itemsListResponseSchema = z.object({ data: z.array(threadItemEntrySchema), ...cursorsShape, notYetIndexed });
/** `thread/items/read`: ids that the thread does not have are left out. */
export const itemsReadResponseSchema = z.object({ data: z.array(threadItemEntrySchema), notYetIndexed });

const { status, error, startedAt, completedAt, durationMs } = turnSchema.shape;
/** What happened in a thread, in order; `position` is the number of the record. */
export const timelineEntrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turnStarted'), position: z.number(), turnId: z.string(), startedAt }),
  z.object({ type: z.literal('item'), position: z.number(), turnId: z.string(), item: threadItemSchema }),
  z.object({ type: z.literal('realtime'), position: z.number(), item: z.object({ id: z.string(), realtimeSessionId: z.string().nullable(), type: z.string(), role: z.string().optional(), text: z.string().optional() }) }),
  z.object({ type: z.literal('turnCompleted'), position: z.number(), turnId: z.string(), status, error, startedAt, completedAt, durationMs }),
]);
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
/** `thread/timeline/list`: goes one way, so there is one cursor. */
export const timelineListResponseSchema = z.object({ data: z.array(timelineEntrySchema), nextCursor: z.string().nullable(), activeRealtimeSessionAtPageStart: z.string().nullable(), notYetIndexed });
export type TimelineListResponse = z.infer<typeof timelineListResponseSchema>;

/** One place where a term stands; offsets are UTF-16 units of the snippet. `turnCursor` opens `thread/turns/list` at the turn; null where no turn has the item. */
export const occurrenceSchema = z.object({
  turnId: z.string(), itemId: z.string(), snippet: z.string(), snippetMatchRange: z.object({ start: z.number(), end: z.number() }), turnCursor: z.string().nullable(),
});
export type Occurrence = z.infer<typeof occurrenceSchema>;
/** `thread/searchOccurrences`. */
export const searchOccurrencesResponseSchema = z.object({ data: z.array(occurrenceSchema), nextCursor: z.string().nullable(), notYetIndexed });
export type SearchOccurrencesResponse = z.infer<typeof searchOccurrencesResponseSchema>;
