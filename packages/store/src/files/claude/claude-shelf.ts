import type { TapeId } from '@tapefold/facts';
import { type NotTape, type WalkProblem, discoverClaudeHome, parseClaudeName } from '@tapefold/tapes';
import { join, relative, sep } from 'node:path';
import { StoreError } from '../../errors.js';
import type { HomeRef } from '../../thread-source.js';
import { Apart } from '../apart.js';
import type { IdMatch, OnRead, PlayedFile, ShelfFile } from '../shelf.js';
import { sizeAndTime } from '../size-and-time.js';
import { type ClaudeFile, claudeFile, playerOf } from './claude-file.js';
import type { ClaudeLook } from './claude-look.js';
import { type ClaudeNeighbours, ClaudeThread } from './claude-thread.js';
import { ClaudeLooks, type KnownClaudeLooks } from './looks.js';
import { claudeThreadId } from './thread-ids.js';

/** What the Claude homes hold, by name only: no session file was opened. */
interface ClaudeCatalog {
  readonly byTape: ReadonlyMap<TapeId, ClaudeFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
}

interface ShelfOptions { readonly onRead?: OnRead | undefined; readonly known?: KnownClaudeLooks; readonly apart?: Apart | undefined }

/** The native id as the command line also takes it. */
const nativeIdOf = ({ name }: ClaudeFile): string => (name.kind === 'agent' ? name.agentId : name.sessionId).toLowerCase();

/** The Claude homes as a shelf. */
export class ClaudeShelf implements ClaudeNeighbours {
  readonly program = 'claude';
  readonly byTape: ReadonlyMap<TapeId, ClaudeFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  readonly files: readonly ClaudeFile[];
  readonly #looks: ClaudeLooks;
  readonly #apart: Apart;

  constructor(catalog: ClaudeCatalog, options: ShelfOptions = {}) {
    this.#apart = options.apart ?? new Apart();
    this.byTape = catalog.byTape;
    this.notTapes = catalog.notTapes;
    this.problems = catalog.problems;
    this.files = [...catalog.byTape.values()];
    this.#looks = new ClaudeLooks(this.files, options);
  }

  /** Every session, and below it its sub-agents. Reads a head and a tail of each file. */
  threads(): ClaudeThread[] {
    return this.#threadsIn(this.files);
  }

  /** Of agents whose file's place does not say whose they are, the file does. */
  threadsOfSession(sessionId: string): ClaudeThread[] {
    const files = this.files.filter(({ sessionKey, name }) => sessionKey === sessionId || (sessionKey === undefined && name.kind === 'agent'));
    return this.#threadsIn(files).filter((thread) => thread.member().sessionId === sessionId);
  }

  #threadsIn(files: readonly ClaudeFile[]): ClaudeThread[] {
    return this.#apart.each(files, ({ path }) => path, (file) => {
      const look = this.#looks.look(file);
      return [this.#thread(look), ...this.#inside(look)].filter(({ notThread }) => notThread === undefined);
    }).flat();
  }

  matching(wanted: string, where: 'names' | 'contents'): IdMatch[] {
    return where === 'names' ? this.#named(wanted) : this.#byContents(wanted);
  }

  threadOf(file: ShelfFile): ClaudeThread {
    const own = this.byTape.get(file.tape);
    if (!own) throw new StoreError('threadNotFound', { path: file.path });
    return this.#thread(this.#looks.look(own));
  }

  plainThreadOf(file: ShelfFile): ClaudeThread | undefined {
    if (this.byTape.get(file.tape)?.name.kind !== 'session') return undefined;
    const thread = this.threadOf(file);
    return thread.notThread === undefined ? thread : undefined;
  }

  played(file: ShelfFile): PlayedFile {
    const own = this.byTape.get(file.tape);
    if (!own) throw new StoreError('threadNotFound', { path: file.path });
    return { path: own.path, shownPath: own.shownPath, tape: own.tape, unreadable: own.unreadable, thread: { id: own.threadId ?? this.#thread(this.#looks.look(own)).threadId, isSure: true }, createPlayer: (checkpoint) => playerOf(own, checkpoint) };
  }

  summaryOf(look: ClaudeLook): string | undefined {
    return this.#looks.summaryOf(look);
  }

  forkOriginOf(look: ClaudeLook): string | undefined {
    return this.#looks.forkOriginOf(look);
  }

  #thread(look: ClaudeLook): ClaudeThread {
    const { name } = look.file;
    const sessionId = look.file.sessionKey ?? look.parentSession ?? '';
    const threadId = look.file.threadId ?? claudeThreadId({ sessionId, agentId: name.kind === 'agent' ? name.agentId : undefined });
    return new ClaudeThread(this, { look, threadId, sessionId });
  }

  /** Sub-agents of versions that wrote their lines into the session's file. */
  #inside(look: ClaudeLook): ClaudeThread[] {
    const { name, sessionKey } = look.file;
    if (name.kind === 'agent' || sessionKey === undefined) return [];
    return look.insideAgents.map((insideAgent) => new ClaudeThread(this, { look, threadId: claudeThreadId({ sessionId: sessionKey, agentId: insideAgent }), sessionId: sessionKey, insideAgent }));
  }

  #named(wanted: string): IdMatch[] {
    return this.files.flatMap((file): IdMatch[] => {
      const native = nativeIdOf(file);
      const isNative = native.startsWith(wanted) || (file.name.kind === 'agent' && `agent-${native}`.startsWith(wanted) && wanted.length > 'agent-'.length);
      if (!isNative && !file.threadId?.startsWith(wanted)) return [];
      const open = (): ClaudeThread => this.#thread(this.#looks.look(file));
      const isExact = wanted === native || wanted === `agent-${native}` || wanted === file.threadId;
      return [{ threadId: file.threadId ?? open().threadId, isExact, open }];
    });
  }

  #byContents(wanted: string): IdMatch[] {
    const matches = this.threads().filter(({ threadId, agentId = '' }) => threadId.startsWith(wanted) || (agentId !== '' && agentId.toLowerCase().startsWith(wanted)));
    return matches.map((thread) => ({ threadId: thread.threadId, isExact: thread.threadId === wanted || thread.agentId?.toLowerCase() === wanted, open: () => thread }));
  }
}

/** Copies of one file in several homes or folders: the one that changed last counts. */
function better(a: ClaudeFile, b: ClaudeFile): ClaudeFile {
  return b.mtimeMs > a.mtimeMs ? b : a;
}

/** A file that is not opened is a row all the same: its name says which thread it is. */
function unreadableFile(home: string, { path, reason }: WalkProblem): ClaudeFile[] {
  const name = parseClaudeName(relative(join(home, 'projects'), path).split(sep));
  return name ? [{ ...claudeFile(home, { path, name, ...sizeAndTime(path) }), unreadable: reason }] : [];
}

const copyReason = (counts: ClaudeFile): string => `It is another copy of the session file ${counts.path}, which changed later: that one is read.`;

/** Looks through Claude homes. A problem in one hides nothing of the others. */
export function readClaudeShelf(homes: readonly HomeRef[], options: ShelfOptions = {}): ClaudeShelf {
  const byTape = new Map<TapeId, ClaudeFile>();
  const notTapes: NotTape[] = [];
  const problems: WalkProblem[] = [];
  const put = (file: ClaudeFile): void => {
    const other = byTape.get(file.tape);
    const counts = better(other ?? file, file);
    byTape.set(file.tape, counts);
    if (other && other.path !== file.path) notTapes.push({ path: counts === file ? other.path : file.path, kind: 'supersededTape', why: copyReason(counts) });
  };
  for (const { path } of homes) {
    const found = discoverClaudeHome(path);
    problems.push(...found.problems);
    notTapes.push(...found.notTapes);
    for (const file of [...found.problems.flatMap((problem) => unreadableFile(path, problem)), ...found.tapes.map((tape) => claudeFile(path, tape))]) put(file);
  }
  return new ClaudeShelf({ byTape, notTapes, problems }, options);
}
