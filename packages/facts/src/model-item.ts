import { z } from 'zod';
import { contentPartSchema } from './content.js';
import { lineSpanSchema, recordPathSchema } from './envelope.js';
import { jsonValueSchema } from './json.js';
import { tapeIdSchema } from './keys.js';

/** What only a provider understands, untouched: the record itself, or (lines over 32 KiB) where it stands. */
export const nativeSchema = z.union([
  z.object({ dialect: z.string(), raw: jsonValueSchema }),
  z.object({ dialect: z.string(), span: z.object({ tape: tapeIdSchema, line: lineSpanSchema, record: z.number().int().nonnegative(), path: recordPathSchema }) }),
]);
export type Native = z.infer<typeof nativeSchema>;

const native = nativeSchema.optional();

/** One entry of the history that the model reads, neutral over providers. `native` renders it byte for byte where the provider is the same. */
export const modelItemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.array(contentPartSchema), visibility: z.enum(['shown', 'injected', 'control', 'metering']), native }),
  z.object({ kind: z.literal('agentMessage'), author: z.string(), recipient: z.string(), content: z.array(contentPartSchema), native }),
  z.object({ kind: z.literal('reasoning'), summary: z.array(z.string()), content: z.array(z.string()), isEncrypted: z.boolean(), native }),
  z.object({ kind: z.literal('call'), callId: z.string().optional(), name: z.string(), namespace: z.string().optional(), input: z.string(), form: z.enum(['json', 'text', 'server']), native }),
  z.object({ kind: z.literal('result'), callId: z.string().optional(), output: z.array(contentPartSchema), isError: z.boolean().optional(), native }),
  z.object({ kind: z.literal('media'), content: z.array(contentPartSchema), native }),
  z.object({ kind: z.literal('summary'), text: z.string(), native }),
  z.object({ kind: z.literal('compaction'), isEncrypted: z.boolean(), native }),
  z.object({ kind: z.literal('other'), type: z.string(), native }),
]);
export type ModelItem = z.infer<typeof modelItemSchema>;
