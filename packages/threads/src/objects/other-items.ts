import { z } from 'zod';
import { anyJsonSchema } from '../json.js';
import { itemTail } from './item-parts.js';

const webAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('search'), query: z.string().nullable(), queries: z.array(z.string()).nullable() }),
  z.object({ type: z.literal('openPage'), url: z.string().nullable() }),
  z.object({ type: z.literal('findInPage'), url: z.string().nullable(), pattern: z.string().nullable() }),
  z.object({ type: z.literal('other') }),
]);
const webSearch = z.object({ type: z.literal('webSearch'), id: z.string(), query: z.string(), action: webAction.nullable(), results: anyJsonSchema.nullable(), ...itemTail });

const imageView = z.object({ type: z.literal('imageView'), id: z.string(), path: z.string(), ...itemTail });

/** `savedPath` and `inputImages` are left out where there are none; of `result` and `fileId` one stands. */
const imageGeneration = z.object({
  type: z.literal('imageGeneration'), id: z.string(), status: z.string(), revisedPrompt: z.string().nullable(), result: z.string().optional(), fileId: z.string().optional(),
  transparentBackground: z.boolean().nullable(), failure: anyJsonSchema.nullable(), savedPath: z.string().optional(), generationId: z.string().nullable(), inputImages: anyJsonSchema.optional(), ...itemTail,
});

const sleep = z.object({ type: z.literal('sleep'), id: z.string(), durationMs: z.number(), ...itemTail });
const enteredReviewMode = z.object({ type: z.literal('enteredReviewMode'), id: z.string(), review: z.string(), ...itemTail });
const exitedReviewMode = z.object({ type: z.literal('exitedReviewMode'), id: z.string(), review: z.string(), ...itemTail });
const contextCompaction = z.object({ type: z.literal('contextCompaction'), id: z.string(), ...itemTail });

/** The web, pictures, waiting, reviews, and the mark of a compaction. */
export const otherItemSchemas = [webSearch, imageView, imageGeneration, sleep, enteredReviewMode, exitedReviewMode, contextCompaction] as const;
