import { accessSync, constants, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type FileExplanation, type FileKind, explanation } from './file-kinds.js';
import { Walk, type WalkedFolder, type WalkedLink } from './walk.js';

/** A file or folder of a home that is recognised and not read as a session. */
export interface NotTape extends FileExplanation {
  readonly path: string;
}

/** What discovery of a home is for every agent program; the lists grow as folders come. */
export abstract class HomeDiscovery {
  readonly walk = new Walk();
  readonly notTapes: NotTape[] = [];

  constructor(protected readonly home: string) {}

  /** A link to something that was not walked otherwise. */
  protected abstract followLink(link: WalkedLink): void;

  /** Links come last: what they lead to is mostly walked already, and then they are only named. */
  protected followLinks(): void {
    for (let link = this.walk.links.shift(); link; link = this.walk.links.shift()) {
      if (link.real !== undefined && this.walk.hasSeen(link.real)) this.recognise(link.path, 'link');
      else this.followLink(link);
    }
  }

  /** What among the sessions cannot be a session file: folders with the name of one, and what is no regular file. */
  protected problemsIn(folder: WalkedFolder, isSessionFolder: (name: string) => boolean): void {
    for (const name of folder.folders) if (isSessionFolder(name)) this.problem(join(folder.path, name), 'is a folder where a session file should be');
    for (const name of folder.others) this.problem(join(folder.path, name), 'is no regular file');
  }

  /** Size and time of a file that can be read; undefined (and a problem) for another. */
  protected statsOf(path: string): { readonly sizeBytes: number; readonly mtimeMs: number } | undefined {
    const stats = this.walk.attempt(path, () => (accessSync(path, constants.R_OK), statSync(path)));
    return stats && { sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  }

  /** The names of a path below the home, from the top. */
  protected partsOf(path: string): string[] {
    return relative(this.home, path).split(sep);
  }

  protected recognise(path: string, kind: FileKind): void {
    this.notTapes.push({ path, ...explanation(kind) });
  }

  protected problem(path: string, reason: string): void {
    this.walk.problems.push({ path, reason });
  }
}
