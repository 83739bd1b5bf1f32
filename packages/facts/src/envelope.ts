import { z } from 'zod';
import { factKeySchema, tapeIdSchema } from './keys.js';

/** Bytes of a tape, `offset` from its start; for a compressed file, of its plain content. A fact's line is without its newline: that may still be to come. */
export const lineSpanSchema = z.object({ offset: z.number().int().nonnegative(), length: z.number().int().nonnegative() });
export type LineSpan = z.infer<typeof lineSpanSchema>;

/** Way to a value inside a record: keys and indices from its root; `{json: true}` parses the string reached so far and goes on inside. */
export const recordPathSchema = z.array(z.union([z.string(), z.number(), z.object({ json: z.literal(true) })]));
export type RecordPath = z.infer<typeof recordPathSchema>;

/** A piece of a large text: verbatim, or one string inside a record of a line (`record`: which of several glued records), or the part of it from unit `from` to before `to`. */
export const largePieceSchema = z.union([
  z.object({ text: z.string() }),
  z.object({
    tape: tapeIdSchema, line: lineSpanSchema, record: z.number().int().nonnegative(), path: recordPathSchema, from: z.number().int().nonnegative().optional(),
    to: z.number().int().nonnegative().optional(),
  }),
]);
export type LargePiece = z.infer<typeof largePieceSchema>;

/**
 * Says that the string at `at` (keys and indices from the fact's root) stands in for a larger one: it shows head and tail, the pieces joined give the whole.
 * `sizeChars` counts UTF-16 units; `digest` is `contentDigest` of the whole and tells whether the tape was rewritten since.
 */
export const largeRefSchema = z.object({
  at: z.array(z.union([z.string(), z.number()])),
  pieces: z.array(largePieceSchema),
  sizeChars: z.number().int().nonnegative(),
  digest: z.string(),
});
export type LargeRef = z.infer<typeof largeRefSchema>;

/**
 * What every fact carries. `at` is ISO-8601 as the record says it and orders nothing. `turn` and `step` are keys of the facts that began them and stand
 * wherever they apply: nothing means "the current one". `call` is the native id that a call and its result share.
 */
export const envelopeShape = {
  tape: tapeIdSchema,
  ordinal: z.number().int().nonnegative(),
  line: lineSpanSchema,
  at: z.string().optional(),
  agent: z.string().optional(),
  turn: factKeySchema.optional(),
  step: factKeySchema.optional(),
  call: z.string().optional(),
  large: z.array(largeRefSchema).optional(),
};
/** The same as a schema, which each type of fact extends. */
export const envelopeSchema = z.object(envelopeShape);
export type Envelope = z.infer<typeof envelopeSchema>;

/** Decided by the player, once: `shown` to a person, `injected` context, `control` messages of the program, `metering`. */
export const visibilitySchema = z.enum(['shown', 'injected', 'control', 'metering']);
export type Visibility = z.infer<typeof visibilitySchema>;
