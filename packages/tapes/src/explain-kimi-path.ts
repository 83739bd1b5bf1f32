import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type FileExplanation, explanation } from './file-kinds.js';
import { SESSIONS, isKimiBucket, kimiFolderKind, kimiKind } from './kimi-names.js';

const homeNames = new Set(['.kimi', '.kimi-code']);

/** True for a folder that looks like a Kimi home: it holds sessions in folders that are named as either family names them. */
function isKimiHome(folder: string): boolean {
  if (homeNames.has(basename(folder)) || existsSync(join(folder, 'kimi.json'))) return true;
  try {
    return readdirSync(join(folder, SESSIONS)).some(isKimiBucket);
  } catch {
    return false;
  }
}

/** The Kimi home that a path lies in, the nearest; undefined where there is none. */
function homeOf(path: string): string | undefined {
  for (let folder = dirname(path), below = path; folder !== below; below = folder, folder = dirname(folder)) {
    if (isKimiHome(folder)) return folder;
  }
  return undefined;
}

/** What a path inside a Kimi home is, by its place; undefined where it lies in none, or its place does not tell. Never throws. */
export function explainKimiPath(path: string, isFolder: boolean): FileExplanation | undefined {
  const home = homeOf(path);
  if (home === undefined) return undefined;
  const parts = relative(home, path).split(sep);
  const isOpenFolder = isFolder && parts[0] === SESSIONS && kimiFolderKind(parts.slice(1)) === undefined;
  const kind = isOpenFolder ? 'folder' : kimiKind(parts);
  return kind === undefined ? undefined : explanation(kind);
}
