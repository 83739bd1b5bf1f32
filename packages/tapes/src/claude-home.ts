import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ClaudeTapeName, PROJECTS, TOOL_RESULTS, claudeKind, claudeKindByName, parseClaudeName } from './claude-names.js';
import { HomeDiscovery, type NotTape } from './home-discovery.js';
import type { WalkProblem, WalkedFolder, WalkedLink } from './walk.js';

/** One file of a Claude home that may be a session's or a sub-agent's. Nothing of it was read but its name: what it holds is for the reader to tell. */
export interface ClaudeTapeFile {
  readonly path: string;
  readonly name: ClaudeTapeName;
  /** The side tape of a sub-agent, where there is one. */
  readonly notePath?: string | undefined;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, as the file system has it. */
  readonly mtimeMs: number;
}

/** Everything of a Claude home, each list in the order of the walk (folders by name). */
export interface ClaudeHome {
  readonly home: string;
  readonly tapes: readonly ClaudeTapeFile[];
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
}

/** Texts of long outputs can be many: their folder is one entry. */
const isToolResults = (folder: WalkedFolder): boolean => basename(folder.path) === TOOL_RESULTS;

class ClaudeDiscovery extends HomeDiscovery {
  readonly tapes: ClaudeTapeFile[] = [];

  /** The home's own entries: recognised, and only the projects entered. */
  top(): void {
    const folder = this.walk.list(this.home);
    for (const name of [...(folder?.files ?? []), ...(folder?.others ?? []), ...(folder?.folders ?? [])]) {
      if (name !== PROJECTS) this.recognise(join(this.home, name), claudeKindByName(name) ?? 'other');
    }
    if (folder?.folders.includes(PROJECTS)) this.tree(join(this.home, PROJECTS));
    this.followLinks();
  }

  private tree(root: string): void {
    for (const folder of this.walk.tree(root, isToolResults)) {
      if (isToolResults(folder)) this.recognise(folder.path, 'media');
      else this.sessionsIn(folder);
    }
  }

  private sessionsIn(folder: WalkedFolder): void {
    this.problemsIn(folder, (name) => this.nameOf(join(folder.path, name)) !== undefined);
    for (const name of folder.files) this.file(join(folder.path, name));
  }

  private file(path: string): void {
    const name = this.nameOf(path);
    if (!name) return this.recognise(path, claudeKind(this.partsOf(path)) ?? 'other');
    const stats = this.statsOf(path);
    if (!stats) return;
    const notePath = path.replace(/\.jsonl$/, '.meta.json');
    const hasNote = name.kind === 'agent' && existsSync(notePath);
    this.tapes.push({ path, name, ...(hasNote ? { notePath } : {}), ...stats });
  }

  protected followLink({ path, target, reason }: WalkedLink): void {
    const [top = ''] = this.partsOf(path);
    const isSession = top === PROJECTS;
    // People link their settings in from elsewhere: what they lead to does not matter.
    if (!isSession) this.recognise(path, claudeKindByName(top) ?? 'link');
    else if (reason !== undefined) this.problem(path, reason);
    else if (target === 'folder') this.tree(path);
    else this.file(path);
  }

  private nameOf(path: string): ClaudeTapeName | undefined {
    return parseClaudeName(this.partsOf(path).slice(1));
  }
}

/**
 * Finds every line file below `projects/` of a Claude home: sessions, sub-agents in their session's folder, those of old versions beside the sessions, and
 * whatever else has such a name. Needs no index, opens no file, writes nothing and never throws: what cannot be read is a problem. Costs one listing
 * per folder and one `stat` per file.
 */
export function discoverClaudeHome(home: string): ClaudeHome {
  const discovery = new ClaudeDiscovery(home);
  discovery.top();
  const { tapes, notTapes, walk } = discovery;
  return { home, tapes, notTapes, problems: walk.problems };
}
