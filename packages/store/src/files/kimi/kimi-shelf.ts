import type { TapeId } from '@tapefold/facts';
import { MAIN_AGENT, type NotTape, type WalkProblem, isPlainAgentId } from '@tapefold/tapes';
import { join } from 'node:path';
import { StoreError } from '../../errors.js';
import type { HomeRef } from '../../thread-source.js';
import { Apart } from '../apart.js';
import { type LookTable, keptLook, ownValue } from '../kept-looks.js';
import type { IdMatch, OnRead, PlayedFile, Shelf, ShelfFile } from '../shelf.js';
import { sizeAndTime } from '../size-and-time.js';
import { type KimiCatalog, pathOf, readKimiCatalog } from './kimi-catalog.js';
import { type KimiFile, type KimiSession, kimiFile } from './kimi-file.js';
import { type KimiLook, lookAtKimi, unseen } from './kimi-look.js';
import { kimiPlayer } from './kimi-player.js';
import { type KimiSessionView, KimiThread } from './kimi-thread.js';
import { type AgentNote, type KnownNotes, agentNote, sessionNote } from './session-notes.js';
import { kimiThreadId, sessionUuid } from './thread-ids.js';

/** Looks at logs, and notes that were read, by path: they hold while the files are the same. */
export interface KnownKimi {
  readonly looks: LookTable<KimiLook>;
  readonly notes: KnownNotes;
}

/** Before the first look; each call its own, since the maps grow in place. */
export const noKimiKnown = (): KnownKimi => ({ looks: new Map(), notes: new Map() });

interface ShelfOptions { readonly onRead?: OnRead | undefined; readonly known?: KnownKimi | undefined; readonly apart?: Apart | undefined }

/** The Kimi homes as a shelf. */
export class KimiShelf implements Shelf {
  readonly program = 'kimi';
  readonly byTape: ReadonlyMap<TapeId, KimiFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  readonly files: readonly KimiFile[];
  readonly #catalog: KimiCatalog;
  readonly #onRead: OnRead | undefined;
  readonly #known: KnownKimi;
  readonly #apart: Apart;
  /** Logs that are not there, of agents that a state names. */
  readonly #absent = new Map<TapeId, KimiFile>();

  constructor(catalog: KimiCatalog, { onRead, known = noKimiKnown(), apart = new Apart() }: ShelfOptions = {}) {
    this.#catalog = catalog;
    this.files = catalog.sessions.flatMap(({ files }) => [...files.values()]);
    this.byTape = new Map(this.files.map((file) => [file.tape, file]));
    this.notTapes = catalog.notTapes;
    this.problems = catalog.problems;
    this.#onRead = onRead;
    this.#known = known;
    this.#apart = apart;
  }

  /** Every session, and below it its sub-agents. Reads a head and a tail of each log. */
  threads(): KimiThread[] {
    return this.#threadsIn(this.#catalog.sessions);
  }

  threadsOfSession(sessionId: string): KimiThread[] {
    return this.#threadsIn(this.#catalog.sessions.filter((session) => session.sessionId === sessionId));
  }

  #threadsIn(sessions: readonly KimiSession[]): KimiThread[] {
    return this.#apart.each(sessions, pathOf, (session) => this.#threadsOf(session).filter(({ notThread }) => notThread === undefined)).flat();
  }

  matching(wanted: string, where: 'names' | 'contents'): IdMatch[] {
    return this.#apart.each(this.#catalog.sessions, pathOf, (session) => (where === 'names' ? this.#named(session, wanted) : this.#byContents(session, wanted))).flat();
  }

  threadOf(file: ShelfFile): KimiThread {
    const own = this.byTape.get(file.tape);
    const session = own && this.#catalog.sessions.find(({ files }) => files.get(own.name.agentId) === own);
    if (!own || !session) throw new StoreError('threadNotFound', { path: file.path });
    return this.#thread(this.#view(session), own.name.agentId);
  }

  plainThreadOf(file: ShelfFile): KimiThread | undefined {
    if (this.byTape.get(file.tape)?.name.agentId !== MAIN_AGENT) return undefined;
    const thread = this.threadOf(file);
    return thread.notThread === undefined && !thread.row().isArchived ? thread : undefined;
  }

  played(file: ShelfFile): PlayedFile {
    const own = this.byTape.get(file.tape) ?? this.#absent.get(file.tape);
    if (!own) throw new StoreError('threadNotFound', { path: file.path });
    return { path: own.path, shownPath: own.shownPath, tape: own.tape, unreadable: own.unreadable, thread: { id: own.threadId, isSure: true }, createPlayer: (checkpoint) => kimiPlayer(own, checkpoint) };
  }

  #look(file: KimiFile): KimiLook {
    return keptLook(this.#known.looks, { key: file.path, file }, () => lookAtKimi(file, this.#onRead));
  }

  #view(session: KimiSession): KimiSessionView {
    const note = sessionNote(session.folder?.notePaths ?? [], { known: this.#known.notes, onRead: this.#onRead });
    return { session, note, workDir: this.#catalog.workDirs.get(session.home)?.get(session.bucket) };
  }

  /** An agent that the state names and that has no log stands where its log would be. */
  #thread(view: KimiSessionView, agentId: string, inside?: KimiLook): KimiThread {
    const { session, note } = view;
    const file = session.files.get(agentId);
    const look = inside ?? (file ? this.#look(file) : unseen(this.#missingFile(session, agentId), undefined));
    const stamped = file || inside ? look : { ...look, file: { ...look.file, mtimeMs: look.file.mtimeMs || note.mtimeMs } };
    return new KimiThread(this, { view, agentId, look: stamped, hasLog: file !== undefined || inside !== undefined, isInside: inside !== undefined, agentNote: this.#agentNote(view, agentId) });
  }

  /** What a sub-agent's own note says, and where it says nothing the log of the agent that started it. */
  #agentNote({ session, note }: KimiSessionView, agentId: string): AgentNote {
    if (agentId === MAIN_AGENT) return {};
    const parent = session.files.get(ownValue(note.state?.agents, agentId)?.parentAgentId ?? MAIN_AGENT);
    return { ...(parent ? ownValue(this.#look(parent).described, agentId) : {}), ...agentNote(ownValue(session.folder?.agentNotes, agentId), this.#onRead) };
  }

  #missingFile({ home, folder, bucket, sessionId }: KimiSession, agentId: string): KimiFile {
    // An agent id of a state is no path before it was looked at.
    const place = folder?.path ?? home;
    const path = isPlainAgentId(agentId) ? join(place, 'agents', agentId, 'wire.jsonl') : place;
    const file = kimiFile(home, { path, name: { family: 'code', bucket, sessionId, agentId, records: 'wire' }, ...sizeAndTime(path) });
    this.#absent.set(file.tape, file);
    return file;
  }

  #threadsOf(session: KimiSession): KimiThread[] {
    const view = this.#view(session);
    const ids = new Set([MAIN_AGENT, ...Object.keys(view.note.state?.agents ?? {}), ...session.files.keys()]);
    return [...ids].map((agentId) => this.#thread(view, agentId)).concat(this.#inside(view));
  }

  /** Sub-agents of kimi-cli whose records stand in the log of their session, and that have no log of their own. */
  #inside(view: KimiSessionView): KimiThread[] {
    const main = view.session.files.get(MAIN_AGENT);
    if (view.session.family === 'code' || !main) return [];
    const look = this.#look(main);
    return Object.keys(look.insideAgents).filter((agentId) => !view.session.files.has(agentId)).map((agentId) => this.#thread(view, agentId, look));
  }

  /** By the session's native id with or without its prefix, by the public id, and for a sub-agent by its own id where that is given whole. */
  #named(session: KimiSession, wanted: string): IdMatch[] {
    const native = session.sessionId.toLowerCase();
    const ids = [MAIN_AGENT, ...[...session.files.keys()].filter((agentId) => agentId !== MAIN_AGENT)];
    return ids.flatMap((agentId): IdMatch[] => {
      const threadId = kimiThreadId({ sessionId: session.key, agentId });
      const names = agentId === MAIN_AGENT ? [threadId, native, sessionUuid(native) ?? native] : [threadId];
      const isExact = names.includes(wanted) || (agentId !== MAIN_AGENT && agentId.toLowerCase() === wanted);
      if (!isExact && !names.some((name) => name.startsWith(wanted))) return [];
      return [{ threadId, isExact, open: () => this.#thread(this.#view(session), agentId) }];
    });
  }

  #byContents(session: KimiSession, wanted: string): IdMatch[] {
    const matches = this.#threadsOf(session).filter(({ threadId, agentId }) => threadId.startsWith(wanted) || agentId.toLowerCase() === wanted);
    return matches.map((thread) => ({ threadId: thread.threadId, isExact: thread.threadId === wanted || thread.agentId.toLowerCase() === wanted, open: () => thread }));
  }
}

/** Looks through Kimi homes, of either family. A problem in one hides nothing of the others. */
export function readKimiShelf(homes: readonly HomeRef[], options: ShelfOptions = {}): KimiShelf {
  return new KimiShelf(readKimiCatalog(homes, options.onRead), options);
}
