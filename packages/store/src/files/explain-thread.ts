import { explainPath } from '@tapefold/tapes';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PathExplanation } from '../thread-source.js';
import { hiddenBecause } from './rows.js';
import type { ShelfThread } from './shelf.js';
import type { Shelves } from './shelves.js';

function threadExplanation(thread: ShelfThread, path: string): PathExplanation {
  if (thread.notThread !== undefined) return { path, kind: 'tape', isListed: false, why: thread.notThread };
  const row = thread.row();
  const hidden = hiddenBecause(row);
  const older = thread.file.shownPath !== path && thread.file.path !== path;
  const part = older ? ` This file is an earlier segment of it; ${thread.file.shownPath} is the newest.` : '';
  const problem = row.problem === undefined ? '' : ` Reading it is hindered: ${row.problem.replace(/\.$/, '')}.`;
  return {
    path, kind: 'tape', isListed: hidden === undefined,
    why: hidden === undefined ? `It is thread ${thread.threadId}, and the list shows it.${part}${problem}` : `It is thread ${thread.threadId}, and a plain list leaves it out: ${hidden}.${part}${problem}`,
  };
}

/** Says why a path or an id is, or is not, in the list. */
export function explain(shelves: Shelves, idOrPath: string): PathExplanation {
  const path = resolve(idOrPath);
  const owner = shelves.atPath(path);
  if (owner) return threadExplanation(owner, path);
  const known = shelves.notTapes.find((candidate) => candidate.path === path);
  if (known) return { path, kind: known.kind, isListed: false, why: known.why };
  if (existsSync(path)) {
    const told = explainPath(path);
    return { path, kind: told.kind, isListed: false, why: told.kind === 'tape' ? `${told.why} It lies in none of the homes that are looked at, so the list does not show it.` : told.why };
  }
  const thread = shelves.find(idOrPath);
  return threadExplanation(thread, thread.file.shownPath);
}
