import { join } from 'node:path';
import { kindByContent, kindByName } from './file-kinds.js';
import { HomeDiscovery, type NotTape } from './home-discovery.js';
import { isCompressedName, shownPathOf } from './open-source.js';
import { type RolloutName, parseRolloutName } from './rollout-name.js';
import { type TapeForm, namedForm } from './tape-form.js';
import type { WalkProblem, WalkedFolder, WalkedLink } from './walk.js';

/** One session file of a Codex home. Nothing of it was read but its name. */
export interface CodexTapeFile {
  /** Where the file is: with `.zst`, where it is compressed. */
  readonly path: string;
  /** The path that Codex shows: without `.zst`. */
  readonly shownPath: string;
  readonly form: TapeForm;
  readonly isArchived: boolean;
  /** Undefined where the name follows no grammar: the thread's id then stands in the first record. */
  readonly name: RolloutName | undefined;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, as the file system has it. */
  readonly mtimeMs: number;
}

/** Everything of a Codex home, each list in the order of the walk (folders by name). */
export interface CodexHome {
  readonly home: string;
  readonly tapes: readonly CodexTapeFile[];
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  /** The side tape of thread names, where there is one. */
  readonly sessionIndexPath?: string | undefined;
}

const SESSIONS = 'sessions';
const ARCHIVED = 'archived_sessions';
const SESSION_INDEX = 'session_index.jsonl';
/** A rollout trace: a folder of these two. */
const traceFiles = ['manifest.json', 'trace.jsonl'];
const sessionFile = /\.jsonl(?:\.zst)?$/;
const documentFile = /^rollout-.*\.json(?:\.zst)?$/;

const isTraceBundle = (folder: WalkedFolder): boolean => traceFiles.every((name) => folder.files.includes(name));
const isSessionName = (name: string): boolean => sessionFile.test(name) || documentFile.test(name);

class CodexDiscovery extends HomeDiscovery {
  readonly tapes: CodexTapeFile[] = [];
  sessionIndexPath: string | undefined;

  /** The home's own entries: recognised, none entered. */
  top(): void {
    const folder = this.walk.list(this.home);
    for (const name of folder?.files ?? []) this.topFile(name);
    for (const name of [...(folder?.folders ?? []), ...(folder?.others ?? [])]) {
      if (name !== SESSIONS && name !== ARCHIVED) this.recognise(join(this.home, name), kindByName(name) ?? 'other');
    }
    for (const name of [SESSIONS, ARCHIVED]) if (folder?.folders.includes(name)) this.tree(join(this.home, name));
    this.followLinks();
  }

  private topFile(name: string): void {
    const path = join(this.home, name);
    if (name === SESSION_INDEX) this.sessionIndexPath = path;
    else this.recognise(path, parseRolloutName(name) ? 'strayTape' : (kindByName(name) ?? 'other'));
  }

  private tree(root: string): void {
    for (const folder of this.walk.tree(root, isTraceBundle)) {
      if (isTraceBundle(folder)) this.recognise(folder.path, 'trace');
      else this.sessionsIn(folder);
    }
  }

  protected followLink({ path, target, reason }: WalkedLink): void {
    const [top = '', ...rest] = this.partsOf(path);
    const isSession = top === SESSIONS || top === ARCHIVED;
    // People link their settings in from elsewhere; where the name says that a thing is no tape, its target does not matter.
    const kind = isSession ? undefined : kindByName(top);
    if (kind !== undefined && kind !== 'tape' && kind !== 'sideTape') this.recognise(path, kind);
    else if (reason !== undefined) this.problem(path, reason);
    else if (isSession && target === 'folder') this.tree(path);
    else if (isSession) this.file(path, rest.at(-1) ?? '');
    else if (target === 'folder') this.recognise(path, 'link');
    else this.topFile(top);
  }

  private sessionsIn(folder: WalkedFolder): void {
    this.problemsIn(folder, isSessionName);
    for (const name of folder.files) {
      const isSuperseded = isCompressedName(name) && folder.files.includes(shownPathOf(name));
      if (isSuperseded) this.recognise(join(folder.path, name), 'supersededTape');
      else this.file(join(folder.path, name), name);
    }
  }

  /** A file among the sessions: a tape, unless its name or (where the name says nothing) its first record shows something else. */
  private file(path: string, name: string): void {
    const rollout = parseRolloutName(name);
    if (!rollout && !isSessionName(name)) return this.recognise(path, kindByName(name) ?? 'other');
    const stats = this.statsOf(path);
    if (!stats) return;
    const kind = rollout ? 'tape' : this.walk.attempt(path, () => kindByContent(path) ?? 'tape');
    if (kind !== undefined && kind !== 'tape') return this.recognise(path, kind);
    const isArchived = this.partsOf(path)[0] === ARCHIVED;
    this.tapes.push({ path, shownPath: shownPathOf(path), form: namedForm(path), isArchived, name: rollout, ...stats });
  }
}

/**
 * Finds every session file of a Codex home: `sessions/YYYY/MM/DD/`, `archived_sessions/`, the single documents of early 2025, and whatever
 * else lies among them. Needs no index, opens only files whose name says nothing, writes nothing and never throws: what cannot be read is a
 * problem. Costs one listing per folder and one `stat` per session file.
 */
export function discoverCodexHome(home: string): CodexHome {
  const discovery = new CodexDiscovery(home);
  discovery.top();
  const { tapes, notTapes, walk, sessionIndexPath } = discovery;
  return { home, tapes, notTapes, problems: walk.problems, ...(sessionIndexPath === undefined ? {} : { sessionIndexPath }) };
}
