import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { TapeError } from './errors.js';
import { explainClaudePath } from './explain-claude-path.js';
import { explainKimiPath } from './explain-kimi-path.js';
import { explainNativePath } from './explain-native-path.js';
import { type FileExplanation, explanation, kindByContent, kindByName } from './file-kinds.js';
import { isCompressedName, shownPathOf } from './open-source.js';
import { parseRolloutName } from './rollout-name.js';

const readable = /\.(?:jsonl?|zst)$/;

/** What a path is and why it is or is not read as a session, by its name, its folder and, where those do not tell, its first record. Never throws. */
export function explainPath(path: string): FileExplanation {
  const full = resolve(path);
  try {
    const stats = statSync(full, { throwIfNoEntry: false });
    if (!stats) return explanation('missing');
    const byPlace = explainClaudePath(full, stats.isDirectory()) ?? explainKimiPath(full, stats.isDirectory()) ?? explainNativePath(full, stats.isDirectory()) ?? kindByPlace(full, stats.isDirectory());
    if (byPlace) return byPlace;
    if (stats.isDirectory()) return explanation('folder');
    return readable.test(full) ? byRecord(full) : explanation('other');
  } catch (error) {
    return explanation(error instanceof TapeError && error.code === 'notAFile' ? 'other' : 'unreadable');
  }
}

const isAmongSessions = (path: string): boolean => dirname(path).split(sep).some((name) => name === 'sessions' || name === 'archived_sessions');

function kindByPlace(path: string, isFolder: boolean): FileExplanation | undefined {
  if (isInTrace(isFolder ? join(path, 'manifest.json') : path)) return explanation('trace');
  const name = basename(path);
  if (!isFolder && parseRolloutName(name)) return rollout(path);
  const parents = dirname(path).split(sep);
  // A debug log or a lock is often known by its folder only; `sessions` and what lies above it say nothing.
  const parent = ['log', 'logs', 'shell_snapshots', 'thread-writer-locks', '.tmp', 'app-server-control'].find((folder) => parents.at(-1) === folder);
  const kind = (parent === undefined ? undefined : kindByName(parent)) ?? kindByName(name);
  // By content a `history.jsonl` among the sessions can still be a session.
  return kind === undefined || (kind === 'promptRecall' && isAmongSessions(path)) ? undefined : explanation(kind);
}

function isInTrace(path: string): boolean {
  const folder = basename(dirname(path)) === 'payloads' ? dirname(dirname(path)) : dirname(path);
  return existsSync(join(folder, 'manifest.json')) && existsSync(join(folder, 'trace.jsonl'));
}

function rollout(path: string): FileExplanation {
  if (isCompressedName(path) && existsSync(shownPathOf(path))) return explanation('supersededTape');
  return explanation(isAmongSessions(path) ? 'tape' : 'strayTape');
}

function byRecord(path: string): FileExplanation {
  const kind = kindByContent(path);
  if (kind !== undefined && kind !== 'tape') return explanation(kind);
  if (kind === 'tape') return explanation(isAmongSessions(path) ? 'tape' : 'strayTape');
  // Discovery lists every `.jsonl` among the sessions, whatever its name: nothing is hidden.
  return explanation(isAmongSessions(path) && /\.jsonl(?:\.zst)?$/.test(path) ? 'tape' : 'other');
}
