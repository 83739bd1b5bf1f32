import { basename, join } from 'node:path';
import type { FileKind } from './file-kinds.js';
import { HomeDiscovery, type NotTape } from './home-discovery.js';
import type { WalkProblem, WalkedFolder, WalkedLink } from './walk.js';
import { BLOBS, TAPE_FILE } from './writer/folders.js';

/** One native tape of a home. Nothing of it was read but the name of its folder. */
export interface NativeTapeFile {
  readonly path: string;
  /** The thread's id as its folder says it; the header of the tape says it for sure. */
  readonly threadId: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, as the file system has it. */
  readonly mtimeMs: number;
}

/** Everything of a home of native tapes, each list in the order of the walk (folders by name). */
export interface NativeHome {
  readonly home: string;
  readonly tapes: readonly NativeTapeFile[];
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
}

/** What an entry of a tape's folder is. */
export function nativeKindByName(name: string): FileKind | undefined {
  if (name === TAPE_FILE) return 'tape';
  if (name === BLOBS) return 'media';
  if (name.endsWith('.lock')) return 'lock';
  return name.endsWith('.tmp') ? 'temporary' : undefined;
}

class NativeDiscovery extends HomeDiscovery {
  readonly tapes: NativeTapeFile[] = [];

  top(): void {
    const home = this.walk.list(this.home);
    for (const name of [...(home?.files ?? []), ...(home?.others ?? [])]) this.recognise(join(this.home, name), 'other');
    for (const name of home?.folders ?? []) this.thread(join(this.home, name));
    this.followLinks();
  }

  private thread(path: string): void {
    const folder = this.walk.list(path);
    if (!folder) return;
    this.problemsIn(folder, (name) => name === TAPE_FILE);
    for (const name of [...folder.files, ...folder.folders]) this.entry(folder, name);
  }

  private entry(folder: WalkedFolder, name: string): void {
    const path = join(folder.path, name);
    if (name !== TAPE_FILE) return this.recognise(path, nativeKindByName(name) ?? 'other');
    const stats = folder.files.includes(name) ? this.statsOf(path) : undefined;
    if (stats) this.tapes.push({ path, threadId: basename(folder.path), ...stats });
  }

  protected followLink({ path, target, reason }: WalkedLink): void {
    const isThread = this.partsOf(path).length === 1;
    if (reason !== undefined && (isThread || basename(path) === TAPE_FILE)) this.problem(path, reason);
    else if (isThread && target === 'folder') this.thread(path);
    // A writer follows no link to a tape, so what a link leads to is nobody's tape here.
    else this.recognise(path, 'link');
  }
}

/**
 * Finds the native tapes of a home, each in the folder of its thread. Needs no index, opens no file, writes nothing and never throws: what cannot be read is a problem. Costs one
 * listing per folder and one `stat` per tape.
 */
export function discoverNativeHome(home: string): NativeHome {
  const discovery = new NativeDiscovery(home);
  discovery.top();
  const { tapes, notTapes, walk } = discovery;
  return { home, tapes, notTapes, problems: walk.problems };
}
