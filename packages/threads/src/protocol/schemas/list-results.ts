import { z } from 'zod';
import { type Thread, threadSchema } from '../../objects/thread.js';
import { cursorsShape, notYetIndexedSchema } from './parts.js';

/** What of a thread somebody has seen. No agent's file says, so nothing is ever unread. */
export const readStateSchema = z.object({
  firstUnread: z.union([z.null(), z.object({ type: z.literal('threadStart') }), z.object({ type: z.literal('turn'), turnId: z.string() })]), revision: z.string(),
});
export type ReadState = z.infer<typeof readStateSchema>;

/** `thread/list`; `readStates` by thread id. */
export const threadListResponseSchema = z.object({ data: z.array(threadSchema), readStates: z.record(z.string(), readStateSchema), ...cursorsShape });
export type ThreadListResponse = z.infer<typeof threadListResponseSchema>;

/** A thread in which the term stands, and the words around its first place. */
export const threadSearchHitSchema = z.object({ thread: threadSchema, snippet: z.string() });
export type ThreadSearchHit = z.infer<typeof threadSearchHitSchema>;
/** `thread/search`. */
export const threadSearchResponseSchema = z.object({ data: z.array(threadSearchHitSchema), ...cursorsShape });
export type ThreadSearchResponse = z.infer<typeof threadSearchResponseSchema>;

/** `thread/loaded/list`: thread ids. */
export const loadedListResponseSchema = z.object({ data: z.array(z.string()), nextCursor: z.string().nullable() });
export type LoadedListResponse = z.infer<typeof loadedListResponseSchema>;

/** Reading is not resuming: no thread is loaded. */
export const loadedListAnswer: LoadedListResponse = { data: [], nextCursor: null };

/** `thread/read`; the thread has turns only where they were asked for. */
export const threadReadResponseSchema = z.object({ thread: threadSchema, readState: readStateSchema.nullable(), notYetIndexed: notYetIndexedSchema.optional() });
export type ThreadReadResponse = z.infer<typeof threadReadResponseSchema>;

/** The read state of a thread that was never loaded; sub-agents have none. */
export function initialReadState({ id, source }: Pick<Thread, 'id' | 'source'>): ReadState | null {
  const isSubAgent = typeof source === 'object' && 'subAgent' in source;
  return isSubAgent ? null : { firstUnread: null, revision: `initial:${id}` };
}
