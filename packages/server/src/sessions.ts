import { StoreError, type ThreadSource } from '@tapefold/store';
import { type SessionRow, rowOf } from './rest/session-row.js';
import type { Transcripts } from './transcripts.js';

/** Ids of all agent programs: letters, digits and `-._`; so none of them is a path. */
const plainId = /^(?!\.+$)[A-Za-z0-9._-]{1,128}$/;

/** Where sessions and their transcripts come from. */
export interface SessionSources {
  readonly source: ThreadSource;
  readonly transcripts: Transcripts;
}

const isNobody = (error: unknown): boolean => error instanceof StoreError && ['threadNotFound', 'ambiguousId', 'noThreads', 'noId', 'fileNotFound', 'notInHomes'].includes(error.code);

/** A session by its own id, whole; undefined where there is none. What could be a path, or is only the beginning of an id, is none. */
export async function findSession(source: ThreadSource, id: string): Promise<SessionRow | undefined> {
  if (!plainId.test(id)) return undefined;
  try {
    const summary = await source.summary(id);
    const row = rowOf(summary);
    return row.id === id && !summary.isSubAgent ? row : undefined;
  } catch (error) {
    if (isNobody(error)) return undefined;
    throw error;
  }
}
