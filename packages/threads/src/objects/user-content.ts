import { z } from 'zod';

/** A marked range of a text, in UTF-8 bytes. The one snake_case key of the protocol is as it is on the wire. */
const textElement = z.object({ byteRange: z.object({ start: z.number(), end: z.number() }), placeholder: z.string().nullable() });

/** One part of a user message. `url` and `fileId`: one of the two. */
export const userContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), text_elements: z.array(textElement) }),
  z.object({ type: z.literal('image'), url: z.string().optional(), fileId: z.string().optional(), detail: z.string().nullable() }),
  z.object({ type: z.literal('localImage'), detail: z.string().nullable(), path: z.string() }),
  z.object({ type: z.literal('audio'), url: z.string().optional(), fileId: z.string().optional() }),
  z.object({ type: z.literal('localAudio'), path: z.string() }),
  z.object({ type: z.literal('skill'), name: z.string(), path: z.string() }),
  z.object({ type: z.literal('mention'), name: z.string(), path: z.string() }),
]);
export type UserContent = z.infer<typeof userContentSchema>;
