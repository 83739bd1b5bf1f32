import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where session files of the real program may lie; read in place, never copied. */
const codexRoots = ['fixtures/codex', '../shared/corpus/codex', '../shared/corpus/real/codex'].map((folder) => join(root, folder));

export interface CorpusFile {
  /** Short enough for a test's message: the path below its root. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /(?:^|\/)[^/]*\.jsonl$/.test(path)).map((path) => join(folder, path));
}

/** Every rollout of the corpora that are there, uncompressed ones only, each content once, in the order of their paths. */
export function codexRollouts(): CorpusFile[] {
  const seen = new Set<string>();
  return codexRoots.flatMap((folder) => filesBelow(folder).sort().flatMap((path): CorpusFile[] => {
    if (!/\/home\/(?:archived_)?sessions\/|\/real\/codex\//.test(path)) return [];
    const bytes = readFileSync(path);
    const content = bytes.toString('latin1');
    if (seen.has(content)) return [];
    seen.add(content);
    return [{ name: path.slice(folder.length + 1), bytes }];
  }));
}
