import type { Fact } from '@tapefold/facts';
import { type Thread, type ThreadHead, type ThreadSource, threadObject } from '@tapefold/threads';
import type { ThreadSummary } from '../../thread-source.js';
import type { Segment, Shelf, ShelfThread } from '../shelf.js';
import { type NativeFile, nativeThreadId } from './native-file.js';
import type { NativeLook } from './native-look.js';

/** Who answers where no record names a provider. */
const DEFAULT_PROVIDER = 'unknown';

/** A source that a Codex client lists: which agent it was, `originator` says. */
function shownSource(source: ThreadSource): ThreadSource {
  return typeof source === 'object' && 'custom' in source ? 'cli' : source;
}

/** One thread on a native tape. */
export class NativeThread implements ShelfThread {
  readonly shelf: Shelf;
  readonly notThread = undefined;
  readonly #look: () => NativeLook;

  constructor(shelf: Shelf, readonly file: NativeFile, look: () => NativeLook) {
    this.shelf = shelf;
    this.#look = look;
  }

  get threadId(): string { return this.file.threadId; }

  row(): ThreadSummary {
    const { head, turnCount, lastTurn, lastRecordAtMs, problem } = this.#look();
    const { path, sizeBytes, mtimeMs } = this.file;
    return {
      thread: this.object(head), program: 'native', path, isArchived: head.details.isArchived === true, isSubAgent: head.identity?.origin.kind === 'subAgent', isConfiguredProvider: true, sizeBytes, updatedAtMs: mtimeMs,
      turnCount, lastTurn, lastRecordAtMs, problem,
    };
  }

  fileRows(): ThreadSummary[] { return [this.row()]; }

  object(head: ThreadHead): Thread {
    const { path, mtimeMs } = this.file;
    const object = threadObject(head, { path, updatedAtMs: mtimeMs, recencyAtMs: mtimeMs, status: { type: 'notLoaded' }, defaultModelProvider: DEFAULT_PROVIDER });
    const shown = (id: string | null): string | null => (id === null ? null : nativeThreadId(id));
    return { ...object, id: this.threadId, sessionId: this.threadId, source: shownSource(object.source), parentThreadId: shown(object.parentThreadId), forkedFromId: shown(object.forkedFromId) };
  }

  segments(): { segments: Segment[]; problems: string[] } {
    return { segments: [{ file: this.file, endOffset: undefined, endOrdinal: undefined }], problems: [] };
  }

  owns(): boolean { return true; }
  tells(): boolean { return true; }
  shown(fact: Fact): Fact { return fact; }
  outputs(): undefined { return undefined; }
  /** Nothing: what was taken back, facts far behind may say. */
  openNewest(): undefined { return undefined; }
}
