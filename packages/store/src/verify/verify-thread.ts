import { TapeError } from '@tapefold/tapes';
import { StoreError } from '../errors.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import { changesOf, historyName } from '../indexing/plan-history.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { type HistoryDump, ROWS_VERSION, type ThreadStore } from '../thread-store.js';
import { differentAnswers } from './different-answers.js';
import { differentMap } from './different-map.js';
import { differentStates } from './different-rows.js';
import { Afresh } from './fold-afresh.js';
import { unreadableState } from './unreadable-state.js';

/** What verifying one thread came to: `difference` is the first one, as a sentence; `notIndexed`: there is nothing to compare. */
export interface VerifyResult {
  readonly threadId: string;
  readonly path: string;
  readonly state: 'equal' | 'differs' | 'notIndexed';
  readonly difference?: string | undefined;
}

/**
 * Compares the map of its turns, where it has one, and folds the thread afresh, as far as its rows go, and compares rows, record numbers, the checkpoint, what it says of the files, outline and places to play from, pages of turns,
 * items and transcripts, user messages, plans and the model's history, the columns that rows are found by, and the index of text. Rows of files that changed are not compared: that is the difference. Memory: the thread.
 * Throws `StoreError` where the store as a whole cannot be read.
 */
export async function verifyThread(store: ThreadStore, thread: ShelfThread): Promise<VerifyResult> {
  const about = { threadId: thread.threadId, path: thread.file.path };
  try {
    return { ...about, ...await compared(store, thread) };
  } catch (cause) {
    return { ...about, ...resultBy(cause) };
  }
}

type Outcome = Pick<VerifyResult, 'state' | 'difference'>;

const outcome = (difference: string | undefined): Outcome => ({ state: difference === undefined ? 'equal' : 'differs', difference });
const unreadable = (reason: string): Outcome => outcome(`what the index has of it cannot be read back: ${reason}`);

async function compared(store: ThreadStore, thread: ShelfThread): Promise<Outcome> {
  const { segments } = thread.segments();
  if (segments.length === 0) return outcome(undefined);
  const mapped = await differentMap(store, thread);
  if (mapped !== undefined) return outcome(mapped);
  const known = await store.checkpoint(historyName(thread));
  if (!known || known.rowsVersion !== ROWS_VERSION) return { state: 'notIndexed' };
  const reason = unreadableState(known.state);
  if (reason !== undefined) return unreadable(reason);
  if (hasChanged(known.state.segments, segments)) return outcome('its files changed since it was indexed: run `tapefold index`');
  const dump = await store.dump(known.name);
  // Rows that were written meanwhile are those of another state: they are not compared.
  return outcome(dump?.checkpoint.version === known.version ? await different(store, { thread, dump }) : undefined);
}

/** Whether the files are no more those that rows were made of; they may have grown. */
function hasChanged(stamps: readonly SegmentStamp[], segments: readonly Segment[]): boolean {
  return stamps.length > segments.length || changesOf(stamps, segments).includes('changed');
}

/** One thread that goes wrong hides no others; what is wrong with the store as a whole is thrown on. */
function resultBy(cause: unknown): Outcome {
  if (cause instanceof StoreError) {
    if (cause.code === 'rewritten') return outcome(undefined);
    if (cause.code === 'damagedSource' || cause.code === 'threadNotFound') return outcome(cause.message);
    if (cause.code !== 'storeDamaged' || !isUnreadable(cause.detail.cause)) throw cause;
    return unreadable(cause.message);
  }
  if (cause instanceof TapeError) return outcome(cause.message);
  if (!isUnreadable(cause)) throw cause;
  return unreadable(cause.message);
}

/** Text that is no JSON, bytes that are not deflated, or values that are none of what was written. */
const isUnreadable = (cause: unknown): cause is Error => cause instanceof Error && cause.name !== 'SqliteError';

async function different(store: ThreadStore, { thread, dump }: { readonly thread: ShelfThread; readonly dump: HistoryDump }): Promise<string | undefined> {
  const fresh = await folded(thread, dump);
  return differentStates(fresh, thread, dump) ?? await store.misfit(dump) ?? await differentAnswers(store, { thread, dump, fresh });
}

/** Throws `TapeError`, and `StoreError` (`damagedSource`) where files cannot be folded. */
async function folded(thread: ShelfThread, { starts, checkpoint: { state } }: HistoryDump): Promise<Afresh> {
  try {
    return await new Afresh(thread, starts).fold(state.segments);
  } catch (cause) {
    // Of the index nothing but the players at the places to play from is read on the way, as JSON.
    if (cause instanceof StoreError || cause instanceof TapeError || cause instanceof SyntaxError) throw cause;
    throw new StoreError('damagedSource', { path: thread.file.path, cause });
  }
}
