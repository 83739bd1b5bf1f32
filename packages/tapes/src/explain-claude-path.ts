import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { PROJECTS, claudeKind, isProjectFolder } from './claude-names.js';
import { type FileExplanation, explanation } from './file-kinds.js';

/** True for a folder that looks like a Claude home: it holds projects that are named as Claude Code names them. */
function isClaudeHome(folder: string): boolean {
  if (basename(folder) === '.claude') return true;
  try {
    return statSync(join(folder, PROJECTS)).isDirectory() && readdirSync(join(folder, PROJECTS)).some(isProjectFolder);
  } catch {
    return false;
  }
}

/** The Claude home that a path lies in, the nearest; undefined where there is none. */
function homeOf(path: string): string | undefined {
  for (let folder = dirname(path), below = path; folder !== below; below = folder, folder = dirname(folder)) {
    if (isClaudeHome(folder)) return folder;
  }
  return undefined;
}

/** What a path inside a Claude home is, by its place; undefined where it lies in none, or its place does not tell. Never throws. */
export function explainClaudePath(path: string, isFolder: boolean): FileExplanation | undefined {
  const home = homeOf(path);
  if (home === undefined) return undefined;
  const kind = claudeKind(relative(home, path).split(sep));
  if (kind === 'tape' && isFolder) return explanation('folder');
  return kind === undefined ? undefined : explanation(kind);
}
