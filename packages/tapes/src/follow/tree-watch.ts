import { type Dirent, type FSWatcher, type Stats, readdirSync, watch } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { UNWATCHED_LOOK_MS, WAITING_CHANGES, WATCHED_FOLDERS } from '../limits.js';
import { FolderSigns } from './folder-signs.js';
import { PathWatch, statsAt } from './path-watch.js';
import { Wake } from './wake.js';

/** A folder whose files are watched, with those below it down to `depth` (0: only its own files). It need not exist. `skips`: folders in it that are not entered; `takes`: names of files that are told (all where absent). */
export interface WatchedRoot {
  readonly path: string;
  readonly depth: number;
  readonly skips?: ((path: string) => boolean) | undefined;
  readonly takes?: ((name: string) => boolean) | undefined;
}

/**
 * What may have happened at a path: `file`, there is a file that is new or was written to; `gone`, nothing is there any more (of a folder: nor below it); `folder`, its
 * files are to be looked through anew, since more happened than was kept count of, or since it is not watched.
 */
export interface TreeChange {
  readonly path: string;
  readonly kind: 'file' | 'gone' | 'folder';
}

/** Bounds that a test may want smaller. */
export interface TreeWatchOptions {
  readonly folders?: number | undefined;
  readonly waiting?: number | undefined;
  readonly lookMs?: number | undefined;
}

/** Where a folder stands. */
interface Place { readonly root: WatchedRoot; readonly depth: number }
/** A folder on its way in. `isNews`: something happens in it now. */
interface Arrival extends Place { readonly isNews?: boolean | undefined }
/** `usedAt`: the greater, the later something happened in it or below it; of those found together, the first. */
interface Folder extends Place { readonly watcher: FSWatcher; readonly inode: string; usedAt: number }
type Found = Map<string, TreeChange['kind']>;

const noWatchesLeft: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENOSYS']);

/** Tells one folder from another, also over links. */
const inodeOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/**
 * Watches files of folders, and folders that come to be in them, by the events of the file system: one watch for a folder. What is told is that a look is worth it;
 * several events of a path are told once. Make the watch first and look through the folders then: what happens from then on is told.
 *
 *   event ──▶ dirty (bounded; too many: the whole root is to be looked through) ──batch is taken──▶ stat ──▶ file · gone · a new folder: watched, its files told
 *
 * Folders beyond the bound (the first by name of those found together, so that old dates go first) are looked at every quarter of a minute instead. One that comes, and one
 * in which such a look finds something, is watched in the place of the one in which nothing happened for the longest time. Iterate `changes` once; it ends at `close`. Never
 * throws: what cannot be watched is looked at.
 */
export class TreeWatch {
  readonly #roots: readonly WatchedRoot[];
  readonly #paths: readonly PathWatch[];
  readonly #bounds: Required<{ [K in keyof TreeWatchOptions]: number }>;
  readonly #folders = new Map<string, Folder>();
  /** Paths of folders by what they are: one that several links lead to is watched once. */
  readonly #inodes = new Map<string, string>();
  readonly #unwatched: FolderSigns<Place>;
  readonly #dirty = new Map<string, Place>();
  readonly #wake = new Wake();
  #hasOverflown = false;
  #isClosed = false;
  #wasRefused = false;
  #clock = 0;

  constructor(roots: readonly WatchedRoot[], { folders = WATCHED_FOLDERS, waiting = WAITING_CHANGES, lookMs = UNWATCHED_LOOK_MS }: TreeWatchOptions = {}) {
    this.#roots = roots;
    this.#bounds = { folders, waiting, lookMs };
    this.#unwatched = new FolderSigns<Place>(folders);
    this.#paths = roots.map((root) => new PathWatch(root.path, () => this.#note(root.path, rootPlace(root))));
    for (const root of roots) this.#lookAtRoot(root, new Map());
  }

  /** Folders that are watched now. */
  get watchedFolders(): number {
    return this.#folders.size;
  }

  /** Whether the system gave no watch for a folder, since it has no more of them: then little is told in time. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  /** Ends the iteration, also one that waits. Does nothing the second time. */
  close(): void {
    this.#isClosed = true;
    for (const path of this.#paths) path.close();
    for (const path of this.#folders.keys()) this.#drop(path);
    this.#wake.set();
  }

  /** Batches of changes, each path at most once in a batch, never empty. What happens before a batch is taken is told with it. */
  async *changes(): AsyncGenerator<readonly TreeChange[], void> {
    try {
      while (!this.#isClosed) {
        this.#wake.clear();
        const batch = this.#take();
        if (batch.length > 0) yield batch;
        else await this.#wake.wait(this.#unwatched.isEmpty ? undefined : this.#bounds.lookMs);
      }
    } finally {
      this.close();
    }
  }

  #note(path: string, place: Place): void {
    this.#hasOverflown ||= this.#dirty.size >= this.#bounds.waiting;
    if (!this.#hasOverflown) this.#dirty.set(path, place);
    this.#wake.set();
  }

  #take(): TreeChange[] {
    const found: Found = new Map();
    if (this.#hasOverflown) this.#lookThrough(found);
    for (const [path, place] of this.#dirty) {
      this.#dirty.delete(path);
      if (path === place.root.path) this.#lookAtRoot(place.root, found);
      else this.#lookAt(path, place, found);
    }
    for (const [path, place] of this.#unwatched.changed(this.#bounds.lookMs)) {
      this.#leaveMoved(path, found);
      this.#watchNews(path, place, found);
      found.set(path, 'folder');
      this.#enterBelow(path, place, found);
    }
    return [...found].map(([path, kind]) => ({ path, kind }));
  }

  /** Too much happened: whoever listens looks through everything, and so do we for folders. */
  #lookThrough(found: Found): void {
    this.#hasOverflown = false;
    this.#dirty.clear();
    for (const root of this.#roots) this.#leaveMoved(root.path, new Map());
    for (const [path, place] of this.#folders) this.#enterBelow(path, place, new Map());
    for (const root of this.#roots) {
      this.#lookAtRoot(root, new Map());
      found.set(root.path, 'folder');
    }
  }

  /** A root appeared, went, or is another folder. */
  #lookAtRoot(root: WatchedRoot, found: Found): void {
    this.#paths[this.#roots.indexOf(root)]?.arm();
    const known = this.#folders.get(root.path);
    const stats = statsAt(root.path);
    if (known && stats && inodeOf(stats) === known.inode) return;
    if (known) this.#leave(root.path, found);
    if (stats?.isDirectory()) this.#enter(root.path, rootPlace(root), found);
  }

  /** Something happened to a name in a watched folder. */
  #lookAt(path: string, { root, depth }: Place, found: Found): void {
    const stats = statsAt(path);
    const known = this.#folders.get(path);
    if (known && (!stats || inodeOf(stats) !== known.inode)) this.#leave(path, found);
    if (stats?.isDirectory()) this.#enter(path, { root, depth: depth + 1, isNews: true }, found);
    else if (root.takes?.(basename(path)) ?? true) found.set(path, stats ? 'file' : 'gone');
  }

  /** Watches a folder and those below it; its files may have been there before the watch, so they are told. */
  #enter(path: string, { isNews = false, ...place }: Arrival, found: Found): void {
    const stats = statsAt(path);
    const isLeftOut = place.depth > place.root.depth || place.root.skips?.(path);
    if (!stats?.isDirectory() || isLeftOut || this.#isWatched(path, inodeOf(stats), found)) return;
    const isWatched = isNews ? this.#watchNews(path, place, found) : this.#watch(path, place, inodeOf(stats));
    if (!isWatched) this.#unwatched.add(path, place);
    this.#enterBelow(path, { ...place, isNews }, found);
  }

  /** The newest by name first: of more folders than can be watched, those of the last dates are. */
  #enterBelow(path: string, { root, depth, isNews }: Arrival, found: Found): void {
    for (const entry of entriesOf(path).sort((a, b) => (a.name < b.name ? 1 : -1))) {
      const child = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? statsAt(child) : entry;
      if (kind?.isDirectory()) this.#enter(child, { root, depth: depth + 1, isNews }, found);
      else if (kind?.isFile() && (root.takes?.(entry.name) ?? true)) found.set(child, 'file');
    }
  }

  /** Under this path or under another one. A folder that was moved is watched under its old path still, and is left there. */
  #isWatched(path: string, inode: string, found: Found): boolean {
    const before = this.#inodes.get(inode);
    const stats = before === undefined || before === path ? undefined : statsAt(before);
    const isMoved = before !== undefined && before !== path && (!stats || inodeOf(stats) !== inode);
    if (isMoved) this.#leave(before, found);
    return this.#folders.has(path) || this.#inodes.has(inode);
  }

  get #isFull(): boolean {
    return this.#folders.size >= this.#bounds.folders;
  }

  /** Something happens in a folder: it and those above it, which would tell of folders beside it, are the last to be pushed out. */
  #touch(path: string): void {
    for (let at = path; ; at = dirname(at)) {
      const folder = this.#folders.get(at);
      if (!folder) return;
      folder.usedAt = this.#clock += 1;
    }
  }

  /** Watches a folder in which something happens now, in the place of another where there are as many as there may be. */
  #watchNews(path: string, place: Place, found: Found): boolean {
    const stats = statsAt(path);
    if (!stats || this.#inodes.has(inodeOf(stats))) return false;
    const pushedOut = this.#isFull ? this.#pushedOutFor(path) : undefined;
    const isWatched = this.#watch(path, place, inodeOf(stats));
    this.#touch(path);
    if (!pushedOut) return isWatched;
    // Events may have been on their way when its watch was taken.
    this.#unwatched.add(...pushedOut);
    found.set(pushedOut[0], 'folder');
    this.#enterBelow(...pushedOut, found);
    return isWatched;
  }

  /** Takes the watch from the folder in which nothing happened for the longest time; undefined where only those above `path` are left. */
  #pushedOutFor(path: string): [string, Place] | undefined {
    let oldest: [string, Folder] | undefined;
    for (const each of this.#folders) if (!oldest || each[1].usedAt < oldest[1].usedAt) oldest = each;
    if (!oldest || isBelow(path, oldest[0])) return undefined;
    const [old, { root, depth }] = oldest;
    this.#drop(old);
    return [old, { root, depth }];
  }

  #watch(path: string, place: Place, inode: string): boolean {
    if (this.#isFull) return false;
    try {
      const watcher = watch(path, (_type, name) => { this.#onEvent(path, name); });
      watcher.on('error', () => { this.#drop(path); this.#overflow(); });
      this.#folders.set(path, { ...place, watcher, inode, usedAt: -(this.#clock += 1) });
      this.#inodes.set(inode, path);
      this.#unwatched.remove(path);
      return true;
    } catch (cause) {
      this.#wasRefused ||= noWatchesLeft.has((cause as NodeJS.ErrnoException).code ?? '');
      return false;
    }
  }

  /** An event without a name may be of any; one of the folder's own name may be of the folder, which the one above tells as well. */
  #onEvent(path: string, name: string | null): void {
    const folder = this.#folders.get(path);
    if (!folder) return;
    this.#touch(path);
    if (name === null) this.#overflow();
    else if (name === basename(path) && !statsAt(join(path, name))) this.#note(folder.root.path, rootPlace(folder.root));
    else this.#note(join(path, name), folder);
  }

  #overflow(): void {
    this.#hasOverflown = true;
    this.#wake.set();
  }

  /** Leaves the folders from a path down that it no longer leads to. */
  #leaveMoved(path: string, found: Found): void {
    for (const [known, { inode }] of this.#folders) {
      const stats = isBelow(known, path) ? statsAt(known) : undefined;
      if (isBelow(known, path) && (!stats || inodeOf(stats) !== inode)) this.#leave(known, found);
    }
  }

  #leave(path: string, found: Found): void {
    for (const known of this.#folders.keys()) if (isBelow(known, path)) this.#drop(known);
    this.#unwatched.removeBelow(path);
    found.set(path, 'gone');
  }

  #drop(path: string): void {
    const folder = this.#folders.get(path);
    if (!folder) return;
    folder.watcher.close();
    this.#folders.delete(path);
    this.#inodes.delete(folder.inode);
  }
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
const rootPlace = (root: WatchedRoot): Place => ({ root, depth: 0 });

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
