import { z } from 'zod';
import { parsedJson } from '../wire/json-text.js';
import type { Order } from '../../rows/order.js';
import { RpcError } from '../wire/rpc-error.js';

/** Kinds of timeline entries as numbers, in the order in which they stand at one position. */
export const TIMELINE_KIND = { turnStarted: 0, item: 1, realtime: 2, turnCompleted: 3 } as const;

/** Place of a timeline entry: entries are ordered by position, then kind, then id; `part` (ours) orders rows of one record. */
export interface TimelinePlace {
  readonly position: number;
  readonly part: Order;
  readonly kind: number;
  readonly id: string;
}

const timelineCursor = z.object({ threadId: z.string(), position: z.number().int().nonnegative(), part: z.array(z.number().int().nonnegative()).optional(), kind: z.number().int(), id: z.string() });

const isFirst = (part: Order): boolean => part.length === 1 && part[0] === 0;

/** Writes a timeline cursor; `part` only where a record has several rows, so that the others are the original's text. */
export function writeTimelineCursor(threadId: string, { position, part, kind, id }: TimelinePlace): string {
  return JSON.stringify({ threadId, position, ...(isFirst(part) ? {} : { part }), kind, id });
}

/** Reads a timeline cursor; garbage, and the cursor of another thread or method, is an `RpcError`. */
export function readTimelineCursor(threadId: string, text: string): TimelinePlace {
  const read = timelineCursor.safeParse(parsedJson(text));
  if (!read.success || read.data.threadId !== threadId) throw new RpcError('invalidCursor', { about: text });
  const { position, part = [0], kind, id } = read.data;
  return { position, part, kind, id };
}
