import { z } from 'zod';
import { envelopeSchema, visibilitySchema } from '../envelope.js';
import { jsonValueSchema } from '../json.js';

/** Something the program told the person: a warning, an error that it retried, a skill, an interruption. `code` says which; `details` is its payload. */
const noticePosted = envelopeSchema.extend({
  type: z.literal('notice.posted'), level: z.enum(['info', 'warning', 'error']), code: z.string(), text: z.string(), details: jsonValueSchema.optional(), visibility: visibilitySchema.optional(),
});

/** Why a line, or a part of it, gives no record. `tornTail`: the last line stops in the middle, and may be whole when the file grows. */
export const damageReasonSchema = z.enum(['invalidJson', 'invalidUtf8', 'tooLong', 'tornTail', 'notAnObject', 'tooDeep']);
export type DamageReason = z.infer<typeof damageReasonSchema>;
/** What had to be overlooked to read a line all the same. `partOfLine`: what stands beside the records that were read is none. */
export const repairSchema = z.enum(['byteOrderMark', 'carriageReturn', 'gluedRecords', 'nulPadding', 'partOfLine']);
export type Repair = z.infer<typeof repairSchema>;

/** A record of a type, or with a shape, that this reader does not know. `why` says which. The record stays where `line` points. A torn tail is no fact: it may be whole later. */
const recordUnknown = envelopeSchema.extend({ type: z.literal('record.unknown'), recordType: z.string(), why: z.enum(['type', 'shape']), field: z.string().optional(), raw: jsonValueSchema.optional() });
/** `missing`: nothing of the record is left, only the number that it had (native tapes). */
const recordDamaged = envelopeSchema.extend({ type: z.literal('record.damaged'), reason: z.enum([...damageReasonSchema.exclude(['tornTail']).options, 'missing']), excerpt: z.string() });
const recordRepaired = envelopeSchema.extend({ type: z.literal('record.repaired'), repairs: z.array(repairSchema) });

/** Families `notice.*` and `record.*`. */
export const recordFactSchemas = [noticePosted, recordUnknown, recordDamaged, recordRepaired] as const;
