import type { TapeId } from '@tapefold/facts';
import { type NotTape, type WalkProblem, discoverNativeHome } from '@tapefold/tapes';
import { StoreError } from '../../errors.js';
import type { HomeRef } from '../../thread-source.js';
import { type LookTable, keptLook } from '../kept-looks.js';
import { hiddenBecause } from '../rows.js';
import type { IdMatch, OnRead, PlayedFile, Shelf, ShelfFile } from '../shelf.js';
import { type KnownHeaders, type NativeFile, nativeFile, playerOf } from './native-file.js';
import { type NativeLook, lookAtNative } from './native-look.js';
import { type NativeNeighbours, NativeThread, parentOf } from './native-thread.js';

/** Looks at tapes, and names that their headers say, by path: they hold while the file is the same. */
export interface KnownNative {
  readonly looks: LookTable<NativeLook>;
  readonly headers: KnownHeaders;
}

/** Before the first look; each call its own, since the maps grow in place. */
export const noNativeKnown = (): KnownNative => ({ looks: new Map(), headers: new Map() });

interface NativeCatalog {
  readonly byTape: ReadonlyMap<TapeId, NativeFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
}

/** Agents inside each other that are followed to their root; tapes may name each other in a circle. */
const DEPTH_LIMIT = 64;

interface ShelfOptions { readonly onRead?: OnRead | undefined; readonly known?: KnownNative | undefined }

/** The homes of native tapes as a shelf. */
class NativeShelf implements NativeNeighbours {
  readonly program = 'native';
  readonly byTape: ReadonlyMap<TapeId, NativeFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  readonly files: readonly NativeFile[];
  readonly #options: ShelfOptions;
  #byId: ReadonlyMap<string, NativeFile> | undefined;

  constructor({ byTape, notTapes, problems }: NativeCatalog, options: ShelfOptions) {
    this.byTape = byTape;
    this.notTapes = notTapes;
    this.problems = problems;
    this.files = [...byTape.values()];
    this.#options = options;
  }

  threads(): NativeThread[] { return this.files.map((file) => this.#thread(file)); }

  /** A tape's header names its thread, so nothing else has to be opened. */
  matching(wanted: string, where: 'names' | 'contents'): IdMatch[] {
    if (where === 'contents') return [];
    const found = this.files.filter(({ threadId, nativeId }) => threadId.startsWith(wanted) || nativeId.toLowerCase().startsWith(wanted));
    return found.map((file) => ({ threadId: file.threadId, isExact: file.threadId === wanted || file.nativeId.toLowerCase() === wanted, open: () => this.#thread(file) }));
  }

  threadsOfSession(sessionId: string): NativeThread[] {
    return this.threads().filter((thread) => thread.member().sessionId === sessionId);
  }

  threadOf(file: ShelfFile): NativeThread { return this.#thread(this.#own(file)); }

  plainThreadOf(file: ShelfFile): NativeThread | undefined {
    const thread = this.threadOf(file);
    return hiddenBecause(thread.row()) === undefined ? thread : undefined;
  }

  played(file: ShelfFile): PlayedFile {
    const { path, shownPath, tape, unreadable, threadId } = this.#own(file);
    return { path, shownPath, tape, unreadable, thread: { id: threadId, isSure: true }, createPlayer: (checkpoint) => playerOf({ tape }, checkpoint) };
  }

  rootOf(nativeId: string): string {
    this.#byId ??= new Map(this.files.map((file) => [file.nativeId, file]));
    let root = nativeId;
    for (let depth = 0; depth < DEPTH_LIMIT; depth += 1) {
      const file = this.#byId.get(root);
      const parent = file && parentOf(this.#look(file));
      if (parent === undefined) return root;
      root = parent;
    }
    return root;
  }

  #own(file: ShelfFile): NativeFile {
    const own = this.byTape.get(file.tape);
    if (!own) throw new StoreError('threadNotFound', { path: file.path });
    return own;
  }

  #thread(file: NativeFile): NativeThread {
    return new NativeThread(this, file, () => this.#look(file));
  }

  #look(file: NativeFile): NativeLook {
    return keptLook(this.#options.known?.looks, { key: file.path, file }, () => lookAtNative(file, this.#options.onRead));
  }
}

const copyReason = (counts: NativeFile): string => `It is another copy of the tape ${counts.path}, which changed later: that one is read.`;

/** Looks through homes of native tapes. A problem in one hides nothing of the others. */
export function readNativeShelf(homes: readonly HomeRef[], options: ShelfOptions = {}): Shelf {
  const known = options.known ?? noNativeKnown();
  const byTape = new Map<TapeId, NativeFile>();
  const notTapes: NotTape[] = [];
  const problems: WalkProblem[] = [];
  const put = (file: NativeFile): void => {
    const other = byTape.get(file.tape);
    const [counts, copy] = other && other.mtimeMs >= file.mtimeMs ? [other, file] : [file, other];
    byTape.set(file.tape, counts);
    if (copy && copy.path !== counts.path) notTapes.push({ path: copy.path, kind: 'supersededTape', why: copyReason(counts) });
  };
  for (const { path } of homes) {
    const found = discoverNativeHome(path);
    problems.push(...found.problems);
    notTapes.push(...found.notTapes);
    for (const tape of found.tapes) put(nativeFile(path, tape, { known: known.headers, onRead: options.onRead }));
  }
  return new NativeShelf({ byTape, notTapes, problems }, { ...options, known });
}
