import type { TapeId } from '@tapefold/facts';
import type { NotTape, WalkProblem } from '@tapefold/tapes';
import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { StoreError } from '../errors.js';
import type { AgentProgram, HomeRef } from '../thread-source.js';
import { readClaudeShelf } from './claude/claude-shelf.js';
import { type KnownClaudeLooks, noClaudeLooks } from './claude/looks.js';
import { readCatalog } from './codex/catalog.js';
import type { KnownLooks } from './codex/codex-files.js';
import { CodexShelf } from './codex/codex-shelf.js';
import { type KnownKimi, noKimiKnown, readKimiShelf } from './kimi/kimi-shelf.js';
import { type KnownNative, noNativeKnown, readNativeShelf } from './native/native-shelf.js';
import type { IdMatch, OnRead, Shelf, ShelfFile, ShelfThread } from './shelf.js';

/** The word that stands for the newest thread. */
export const NEWEST = 'last';
/** Ids that an ambiguous one is told to begin. */
const CANDIDATES = 10;

/** Looks at files that hold while the files are the same, between calls. */
export interface Known {
  readonly codex: KnownLooks;
  readonly claude: KnownClaudeLooks;
  readonly kimi: KnownKimi;
  readonly native: KnownNative;
}

/** Before the first look; each call its own, since the maps grow in place. */
export const nothingKnown = (): Known => ({ codex: new Map(), claude: noClaudeLooks(), kimi: noKimiKnown(), native: noNativeKnown() });

/** What every home holds, whichever agents they are of. */
export class Shelves {
  readonly shelves: readonly Shelf[];

  constructor(shelves: readonly Shelf[]) {
    this.shelves = shelves;
  }

  get files(): ShelfFile[] { return this.shelves.flatMap(({ files }) => files); }
  get notTapes(): NotTape[] { return this.shelves.flatMap(({ notTapes }) => notTapes); }
  get problems(): WalkProblem[] { return this.shelves.flatMap(({ problems }) => problems); }
  get byTape(): ReadonlyMap<TapeId, ShelfFile> { return new Map(this.shelves.flatMap(({ byTape }) => [...byTape])); }

  threads(program?: AgentProgram): ShelfThread[] {
    return this.shelves.filter((shelf) => program === undefined || shelf.program === program).flatMap((shelf) => shelf.threads());
  }

  /** The thread of an id: by the names of files, and only where none has it by what stands in them. A unique beginning is enough. */
  find(id: string): ShelfThread {
    if (id === NEWEST) return this.#newest();
    if (id === '') throw new StoreError('noId');
    if (isPath(id)) return this.#atOwnPath(id);
    const wanted = id.toLowerCase().replace(/^\{(.*)\}$/, '$1');
    for (const where of ['names', 'contents'] as const) {
      const match = chosen(id, this.shelves.flatMap((shelf) => shelf.matching(wanted, where)));
      if (match) return match.open();
    }
    throw new StoreError('threadNotFound', { id });
  }

  #atOwnPath(id: string): ShelfThread {
    const path = resolve(id);
    const thread = this.atPath(path);
    if (!thread) throw new StoreError(existsSync(path) ? 'notInHomes' : 'fileNotFound', { path });
    return thread;
  }

  /** The thread that a file with this path is part of. */
  atPath(path: string): ShelfThread | undefined {
    for (const shelf of this.shelves) {
      const file = shelf.files.find((candidate) => candidate.path === path || candidate.shownPath === path);
      if (file) return shelf.threadOf(file);
    }
    return undefined;
  }

  /** The newest thread that a plain list shows. Looks at files from the newest on, and stops at the first. */
  #newest(): ShelfThread {
    const all = this.shelves.flatMap((shelf) => shelf.files.map((file) => ({ shelf, file })));
    all.sort((a, b) => b.file.mtimeMs - a.file.mtimeMs || (a.file.tape < b.file.tape ? 1 : -1));
    for (const { shelf, file } of all) {
      const thread = shelf.plainThreadOf(file);
      if (thread) return thread;
    }
    throw new StoreError('noThreads');
  }
}

/** Ids have no slashes; whoever writes one means a file. */
const isPath = (id: string): boolean => id.includes('/') || id.includes(sep);

/** The one thread that is meant; undefined where none is. */
function chosen(id: string, matches: readonly IdMatch[]): IdMatch | undefined {
  const exact = matches.filter(({ isExact }) => isExact);
  const byId = new Map((exact.length ? exact : matches).map((match) => [match.threadId, match]));
  if (byId.size > 1) throw new StoreError('ambiguousId', { id, candidates: [...byId.keys()].slice(0, CANDIDATES) });
  return [...byId.values()][0];
}

/** Looks through the homes by names; a problem in one hides nothing of the others. A home that does not exist is a `StoreError`. */
export async function readShelves(homes: readonly HomeRef[], options: { readonly onRead?: OnRead | undefined; readonly known: Known }): Promise<Shelves> {
  const missing = homes.find(({ path }) => !existsSync(path));
  if (missing) throw new StoreError('homeNotFound', { path: missing.path });
  const of = (program: AgentProgram): HomeRef[] => homes.filter((home) => home.program === program);
  const { onRead, known } = options;
  const codex = new CodexShelf(await readCatalog(of('codex')), { onRead, known: known.codex });
  const native = readNativeShelf(of('native'), { onRead, known: known.native });
  return new Shelves([codex, readClaudeShelf(of('claude'), { onRead, known: known.claude }), readKimiShelf(of('kimi'), { onRead, known: known.kimi }), native]);
}
