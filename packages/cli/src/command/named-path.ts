import { resolve } from 'node:path';

const looksLikePath = /[/\\]|\.(?:jsonl?|zst)$|^\.{1,2}$/;

/** Ids have no separators and no file endings: everything else is a path, below the folder that the command was run in. */
export function namedPath(idOrPath: string, cwd: string): string {
  return looksLikePath.test(idOrPath) ? resolve(cwd, idOrPath) : idOrPath;
}
