import { z } from 'zod';
import { jsonValueSchema } from './json.js';

/** A marked range of a text that a client shows as something else; offsets are UTF-8 bytes, as Codex records them. */
export const textElementSchema = z.object({ byteStart: z.number(), byteEnd: z.number(), placeholder: z.string().nullable() });
export type TextElement = z.infer<typeof textElementSchema>;

/** Where the bytes of an image, audio or file are. `url` may be a data URL. */
export const mediaSourceSchema = z.object({ url: z.string().optional(), path: z.string().optional(), fileId: z.string().optional(), sessionFileId: z.string().optional() });
export type MediaSource = z.infer<typeof mediaSourceSchema>;

const media = { source: mediaSourceSchema, mediaType: z.string().optional(), name: z.string().optional(), sizeBytes: z.number().optional(), isUnlisted: z.boolean().optional() };

/** One part of what a person, a hook or a tool put in. `other` keeps parts of tomorrow as they are. `isUnlisted`: the program that wrote it lists no attachment for it. */
export const contentPartSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), elements: z.array(textElementSchema).optional() }),
  z.object({ kind: z.literal('image'), ...media, detail: z.string().optional() }),
  z.object({ kind: z.literal('audio'), ...media }),
  z.object({ kind: z.literal('video'), ...media }),
  z.object({ kind: z.literal('file'), ...media }),
  z.object({ kind: z.literal('skill'), name: z.string(), path: z.string() }),
  z.object({ kind: z.literal('mention'), name: z.string(), path: z.string() }),
  z.object({ kind: z.literal('encrypted'), data: z.string() }),
  z.object({ kind: z.literal('other'), raw: jsonValueSchema }),
]);
export type ContentPart = z.infer<typeof contentPartSchema>;

/** The texts of the parts, concatenated without separator. */
export function textOfParts(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
