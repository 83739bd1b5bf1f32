import type { Fact, LineSpan } from '@tapefold/facts';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { STORED_OUTPUT_BYTES } from '../limits.js';
import type { StoredOutputs } from '../shelf.js';
import type { ClaudeFile } from './claude-file.js';

const FOLDER = 'tool-results';
const preview = /^<persisted-output>[\s\S]{0,200}?saved to: (.+)/;
const safeName = /^[\w-][\w.-]*$/;

/** Where a session keeps the whole texts of long outputs; its sub-agents keep theirs there, too. */
function folderOf({ path, name }: ClaudeFile): string {
  if (name.kind === 'session') return join(path.replace(/\.jsonl$/, ''), FOLDER);
  return name.sessionId === undefined ? join(dirname(path), FOLDER) : join(path.slice(0, path.lastIndexOf(name.sessionId)), name.sessionId, FOLDER);
}

/** The name of the stored text that a preview speaks of: its path is one of the machine that wrote it. */
function nameIn(text: string): string | undefined {
  return preview.exec(text)?.[1]?.trim().split(/[\\/]/).at(-1);
}

function read(path: string): string | undefined {
  try {
    return statSync(path).size > STORED_OUTPUT_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whole texts of outputs beside one session. A file that is gone, or too large, leaves the preview. */
export function storedOutputs(file: ClaudeFile): StoredOutputs {
  const names = new Map<string, string>();
  let last: { readonly id: string; readonly line: LineSpan } | undefined;
  return {
    note(fact: Fact) {
      if (fact.type === 'item.completed') last = { id: fact.id, line: fact.line };
      // The reference stands right behind the item whose output it is, from the same line.
      else if (fact.type === 'media.referenced' && last?.line.offset === fact.line.offset && fact.key.startsWith(`${FOLDER}/`)) names.set(last.id, basename(fact.key));
    },
    whole({ itemId, text }) {
      const name = nameIn(text) ?? names.get(itemId);
      return name !== undefined && safeName.test(name) ? read(join(folderOf(file), name)) : undefined;
    },
  };
}
