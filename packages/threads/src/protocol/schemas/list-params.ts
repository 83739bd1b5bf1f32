import { z } from 'zod';
import { optionalText, sortDirectionSchema, u32 } from './parts.js';

/** Where a thread came from, as a filter names it. */
export const sourceKindSchema = z.enum(['cli', 'vscode', 'exec', 'appServer', 'subAgent', 'subAgentReview', 'subAgentCompact', 'subAgentThreadSpawn', 'subAgentOther', 'unknown']);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/** What lists are sorted by; `section_position` only with a section filter. */
export const threadSortKeySchema = z.enum(['created_at', 'updated_at', 'recency_at', 'section_position']);
export type ThreadSortKey = z.infer<typeof threadSortKeySchema>;

/**
 * `thread/list`. Absent or null: limit 25 (clamped to 1 to 100), newest first by creation, only the configured provider (`[]`: all), only threads of a
 * person's own programs (`sourceKinds`), not archived. `cwd`: exact; `[]` matches nothing. `searchTerm`: in the title or first message, case counts.
 */
export const threadListParamsSchema = z.object({
  cursor: optionalText, limit: u32.nullish(), sortKey: threadSortKeySchema.nullish(), sortDirection: sortDirectionSchema.nullish(), modelProviders: z.array(z.string()).nullish(),
  sourceKinds: z.array(sourceKindSchema).nullish(), archived: z.boolean().nullish(), cwd: z.union([z.string(), z.array(z.string())]).nullish(), searchTerm: optionalText,
  useStateDbOnly: z.boolean().optional(), includedThreadIds: z.array(z.string()).nullish(), excludedThreadIds: z.array(z.string()).nullish(), sectionId: optionalText,
  currentAccountOnly: z.boolean().nullish(), originators: z.array(z.string()).nullish(),
});
export type ThreadListParams = z.infer<typeof threadListParamsSchema>;

/** `thread/search`: threads in whose words the term stands, in any case. */
export const threadSearchParamsSchema = z.object({
  searchTerm: z.string(), cursor: optionalText, limit: u32.nullish(), sortKey: threadSortKeySchema.nullish(), sortDirection: sortDirectionSchema.nullish(),
  sourceKinds: z.array(sourceKindSchema).nullish(), archived: z.boolean().nullish(),
});
export type ThreadSearchParams = z.infer<typeof threadSearchParamsSchema>;

/** `thread/loaded/list`: nothing is ever loaded, so what is asked does not matter. */
export const loadedListParamsSchema = z.object({ cursor: optionalText, limit: u32.nullish() });
