import type { Fact } from '@tapefold/facts';
import { type Thread, type ThreadHead, type ThreadSource, threadObject } from '@tapefold/threads';
import { basename, dirname } from 'node:path';
import type { SessionMember, ThreadSummary } from '../../thread-source.js';
import type { Segment, Shelf, ShelfThread } from '../shelf.js';
import { type NativeFile, nativeThreadId } from './native-file.js';
import type { NativeLook } from './native-look.js';

/** Who answers where no record names a provider. */
const DEFAULT_PROVIDER = 'unknown';

/** A source that a Codex client lists: which agent it was, `originator` says. */
function shownSource(source: ThreadSource): ThreadSource {
  return typeof source === 'object' && 'custom' in source ? 'cli' : source;
}

/** The shelf of a thread, with what other tapes say of it. */
export interface NativeNeighbours extends Shelf {
  /** The native id of the thread at the top of those that started each other. */
  rootOf(nativeId: string): string;
}

const MAIN_AGENT = 'main';

/** The native id of the thread whose agent started this one; undefined for one that nobody started. */
export function parentOf({ head: { identity, links } }: NativeLook): string | undefined {
  const spawn = identity?.origin.kind === 'subAgent' ? identity.origin.spawn : undefined;
  return links.parent ?? spawn?.parentThreadId;
}

/** One thread on a native tape. */
export class NativeThread implements ShelfThread {
  readonly shelf: NativeNeighbours;
  readonly notThread = undefined;
  readonly #look: () => NativeLook;

  constructor(shelf: NativeNeighbours, readonly file: NativeFile, look: () => NativeLook) {
    this.shelf = shelf;
    this.#look = look;
  }

  get threadId(): string { return this.file.threadId; }

  member(): SessionMember {
    const look = this.#look();
    const { nativeId, path } = this.file;
    const parent = parentOf(look);
    const resolvePlanKey = (key: string): string => `${basename(dirname(path))}/${key}`;
    if (parent === undefined) return { sessionId: nativeId, agent: { agentId: MAIN_AGENT, type: 'main' }, resolvePlanKey };
    const root = this.shelf.rootOf(parent);
    const { agentNickname, agentRole } = look.head.details;
    return { sessionId: root, agent: { agentId: nativeId, type: 'sub', parentAgentId: parent === root ? MAIN_AGENT : parent, label: agentNickname ?? agentRole, createdAt: look.head.identity?.createdAt }, resolvePlanKey };
  }

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
