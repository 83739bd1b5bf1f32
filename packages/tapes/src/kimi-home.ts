import { basename, dirname, join } from 'node:path';
import type { FileKind } from './file-kinds.js';
import { HomeDiscovery, type NotTape } from './home-discovery.js';
import { type KimiTapeName, SESSIONS, kimiFolderKind, kimiKind, kimiKindByName, parseKimiName } from './kimi-names.js';
import type { WalkProblem, WalkedFolder, WalkedLink } from './walk.js';

/** One log of a Kimi home, of a session or of a sub-agent. Nothing of it was read but its name. */
export interface KimiTapeFile {
  readonly path: string;
  readonly name: KimiTapeName;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, as the file system has it. */
  readonly mtimeMs: number;
}

/** A folder that is a session's: with what its agent keeps beside the logs, and also where it holds no log. */
export interface KimiSessionFolder {
  readonly path: string;
  readonly bucket: string;
  readonly sessionId: string;
  /** Its side tapes, `state.json` or what stood for it in older versions; the one that counts first. */
  readonly notePaths: readonly string[];
  /** `meta.json` of sub-agents, by their ids (kimi-cli). */
  readonly agentNotes: Readonly<Record<string, string>>;
}

/** Everything of a Kimi home, each list in the order of the walk (folders by name). */
export interface KimiHome {
  readonly home: string;
  readonly tapes: readonly KimiTapeFile[];
  readonly sessions: readonly KimiSessionFolder[];
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  /** The side tape that says which folders the buckets of kimi-cli stand for, where there is one. */
  readonly workDirsPath?: string | undefined;
}

const WORK_DIRS = 'kimi.json';

interface GrowingSession { readonly path: string; readonly bucket: string; readonly sessionId: string; readonly notePaths: string[]; readonly agentNotes: Record<string, string> }

class KimiDiscovery extends HomeDiscovery {
  readonly tapes: KimiTapeFile[] = [];
  readonly sessions = new Map<string, GrowingSession>();
  workDirsPath: string | undefined;

  /** The home's own entries: recognised, and only the sessions entered. */
  top(): void {
    const folder = this.walk.list(this.home);
    for (const name of [...(folder?.files ?? []), ...(folder?.others ?? []), ...(folder?.folders ?? [])]) if (name !== SESSIONS) this.topEntry(name);
    if (folder?.folders.includes(SESSIONS)) this.tree(join(this.home, SESSIONS));
    this.followLinks();
  }

  private topEntry(name: string): void {
    const path = join(this.home, name);
    if (name === WORK_DIRS) this.workDirsPath = path;
    this.recognise(path, kimiKindByName(name) ?? 'other');
  }

  /** Media, blobs and copies of files can be many: their folders are one entry each. */
  private tree(root: string): void {
    const kindOf = ({ path }: WalkedFolder): FileKind | undefined => kimiFolderKind(this.partsOf(path).slice(1));
    for (const folder of this.walk.tree(root, (each) => kindOf(each) !== undefined)) {
      const kind = kindOf(folder);
      if (kind === undefined) this.filesIn(folder);
      else this.recognise(folder.path, kind);
    }
  }

  private filesIn(folder: WalkedFolder): void {
    const below = this.partsOf(folder.path).slice(1);
    if (below.length === 2) this.sessionAt(folder.path);
    this.problemsIn(folder, (name) => below.length > 1 && parseKimiName([...below, name]) !== undefined);
    for (const name of folder.files) this.file(join(folder.path, name));
  }

  private file(path: string): void {
    const parts = this.partsOf(path).slice(1);
    const kind = kimiKind([SESSIONS, ...parts]) ?? 'other';
    const name = kind === 'tape' ? parseKimiName(parts) : undefined;
    if (kind === 'sessionNote' || kind === 'agentNote') this.note(path, parts);
    if (!name) return this.recognise(path, kind);
    const stats = this.statsOf(path);
    if (stats) this.tapes.push({ path, name, ...stats });
  }

  /** Older versions keep a session's state one folder deeper, or under another name. */
  private note(path: string, parts: readonly string[]): void {
    const session = parts.length > 2 ? this.sessionAt(join(this.home, SESSIONS, parts[0] ?? '', parts[1] ?? '')) : undefined;
    if (!session) return;
    const isAgents = parts.length === 5 && parts[2] === 'subagents' && parts[4] === 'meta.json';
    if (isAgents) session.agentNotes[parts[3] ?? ''] = path;
    else if (parts.length === 3 && basename(path) === 'state.json') session.notePaths.unshift(path);
    else if (parts.length === 3 || (parts.length === 4 && basename(dirname(path)) === 'session-meta')) session.notePaths.push(path);
  }

  private sessionAt(path: string): GrowingSession {
    const [, bucket = '', sessionId = ''] = this.partsOf(path);
    const known = this.sessions.get(path);
    if (known) return known;
    const session: GrowingSession = { path, bucket, sessionId, notePaths: [], agentNotes: Object.create(null) as Record<string, string> };
    this.sessions.set(path, session);
    return session;
  }

  protected followLink({ path, target, reason }: WalkedLink): void {
    const [top = ''] = this.partsOf(path);
    // People link their settings in from elsewhere: what they lead to does not matter.
    if (top !== SESSIONS) this.recognise(path, kimiKindByName(top) ?? 'link');
    else if (reason !== undefined) this.problem(path, reason);
    else if (target === 'folder') this.tree(path);
    else this.file(path);
  }
}

/**
 * Finds every log below `sessions/` of a Kimi home, of kimi-code as of kimi-cli: those of sessions and of sub-agents, and the model's histories that kimi-cli
 * kept before it kept logs. Which family a session is of, its own folder says. Needs no index, opens no file, writes nothing and never throws: what
 * cannot be read is a problem. Costs one listing per folder and one `stat` per log.
 */
export function discoverKimiHome(home: string): KimiHome {
  const discovery = new KimiDiscovery(home);
  discovery.top();
  const { tapes, sessions, notTapes, walk, workDirsPath } = discovery;
  return { home, tapes, sessions: [...sessions.values()], notTapes, problems: walk.problems, ...(workDirsPath === undefined ? {} : { workDirsPath }) };
}
