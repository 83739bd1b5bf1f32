import { type FSWatcher, type Stats, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FOLLOW_FOLDERS } from '../limits.js';

/** Passes over a path in which something new may be found, before it is left for later. */
const ARM_PASSES = 20;

interface Watched { readonly watcher: FSWatcher; readonly device: number; readonly inode: number }

/** What is at a path, links followed; undefined where nothing is. Never throws. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The folders above a path, nearest first, each with the name that leads on from it to the path. */
function foldersAbove(path: string): { folder: string; name: string }[] {
  const folders: { folder: string; name: string }[] = [];
  for (let at = path; dirname(at) !== at; at = dirname(at)) folders.push({ folder: dirname(at), name: basename(at) });
  return folders;
}

/**
 * Events of the file system about one path, which need not exist:
 *
 *   the file itself (also under another name later) ── written to, cut, renamed, removed
 *   its folder, and some above it ─────────────────── something of the path's names appeared, went or was replaced
 *
 * An event says only that a look is worth it; several may come as one. Watches hang on files and folders and not on names, so `arm` is called before each look.
 */
export class PathWatch {
  readonly #path: string;
  readonly #onEvent: () => void;
  readonly #watched = new Map<string, Watched>();
  #isRefused = false;

  constructor(path: string, onEvent: () => void) {
    this.#path = path;
    this.#onEvent = onEvent;
  }

  /** False where the system gave no watch for the file or for its folder: then only looking tells. */
  get isWatched(): boolean {
    return !this.#isRefused;
  }

  /**
   * Sets watches where something new stands, until a pass over the path finds nothing new: what was made between a look at a place and the watch on it gave no
   * event. What happened at the path itself before this returns may have given none either: look afterwards.
   */
  arm(): void {
    for (let pass = 0; this.#pass(); pass++) {
      if (pass < ARM_PASSES) continue;
      // It changes faster than watches are set: later.
      return this.#onEvent();
    }
  }

  close(): void {
    for (const path of this.#watched.keys()) this.#drop(path);
  }

  /** Returns whether a watch was set. */
  #pass(): boolean {
    this.#isRefused = false;
    const above = foldersAbove(this.#path);
    const nearest = above.findIndex(({ folder }) => statsAt(folder) !== undefined);
    const near = above.slice(nearest, nearest + FOLLOW_FOLDERS);
    for (const path of this.#watched.keys()) if (path !== this.#path && !near.some(({ folder }) => folder === path)) this.#drop(path);
    const set = near.map(({ folder, name }) => this.#watch(folder, new Set([name, basename(folder)])));
    return this.#watch(this.#path) || set.includes(true);
  }

  /** `names`: only events of these count; a folder tells of itself under its own name. Returns whether the watch is new. */
  #watch(path: string, names?: ReadonlySet<string>): boolean {
    const stats = statsAt(path);
    const known = this.#watched.get(path);
    // A file that is no longer at its path is watched on: its writer may still have it open.
    if (!stats || (known && known.inode === stats.ino && known.device === stats.dev)) return false;
    this.#drop(path);
    try {
      const watcher = watch(path, (_type, name) => { if (!names || name === null || names.has(name)) this.#onEvent(); });
      watcher.on('error', () => { this.#drop(path); this.#onEvent(); });
      this.#watched.set(path, { watcher, device: stats.dev, inode: stats.ino });
      return true;
    } catch {
      this.#isRefused = true;
      return false;
    }
  }

  #drop(path: string): void {
    this.#watched.get(path)?.watcher.close();
    this.#watched.delete(path);
  }
}
