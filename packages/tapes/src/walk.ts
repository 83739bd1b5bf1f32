import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { systemReason } from './errors.js';
import { WALK_DEPTH, WALK_ENTRIES } from './limits.js';

/** Something that could not be read, and the reason in words. Never hidden, never thrown. */
export interface WalkProblem {
  readonly path: string;
  readonly reason: string;
}

/** The entries of one folder, by name; links are not among them. `others`: sockets, pipes, devices. */
export interface WalkedFolder {
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly others: readonly string[];
}

/** A link, and what it leads to; whether that was walked anyway is known only when all else is. `real` is absent where it is `broken`. */
export interface WalkedLink {
  readonly path: string;
  readonly target: 'folder' | 'file' | 'outsideFile' | 'other' | 'broken';
  readonly real?: string | undefined;
  /** Why it is not to be followed. */
  readonly reason?: string | undefined;
}

/** What to do with a folder besides listing it. */
export type SkipFolder = (folder: WalkedFolder) => boolean;

/** A walk that goes into each real folder once, however many links lead there, and leaves the home only by links to folders. */
export class Walk {
  readonly problems: WalkProblem[] = [];
  /** Links found so far: take them when the trees are walked, since a real path is better than one over a link. */
  readonly links: WalkedLink[] = [];
  private readonly entered = new Set<string>();
  private readonly files = new Set<string>();
  private readonly roots: string[] = [];
  private entriesLeft: number;

  constructor(limits: { readonly entries?: number | undefined } = {}) {
    this.entriesLeft = limits.entries ?? WALK_ENTRIES;
  }

  /** True when the walk has listed this real folder or file. */
  hasSeen(real: string): boolean {
    return this.entered.has(real) || this.files.has(real);
  }

  /** The folder `path`; undefined when it cannot be listed (a problem then) or was listed before. */
  list(path: string): WalkedFolder | undefined {
    return this.enter(path, this.realOf(path));
  }

  /** Every folder from `path` down, each once; those that `skip` names are handed out and not entered. */
  *tree(path: string, skip: SkipFolder): Generator<WalkedFolder> {
    yield* this.below({ path, real: this.realOf(path), depth: 0 }, skip);
  }

  /** A folder in a real folder is where that one is: only where a walk begins the system is asked. */
  private *below({ path, real, depth }: { readonly path: string; readonly real: string | undefined; readonly depth: number }, skip: SkipFolder): Generator<WalkedFolder> {
    const folder = this.enter(path, real);
    if (!folder || real === undefined) return;
    yield folder;
    if (skip(folder)) return;
    for (const name of folder.folders) {
      if (depth < WALK_DEPTH) yield* this.below({ path: join(path, name), real: join(real, name), depth: depth + 1 }, skip);
      else this.problems.push({ path: join(path, name), reason: 'not entered: too many folders inside each other' });
    }
  }

  private realOf(path: string): string | undefined {
    return this.attempt(path, () => realpathSync.native(path));
  }

  private enter(path: string, real: string | undefined): WalkedFolder | undefined {
    if (real === undefined || this.entered.has(real)) return undefined;
    this.entered.add(real);
    if (!this.isInside(real)) this.roots.push(real);
    const entries = this.attempt(path, () => readdirSync(path, { withFileTypes: true }));
    return entries && this.sort({ path, real, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) });
  }

  /** Runs a system call; what it throws becomes a problem of `path`. */
  attempt<T>(path: string, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.problems.push({ path, reason: `cannot be read (${systemReason(error)})` });
      return undefined;
    }
  }

  private sort({ path, real, entries }: { path: string; real: string; entries: readonly Dirent[] }): WalkedFolder {
    const folder = { path, files: [] as string[], folders: [] as string[], others: [] as string[] };
    for (const entry of entries) {
      if (this.entriesLeft-- <= 0) {
        this.problems.push({ path, reason: 'not read to its end: too many files' });
        break;
      }
      if (entry.isFile()) {
        folder.files.push(entry.name);
        this.files.add(join(real, entry.name));
      } else if (entry.isDirectory()) folder.folders.push(entry.name);
      else if (entry.isSymbolicLink()) this.links.push(this.linkAt(join(path, entry.name)));
      else folder.others.push(entry.name);
    }
    return folder;
  }

  private linkAt(path: string): WalkedLink {
    try {
      const real = realpathSync.native(path);
      const stats = statSync(path);
      if (stats.isDirectory()) return { path, real, target: 'folder' };
      if (!stats.isFile()) return { path, real, target: 'other', reason: 'links to something that is no regular file' };
      if (this.isInside(real)) return { path, real, target: 'file' };
      return { path, real, target: 'outsideFile', reason: 'links to a file outside of the home, which is not followed' };
    } catch (error) {
      return { path, target: 'broken', reason: `cannot be read (${systemReason(error)})` };
    }
  }

  private isInside(real: string): boolean {
    return this.roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
  }
}
