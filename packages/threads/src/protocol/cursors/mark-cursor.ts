import { z } from 'zod';
import type { RecordMark } from '../answers/record-index.js';
import { parsedJson } from '../wire/json-text.js';

/** An anchor by the bytes of its record: cursors of pages that were read from the end of a large file. Ours; the original has none. */
export interface MarkAnchor {
  readonly mark: RecordMark;
  readonly includeAnchor: boolean;
}

const markCursor = z.object({
  requestedThreadId: z.string(), mark: z.object({ tape: z.string(), offset: z.number().int().nonnegative() }), includeAnchor: z.boolean(), scope: z.object({ kind: z.literal('turns') }),
});

/** Writes a cursor that names bytes; it stays good while the file only grows. */
export function writeMarkCursor(threadId: string, { mark: { tape, offset }, includeAnchor }: MarkAnchor): string {
  return JSON.stringify({ requestedThreadId: threadId, mark: { tape, offset }, includeAnchor, scope: { kind: 'turns' } });
}

/** Reads such a cursor of this thread; undefined where the text is another sort of cursor, or none. */
export function readMarkCursor(threadId: string, text: string): MarkAnchor | undefined {
  const read = markCursor.safeParse(parsedJson(text));
  return read.success && read.data.requestedThreadId === threadId ? read.data : undefined;
}
