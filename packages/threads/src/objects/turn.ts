import { z } from 'zod';
import { anyJsonSchema } from '../json.js';
import { threadItemSchema } from './thread-item.js';

/** Why a turn failed, in one word. */
export const errorCodeSchema = z.enum([
  'contextWindowExceeded', 'sessionBudgetExceeded', 'usageLimitExceeded', 'rateLimitExceeded', 'flexUnavailable', 'serverOverloaded', 'modelNotFound', 'policyCapacityUnavailable',
  'inferenceHookDenied', 'cyberPolicy', 'bioPolicy', 'misalignmentPolicyViolation', 'tooManyDenials', 'internalServerError', 'unauthorized', 'badRequest', 'threadRollbackFailed', 'sandboxError', 'other',
]);
const connection = z.object({ httpStatusCode: z.number().nullable() });

/** The machine-readable half of a turn's error: a word, or an object with one key and its details. */
export const codexErrorInfoSchema = z.union([
  errorCodeSchema,
  z.object({ httpConnectionFailed: connection }),
  z.object({ responseStreamConnectionFailed: connection }),
  z.object({ responseStreamDisconnected: connection }),
  z.object({ responseTooManyFailedAttempts: connection }),
  z.object({ activeTurnNotSteerable: z.object({ turnKind: z.enum(['review', 'compact']) }) }),
]);
export type CodexErrorInfo = z.infer<typeof codexErrorInfoSchema>;

/** Why a turn failed. A kind that the protocol does not know is `other`; null where the file names none. */
export const turnErrorObjectSchema = z.object({ message: z.string(), codexErrorInfo: codexErrorInfoSchema.nullable(), additionalDetails: z.string().nullable(), misalignment: anyJsonSchema.nullable() });
export type TurnErrorObject = z.infer<typeof turnErrorObjectSchema>;

/** How many of a turn's items an answer holds: none, the question and the final answer, or all. */
export const itemsViewSchema = z.enum(['notLoaded', 'summary', 'full']);
export type ItemsView = z.infer<typeof itemsViewSchema>;

/** One opening input and all that follows. `startedAt`, `completedAt`: Unix seconds. */
export const turnSchema = z.object({
  id: z.string(), rootTurnId: z.string().nullable(), items: z.array(threadItemSchema), itemsView: itemsViewSchema, status: z.enum(['completed', 'interrupted', 'failed', 'inProgress']),
  error: turnErrorObjectSchema.nullable(), startedAt: z.number().nullable(), completedAt: z.number().nullable(), durationMs: z.number().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;
