import type { TapeId } from '@tapefold/facts';
import type { NotTape, WalkProblem } from '@tapefold/tapes';
import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { StoreError } from '../errors.js';
import { Apart } from './apart.js';
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
  /** For whoever goes through the threads: what fails over one is kept here, among the problems. */
  readonly apart: Apart;

  constructor(shelves: readonly Shelf[], apart = new Apart()) {
    this.shelves = shelves;
    this.apart = apart;
  }

  get files(): ShelfFile[] { return this.shelves.flatMap(({ files }) => files); }
  get notTapes(): NotTape[] { return this.shelves.flatMap(({ notTapes }) => notTapes); }
  /** Also what failed until now: ask behind the look. */
  get problems(): WalkProblem[] { return [...this.shelves.flatMap(({ problems }) => problems), ...this.apart.failures]; }
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
      const thread = this.apart.one(file.path, () => shelf.plainThreadOf(file));
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

/** How homes are looked through. `mayBeAway`: one that is not there is a problem among others, since it was there before; else it is a `StoreError`. */
export interface ShelvesOptions {
  readonly onRead?: OnRead | undefined;
  readonly known: Known;
  readonly mayBeAway?: boolean | undefined;
}

/** Looks through the homes by names; a problem in one, or a failure, hides nothing of the others. A home that does not exist is a `StoreError` (`homeNotFound`). */
export async function readShelves(homes: readonly HomeRef[], { onRead, known, mayBeAway = false }: ShelvesOptions): Promise<Shelves> {
  const apart = new Apart();
  const found = present(homes, mayBeAway ? apart : undefined);
  const shelf = <T extends Shelf>(program: AgentProgram, read: (homes: readonly HomeRef[]) => T | Promise<T>): Promise<T> => shelfOf(found.filter((home) => home.program === program), { read, apart });
  const shelves = [
    await shelf('codex', async (of) => new CodexShelf(await readCatalog(of), { onRead, known: known.codex, apart })),
    await shelf('claude', (of) => readClaudeShelf(of, { onRead, known: known.claude, apart })),
    await shelf('kimi', (of) => readKimiShelf(of, { onRead, known: known.kimi, apart })),
    await shelf('native', (of) => readNativeShelf(of, { onRead, known: known.native })),
  ];
  // One that went on the way looks as if it were empty.
  if (mayBeAway) present(found, apart);
  return new Shelves(shelves, apart);
}

/** Homes that are there. */
function present(homes: readonly HomeRef[], apart: Apart | undefined): HomeRef[] {
  return homes.filter(({ path }) => {
    const isThere = existsSync(path);
    if (!isThere && !apart) throw new StoreError('homeNotFound', { path });
    if (!isThere) apart?.tell({ path, reason: 'is not there now' });
    return isThere;
  });
}

/** The homes of an agent as a shelf. Where that fails, each home is tried alone, and those that fail are left out. */
async function shelfOf<T extends Shelf>(homes: readonly HomeRef[], { read, apart }: { readonly read: (homes: readonly HomeRef[]) => T | Promise<T>; readonly apart: Apart }): Promise<T> {
  try {
    return await read(homes);
  } catch (cause) {
    if (homes.length === 0) throw cause;
    const good: HomeRef[] = [];
    for (const home of homes) {
      try {
        await read([home]);
        good.push(home);
      } catch (alone) {
        apart.note(home.path, alone);
      }
    }
    // Homes that are read alone and not together: as a bug in comparing their copies would have it.
    if (good.length === homes.length) good.splice(1).forEach(({ path }) => apart.note(path, cause));
    return read(good);
  }
}
