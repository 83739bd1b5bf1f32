import { z } from 'zod';

/** A count as the original takes it: an unsigned 32-bit integer. */
export const u32 = z.uint32();
/** `asc` is oldest first. */
export const sortDirectionSchema = z.enum(['asc', 'desc']);
/** Absent, null or a text. */
export const optionalText = z.string().nullish();
/** What a list answers beside its rows. */
export const cursorsShape = { nextCursor: z.string().nullable(), backwardsCursor: z.string().nullable() };

/**
 * Ours: stands in answers about a thread that an index is kept of and does not have whole, so that the answer was made from the session file. Bytes of session
 * files: of how many rows were made, and how many there are.
 */
export const notYetIndexedSchema = z.object({ indexedBytes: z.number(), totalBytes: z.number() });
export type NotYetIndexed = z.infer<typeof notYetIndexedSchema>;
