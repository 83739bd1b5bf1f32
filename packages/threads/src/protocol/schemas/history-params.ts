import { z } from 'zod';
import { itemsViewSchema } from '../../objects/turn.js';
import { optionalText, sortDirectionSchema, u32 } from './parts.js';

/** An addition to the protocol, in every call for a part of a thread: as it was right behind the fact at this position. Absent or null: as it is. */
const asOf = u32.nullish();

/** `thread/read`: the thread, with all its turns where asked for. */
export const threadReadParamsSchema = z.object({ threadId: z.string(), includeTurns: z.boolean().optional(), asOf });
export type ThreadReadParams = z.infer<typeof threadReadParamsSchema>;

/** `thread/turns/list`. Absent or null: 25 (clamped to 1 to 100), newest first, summaries. */
export const turnsListParamsSchema = z.object({
  threadId: z.string(), cursor: optionalText, limit: u32.nullish(), sortDirection: sortDirectionSchema.nullish(), itemsView: itemsViewSchema.nullish(), asOf,
});
export type TurnsListParams = z.infer<typeof turnsListParamsSchema>;

/** Outputs that an answer leaves out of calls that went well; counts only where one turn is asked for. */
export const deferOutputSchema = z.object({ commandExecution: z.boolean().optional(), mcpToolCall: z.boolean().optional() });
export type DeferOutput = z.infer<typeof deferOutputSchema>;

/** `thread/items/list`. Absent or null: 25 (clamped to 1 to 100), oldest first, of all turns. An item as cursor needs its turn. */
export const itemsListParamsSchema = z.object({
  threadId: z.string(), turnId: optionalText, cursor: z.union([z.string(), z.object({ type: z.literal('item'), itemId: z.string() })]).nullish(), limit: u32.nullish(),
  sortDirection: sortDirectionSchema.nullish(), deferOutput: deferOutputSchema.nullish(), asOf,
});
export type ItemsListParams = z.infer<typeof itemsListParamsSchema>;

/** `thread/items/read`: 1 to 100 items of one turn by their ids. */
export const itemsReadParamsSchema = z.object({ threadId: z.string(), turnId: z.string(), itemIds: z.array(z.string()), asOf });
export type ItemsReadParams = z.infer<typeof itemsReadParamsSchema>;

/** `thread/timeline/list`: always from the newest page to the oldest. */
export const timelineListParamsSchema = z.object({ threadId: z.string(), cursor: optionalText, limit: u32.nullish(), asOf });
export type TimelineListParams = z.infer<typeof timelineListParamsSchema>;

/** `thread/searchOccurrences`: a literal term, in any case. */
export const searchOccurrencesParamsSchema = z.object({ threadId: z.string(), searchTerm: z.string(), cursor: optionalText, limit: u32.nullish(), asOf });
export type SearchOccurrencesParams = z.infer<typeof searchOccurrencesParamsSchema>;
