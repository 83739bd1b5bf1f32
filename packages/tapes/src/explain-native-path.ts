import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileExplanation, explanation, kindByContent } from './file-kinds.js';
import { nativeKindByName } from './native-home.js';
import { BLOBS, TAPE_FILE } from './writer/folders.js';

/** A native tape tells by its header; what lies beside one by its name. Undefined elsewhere. Throws `TapeError` of opening and reading. */
export function explainNativePath(path: string, isFolder: boolean): FileExplanation | undefined {
  const folder = basename(dirname(path)) === BLOBS ? dirname(dirname(path)) : dirname(path);
  if (!existsSync(join(folder, TAPE_FILE))) return undefined;
  if (folder !== dirname(path)) return explanation('media');
  const kind = nativeKindByName(basename(path));
  if (kind === 'tape') return isFolder || kindByContent(path) !== 'tape' ? undefined : explanation('tape');
  return kind === undefined ? undefined : explanation(kind);
}
