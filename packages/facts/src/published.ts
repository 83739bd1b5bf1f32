import { z } from 'zod';
import { factSchema } from './fact.js';
import { readJson } from './json-text.js';
import { factKeySchema } from './keys.js';
import { droppedTextSchema, textDeltaSchema } from './text-delta.js';

/** A spoken word as it is heard, a piece or (`isDone`) the whole. It is shown while it comes and kept nowhere. */
const captionSchema = z.object({ role: z.string().min(1), text: z.string(), isDone: z.boolean() });
export type Caption = Readonly<z.infer<typeof captionSchema>>;

/**
 * One thing that a recorder tells a server about its thread. `begin`: it starts to tell, with the fact of ordinal `from`; what was told before, of this thread, is over.
 * `fact`: the next one that is on its tape. `runs`: the turn that runs now (null: none), where facts do not say so: one that a killed recorder left open does not run.
 * `left`: it tells nothing more.
 */
export const publishedSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), from: z.number().int().nonnegative() }),
  z.object({ type: z.literal('fact'), fact: factSchema }),
  z.object({ type: z.literal('delta'), delta: textDeltaSchema }),
  z.object({ type: z.literal('dropped'), dropped: droppedTextSchema }),
  z.object({ type: z.literal('caption'), caption: captionSchema }),
  z.object({ type: z.literal('runs'), turn: factKeySchema.nullable() }),
  z.object({ type: z.literal('left') }),
]);
export type Published = z.infer<typeof publishedSchema>;

/** Why a line is not taken: the field (empty: the line as a whole), and what is the matter with it. */
export interface PublishedError {
  readonly path: string;
  readonly message: string;
}

/** Reads one line as it comes from another process. Never throws; strange fields are left out. */
export function decodePublished(text: string): { readonly published: Published; readonly error?: undefined } | { readonly error: PublishedError } {
  const { value, flaw } = readJson(text);
  if (flaw) return { error: { path: '', message: flaw === 'tooDeep' ? 'it nests too deep' : 'it is not JSON' } };
  const parsed = publishedSchema.safeParse(value);
  if (parsed.success) return { published: parsed.data };
  const [issue] = parsed.error.issues;
  return { error: { path: issue?.path.map(String).join('.') ?? '', message: issue?.message ?? 'it is nothing that a recorder tells' } };
}
