import { z } from 'zod';
import { parsedJson } from '../wire/json-text.js';
import { RpcError } from '../wire/rpc-error.js';
import type { Anchor } from '../answers/keyset.js';

/**
 * Cursors of one thread's history are JSON text, as the original's: thread and scope stand in it and are checked, so that a cursor of another thread or
 * method is refused. `rolloutOrdinal` is the number of the anchor row's record. `part` is ours: the place inside that record, where another row has
 * the same record; `match`, which occurrence of a search term.
 */
const scopes = { turns: 'turns', items: 'itemsByCreatedAtOrdinal', occurrences: 'occurrences' } as const;
/** Which list a cursor goes through; cursors of one list are refused by the others. */
export type HistoryScopeName = keyof typeof scopes;

const count = z.number().int().nonnegative();
const place = z.array(count);
const ordinalCursor = z.object({
  requestedThreadId: z.string(), rolloutOrdinal: count, part: place.optional(), match: count.optional(), includeAnchor: z.boolean(), scope: z.object({ kind: z.string() }),
});
const turnCursor = z.object({ turnId: z.string(), includeAnchor: z.boolean(), rolloutOrdinal: count.optional() });

/** Anchor of a search for occurrences: `match` counts those of one item, from 0. */
export interface OccurrenceAnchor extends Anchor {
  readonly match: number;
}

/** What a cursor belongs to. */
export interface CursorScope {
  readonly threadId: string;
  readonly scope: HistoryScopeName;
}

/** Writes a cursor that anchors at a record. */
export function writeOrdinalCursor({ threadId, scope }: CursorScope, anchor: Anchor & { readonly match?: number | undefined }): string {
  const { ordinal, part, match, includeAnchor } = anchor;
  const more = { ...(part === undefined ? {} : { part }), ...(match === undefined ? {} : { match }) };
  return JSON.stringify({ requestedThreadId: threadId, rolloutOrdinal: ordinal, ...more, includeAnchor, scope: { kind: scopes[scope] } });
}

/** Reads a cursor that anchors at a record; garbage, and the cursor of another thread or method, is an `RpcError`. */
export function readOrdinalCursor({ threadId, scope }: CursorScope, text: string): Anchor & { readonly match: number | undefined } {
  const read = ordinalCursor.safeParse(parsedJson(text));
  if (!read.success || read.data.requestedThreadId !== threadId || read.data.scope.kind !== scopes[scope]) throw new RpcError('invalidCursor', { about: text });
  const { rolloutOrdinal, part, match, includeAnchor } = read.data;
  return { ordinal: rolloutOrdinal, part, match, includeAnchor };
}

/** The cursor of a legacy thread's turns: names the turn; `rolloutOrdinal` is ours, and stands where the thread has several turns of that id. */
export interface TurnAnchor {
  readonly turnId: string;
  readonly includeAnchor: boolean;
  readonly rolloutOrdinal?: number | undefined;
}

/** Writes the cursor of a legacy thread's turns. */
export function writeTurnCursor({ turnId, includeAnchor, rolloutOrdinal }: TurnAnchor): string {
  return JSON.stringify({ turnId, includeAnchor, ...(rolloutOrdinal === undefined ? {} : { rolloutOrdinal }) });
}

/** Reads the cursor of a legacy thread's turns; anything else is an `RpcError`. */
export function readTurnCursor(text: string): TurnAnchor {
  const read = turnCursor.safeParse(parsedJson(text));
  if (!read.success) throw new RpcError('invalidCursor', { about: text });
  return read.data;
}
