import { z } from 'zod';

/**
 * What happened to an item where its public `status` has no word for it: `unknown` (it may have run; nothing says how it ended), or the end that
 * the status cannot name. Ours; absent where `status` says it all.
 */
export const itemOutcomeSchema = z.enum(['unknown', 'interrupted', 'declined', 'timedOut', 'cancelled', 'failed']);
export type ItemOutcome = z.infer<typeof itemOutcomeSchema>;

/** What every item ends with: Unix milliseconds, and our own outcome. */
export const itemTail = { startedAtMs: z.number().nullable(), completedAtMs: z.number().nullable(), outcome: itemOutcomeSchema.optional() };

/** Status of a call that a person can decline. */
export const declinableStatusSchema = z.enum(['inProgress', 'completed', 'failed', 'declined']);
export type DeclinableStatus = z.infer<typeof declinableStatusSchema>;

/** Status of a call that only ends well or badly. */
export const callStatusSchema = z.enum(['inProgress', 'completed', 'failed']);
export type CallStatus = z.infer<typeof callStatusSchema>;
