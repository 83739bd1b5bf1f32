import { createCodexPlayer } from '@tapefold/dialects';
import type { TapeId } from '@tapefold/facts';
import type { NotTape, WalkProblem } from '@tapefold/tapes';
import type { Thread, ThreadHead } from '@tapefold/threads';
import { StoreError } from '../../errors.js';
import type { NewestTurns, SessionMember, ThreadSummary } from '../../thread-source.js';
import { hiddenBecause } from '../rows.js';
import type { FileStretches, IdMatch, NewestQuery, PlayedFile, Segment, Shelf, ShelfFile, ShelfThread } from '../shelf.js';
import type { Catalog, CatalogFile } from './catalog.js';
import { CodexFiles, type CodexOptions, type ThreadFiles, nameOf } from './codex-files.js';
import { CodexMembers } from './codex-members.js';
import { openNewest } from './open-newest.js';
import { fileSummaries, summaryOf, threadObjectOf } from './rows.js';
import { findStretches, openStretch } from './stretches.js';

/** One thread of Codex. */
class CodexThread implements ShelfThread {
  readonly shelf: CodexShelf;
  readonly notThread = undefined;
  readonly #files: ThreadFiles;

  constructor(shelf: CodexShelf, files: ThreadFiles) {
    this.shelf = shelf;
    this.#files = files;
  }

  get threadId(): string { return this.#files.threadId; }
  get file(): CatalogFile { return this.#files.newest.file; }

  member(): SessionMember { return this.shelf.memberOf(this.#files); }
  row(): ThreadSummary { return summaryOf(this.shelf.homes, this.#files); }
  fileRows(): ThreadSummary[] { return fileSummaries(this.shelf.homes, this.#files); }
  object(head: ThreadHead): Thread { return threadObjectOf(this.shelf.homes, this.#files, head); }
  segments(): { segments: Segment[]; problems: string[] } { return this.shelf.homes.segmentsOf(this.#files); }
  owns(): boolean { return true; }
  tells(): boolean { return true; }
  shown<T>(fact: T): T { return fact; }
  outputs(): undefined { return undefined; }
  openNewest(query: NewestQuery): NewestTurns | undefined { return openNewest(this.shelf.homes, this.#files, query); }
  readonly stretches: FileStretches = {
    find: (segments, isStopped) => findStretches(segments.map((segment) => ({ segment, played: this.shelf.played(segment.file) })), isStopped),
    open: (segment, head, stretch) => openStretch(this.shelf.played(segment.file), head, stretch),
  };
}

/** The Codex homes as a shelf. */
export class CodexShelf implements Shelf {
  readonly program = 'codex';
  readonly homes: CodexFiles;
  #members: CodexMembers | undefined;

  constructor(catalog: Catalog, options: CodexOptions = {}) {
    this.homes = new CodexFiles(catalog, options);
  }

  get files(): readonly CatalogFile[] { return this.homes.catalog.files; }
  get byTape(): ReadonlyMap<TapeId, CatalogFile> { return this.homes.catalog.byTape; }
  get notTapes(): readonly NotTape[] { return this.homes.catalog.notTapes; }
  get problems(): readonly WalkProblem[] { return this.homes.catalog.problems; }

  /** A sub-agent's session is that of the thread at the root of those that started it. */
  memberOf(files: ThreadFiles): SessionMember {
    this.#members ??= new CodexMembers(() => this.homes.all());
    return this.#members.memberOf(files);
  }

  threads(): CodexThread[] {
    return this.homes.all().map((files) => new CodexThread(this, files));
  }

  /** Nothing but their heads tells which sub-agents a session has. */
  threadsOfSession(sessionId: string): CodexThread[] {
    return this.threads().filter((thread) => thread.member().sessionId === sessionId);
  }

  matching(wanted: string, where: 'names' | 'contents'): IdMatch[] {
    return where === 'names' ? this.#named(wanted) : this.#inside(wanted);
  }

  threadOf(file: ShelfFile): CodexThread {
    return new CodexThread(this, this.homes.named(nameOf(this.#own(file))));
  }

  plainThreadOf(file: ShelfFile): CodexThread | undefined {
    const isSubAgent = this.homes.look(this.#own(file)).head.identity?.origin.kind === 'subAgent';
    return hiddenBecause({ isArchived: file.isArchived, isSubAgent }) === undefined ? this.threadOf(file) : undefined;
  }

  played(file: ShelfFile): PlayedFile {
    const { path, shownPath, tape, name, unreadable } = this.#own(file);
    return { path, shownPath, tape, unreadable, thread: { id: name?.threadId, isSure: false }, createPlayer: (checkpoint) => createCodexPlayer({ tape, namedThreadId: name?.threadId, namedCreatedAt: name?.createdAtLocal }, checkpoint) };
  }

  #own(file: ShelfFile): CatalogFile {
    const own = this.byTape.get(file.tape);
    if (!own) throw new StoreError('threadNotFound', { path: file.path });
    return own;
  }

  #named(wanted: string): IdMatch[] {
    const named = this.files.filter((file) => file.name?.threadId.toLowerCase().startsWith(wanted) || file.rolloutId.toLowerCase().startsWith(wanted));
    return [...new Set(named.map(nameOf))].map((threadId) => ({ threadId, isExact: threadId.toLowerCase() === wanted, open: () => new CodexThread(this, this.homes.named(threadId)) }));
  }

  #inside(wanted: string): IdMatch[] {
    const matches = this.threads().filter(({ threadId }) => threadId.toLowerCase().startsWith(wanted));
    return matches.map((thread) => ({ threadId: thread.threadId, isExact: thread.threadId.toLowerCase() === wanted, open: () => thread }));
  }
}
