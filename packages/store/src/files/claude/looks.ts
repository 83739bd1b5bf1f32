import { dirname } from 'node:path';
import { Apart } from '../apart.js';
import { type LookTable, isSameFile, keptLook } from '../kept-looks.js';
import type { OnRead } from '../shelf.js';
import { type Beginning, type ForkCandidate, forkOrigin, readBeginning } from './beginning.js';
import type { ClaudeFile } from './claude-file.js';
import { type ClaudeLook, lookAtClaude } from './claude-look.js';
import { summaryFor } from './titles.js';

/** Looks at files, and at their beginnings alone, by path: they hold while the file is the same. */
export interface KnownClaudeLooks {
  readonly looks: LookTable<ClaudeLook>;
  readonly beginnings: LookTable<BeginningLook>;
}

/** Before the first look; each call its own, since the maps grow in place. */
export const noClaudeLooks = (): KnownClaudeLooks => ({ looks: new Map(), beginnings: new Map() });

/** What a look at the beginning of a file alone tells. */
interface BeginningLook { readonly file: ClaudeFile; readonly beginning: Beginning; readonly hasFailed?: true | undefined }

function lookAtBeginning(file: ClaudeFile): BeginningLook {
  const beginning = readBeginning(file.path);
  return beginning ? { file, beginning } : { file, beginning: {}, hasFailed: true };
}

/** What the sessions of one folder say of each other. */
interface Folder {
  readonly summaries: readonly { readonly leafUuid: string; readonly text: string }[];
  readonly families: ReadonlyMap<string, readonly ForkCandidate[]>;
}

/** Looks at the files of Claude homes as they are asked for, each once. */
export class ClaudeLooks {
  readonly #onRead: OnRead | undefined;
  readonly #known: KnownClaudeLooks;
  readonly #apart: Apart;
  readonly #files = new Map<string, ClaudeFile[]>();
  readonly #folders = new Map<string, Folder>();

  constructor(files: readonly ClaudeFile[], options: { readonly onRead?: OnRead | undefined; readonly known?: KnownClaudeLooks | undefined; readonly apart?: Apart | undefined }) {
    this.#onRead = options.onRead;
    this.#known = options.known ?? noClaudeLooks();
    this.#apart = options.apart ?? new Apart();
    for (const file of files) {
      const siblings = this.#files.get(dirname(file.path));
      if (file.name.kind !== 'session') continue;
      if (siblings) siblings.push(file);
      else this.#files.set(dirname(file.path), [file]);
    }
  }

  look(file: ClaudeFile): ClaudeLook {
    return keptLook(this.#known.looks, { key: file.path, file }, () => lookAtClaude(file, this.#onRead));
  }

  /** The summary that another file of the folder has for a session. */
  summaryOf({ titles, file }: ClaudeLook): string | undefined {
    return summaryFor(titles.newestUuids, this.#folderOf(file).summaries);
  }

  /** The session that a session was forked from, as far as files of its folder tell. */
  forkOriginOf({ beginning, file }: ClaudeLook): string | undefined {
    if (beginning.firstUuid === undefined || beginning.isQueuedLater === false) return undefined;
    return forkOrigin({ threadId: file.threadId ?? '', beginning, mtimeMs: file.mtimeMs }, this.#folderOf(file).families.get(beginning.firstUuid) ?? []);
  }

  /** Needs the beginning of every session of the folder: 16 kB each, where none was looked at before. */
  #folderOf(file: ClaudeFile): Folder {
    const path = dirname(file.path);
    const known = this.#folders.get(path);
    if (known) return known;
    const candidates = this.#apart.each(this.#files.get(path) ?? [], (each) => each.path, (each): ForkCandidate => ({ threadId: each.threadId ?? '', beginning: this.#beginning(each), mtimeMs: each.mtimeMs }));
    const families = new Map<string, ForkCandidate[]>();
    for (const candidate of candidates) {
      const { firstUuid } = candidate.beginning;
      if (firstUuid !== undefined) families.set(firstUuid, [...(families.get(firstUuid) ?? []), candidate]);
    }
    const folder = { summaries: candidates.flatMap(({ beginning }) => beginning.summaries ?? []), families };
    this.#folders.set(path, folder);
    return folder;
  }

  #beginning(file: ClaudeFile): Beginning {
    const look = this.#known.looks.get(file.path);
    if (look && isSameFile(look.file, file)) return look.beginning;
    return keptLook(this.#known.beginnings, { key: file.path, file }, () => lookAtBeginning(file)).beginning;
  }
}
