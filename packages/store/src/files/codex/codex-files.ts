import { StoreError } from '../../errors.js';
import { type LookTable, keptLook } from '../kept-looks.js';
import { SEGMENT_LIMIT } from '../limits.js';
import { Apart } from '../apart.js';
import type { OnRead, Segment, ShelfFile } from '../shelf.js';
import type { Catalog, CatalogFile } from './catalog.js';
import { type HeadLook, lookAtHead } from './head-look.js';

/** The session files of one thread, oldest first; after reverts there are several, and the newest is the thread as it is now. */
export interface ThreadFiles {
  readonly threadId: string;
  readonly looks: readonly HeadLook[];
  readonly newest: HeadLook;
}

/** Files in the order of their making: by the time in the name, then by the id (which begins with a time as well). */
function byCreation(a: HeadLook, b: HeadLook): number {
  const key = ({ file }: HeadLook): string => `${file.name?.createdAtLocal ?? ''} ${file.rolloutId}`;
  return key(a) < key(b) ? -1 : 1;
}

/** Looks by tape that still hold while their file is the same. */
export type KnownLooks = LookTable<HeadLook>;

/**
 * The thread's id as the file's name says it: what makes several files one thread. The id inside a file may differ (then it is the one that is shown), and
 * files that only share that one are copies, each a thread of its own.
 */
export const nameOf = (file: CatalogFile): string => file.name?.threadId ?? file.rolloutId;

/** How files of Codex homes are looked at. */
export interface CodexOptions { readonly onRead?: OnRead | undefined; readonly known?: KnownLooks | undefined; readonly apart?: Apart | undefined }

/** The session files of the Codex homes. Looks at files as they are asked for, each once; a look at a file that did not change since holds. */
export class CodexFiles {
  readonly catalog: Catalog;
  readonly #onRead: OnRead | undefined;
  readonly #looks: KnownLooks;
  readonly #apart: Apart;

  constructor(catalog: Catalog, options: CodexOptions = {}) {
    this.catalog = catalog;
    this.#onRead = options.onRead;
    this.#looks = options.known ?? new Map();
    this.#apart = options.apart ?? new Apart();
  }

  look(file: CatalogFile): HeadLook {
    return keptLook(this.#looks, { key: file.tape, file }, () => lookAtHead(file, this.#onRead));
  }

  /** A look at a file of the shelf; undefined for a file of another one. */
  lookAt(file: ShelfFile): HeadLook | undefined {
    const own = this.catalog.byTape.get(file.tape);
    return own && this.look(own);
  }

  /** Every thread of the homes. Reads a head and a tail of each file. */
  all(): ThreadFiles[] {
    return [...grouped(this.#apart.each(this.catalog.files, ({ path }) => path, (file) => this.look(file))).values()].map(filesOf);
  }

  /** The thread that files name. */
  named(name: string): ThreadFiles {
    return filesOf(this.catalog.files.filter((file) => nameOf(file) === name).map((file) => this.look(file)));
  }

  /** The file that the history of `look` goes on from. */
  baseOf(look: HeadLook): HeadLook | undefined {
    const base = look.based && this.catalog.byTape.get(look.based.tape);
    return base && this.look(base);
  }

  /** The pieces of a thread, oldest first, and what of them is missing. */
  segmentsOf(thread: ThreadFiles): { segments: Segment[]; problems: string[] } {
    const segments: Segment[] = [{ file: thread.newest.file, endOffset: undefined, endOrdinal: undefined }];
    const seen = new Set([thread.newest.file.tape]);
    const problems: string[] = [];
    for (let look = thread.newest; look.based;) {
      const base = this.baseOf(look);
      if (!base) problems.push(`the earlier history stands in ${look.based.tape.replace('codex/', 'rollout ')}, which is in none of the homes: what is shown begins after it.`);
      else if (seen.has(base.file.tape)) problems.push(`the session files name each other as their base in a circle, ${base.file.shownPath} again: what is shown begins there.`);
      else if (segments.length >= SEGMENT_LIMIT) problems.push(`the history goes over more than ${SEGMENT_LIMIT} files: what is shown begins at ${look.file.shownPath}.`);
      if (!base || seen.has(base.file.tape) || segments.length >= SEGMENT_LIMIT) break;
      seen.add(base.file.tape);
      segments.unshift({ file: base.file, endOffset: look.based.endOffset, endOrdinal: look.based.endOrdinal });
      look = base;
    }
    return { segments, problems };
  }

  /** The first thing ever asked in a thread: in its oldest file, or in the one that that goes on from. A revert does not change it. */
  firstPromptOf(thread: ThreadFiles): string | undefined {
    for (const own of thread.looks) {
      const chain = [own];
      for (let base = this.baseOf(own); base && !chain.includes(base) && chain.length < SEGMENT_LIMIT; base = this.baseOf(base)) chain.unshift(base);
      const prompt = chain.map((look) => look.head.details.firstPrompt).find((text) => text !== undefined);
      if (prompt !== undefined) return prompt;
    }
    return undefined;
  }
}

function grouped(looks: readonly HeadLook[]): Map<string, HeadLook[]> {
  const groups = new Map<string, HeadLook[]>();
  for (const look of looks) {
    const name = nameOf(look.file);
    const group = groups.get(name);
    if (group) group.push(look);
    else groups.set(name, [look]);
  }
  return groups;
}

function filesOf(found: readonly HeadLook[]): ThreadFiles {
  const looks = [...found].sort(byCreation);
  const newest = looks.at(-1);
  if (!newest) throw new StoreError('threadNotFound');
  return { threadId: newest.head.identity?.threadId ?? nameOf(newest.file), looks, newest };
}
