import { explainPath } from '@tapefold/tapes';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PathExplanation } from '../thread-source.js';
import { hiddenBecause, summaryOf } from './summary.js';
import type { ThreadFiles, ThreadShelf } from './thread-files.js';

function threadExplanation(shelf: ThreadShelf, thread: ThreadFiles, path: string): PathExplanation {
  const row = summaryOf(shelf, thread);
  const hidden = hiddenBecause(row);
  const older = thread.newest.file.shownPath !== path && thread.newest.file.path !== path;
  const part = older ? ` This file is an earlier segment of it; ${thread.newest.file.shownPath} is the newest.` : '';
  const problem = row.problem === undefined ? '' : ` Reading it is hindered: ${row.problem}.`;
  return {
    path, kind: 'tape', isListed: hidden === undefined,
    why: hidden === undefined ? `It is thread ${thread.threadId}, and the list shows it.${part}${problem}` : `It is thread ${thread.threadId}, and a plain list leaves it out: ${hidden}.${part}${problem}`,
  };
}

/** Says why a path or an id is, or is not, in the list. */
export function explain(shelf: ThreadShelf, idOrPath: string): PathExplanation {
  const path = resolve(idOrPath);
  const file = shelf.catalog.files.find((candidate) => candidate.path === path || candidate.shownPath === path);
  if (file) return threadExplanation(shelf, shelf.find(file.name?.threadId ?? file.rolloutId), path);
  const known = shelf.catalog.notTapes.find((candidate) => candidate.path === path);
  if (known) return { path, kind: known.kind, isListed: false, why: known.why };
  if (existsSync(path)) {
    const told = explainPath(path);
    return { path, kind: told.kind, isListed: false, why: told.kind === 'tape' ? `${told.why} It lies in none of the homes that are looked at, so the list does not show it.` : told.why };
  }
  const thread = shelf.find(idOrPath);
  return threadExplanation(shelf, thread, thread.newest.file.shownPath);
}
