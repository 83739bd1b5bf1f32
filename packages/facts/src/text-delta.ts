import { z } from 'zod';
import { factKeySchema } from './keys.js';

/** Accepts a delta as it comes from another process. */
export const textDeltaSchema = z.object({
  turn: factKeySchema,
  step: factKeySchema.optional(),
  item: z.string().min(1),
  kind: z.enum(['agentMessage', 'reasoning', 'call']),
  field: z.enum(['text', 'summary', 'content', 'input', 'output']),
  index: z.number().int().nonnegative().optional(),
  offset: z.number().int().nonnegative(),
  text: z.string(),
});

/**
 * Text that is still streaming, for whoever watches. It is no fact: it is never stored, and means nothing once a fact says the whole. `item`: the item's id inside its
 * turn, as its facts have it or will. `field`: which text grows, a message's, one part of a reasoning's (`index`), a call's input or its output. `offset` counts UTF-16
 * units of that text, so that a watcher appends where it fits and notices when it missed something. An item that has no fact yet is shown as running;
 * in a transcript only where its turn has a step, which an `item.started` opens, too.
 */
export type TextDelta = Readonly<z.infer<typeof textDeltaSchema>>;

/** Accepts what `DroppedText` says as it comes from another process. */
export const droppedTextSchema = z.object({ turn: factKeySchema, item: z.string().min(1) });

/** The text that was streamed under an id will never be complete: a failed attempt, which is made again. */
export type DroppedText = Readonly<z.infer<typeof droppedTextSchema>>;
