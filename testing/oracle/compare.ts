import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const toolAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const allowed = fileURLToPath(new URL('../../docs/compatibility.json', import.meta.url));

/** Two files or folders: what the real program answered, and what we answer. */
export interface AnswerPair {
  readonly expected: string;
  readonly actual: string;
}

/** What a comparison came to. */
export interface Comparison {
  readonly isEqual: boolean;
  readonly report: string;
}

async function compare(tool: string, pairs: readonly AnswerPair[], flags: readonly string[]): Promise<Comparison> {
  const args = [toolAt(tool), ...pairs.flatMap(({ expected, actual }) => [expected, actual]), '--allow', allowed, ...flags];
  try {
    return { isEqual: true, report: (await promisify(execFile)('node', args, { maxBuffer: 64 * 1024 * 1024 })).stdout };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return { isEqual: false, report: `${stdout ?? ''}${stderr ?? String(error)}` };
  }
}

/** Compares folders of recordings, pairwise, allowing exactly what `docs/compatibility.json` lists. Returns the report of `rpc-diff.mjs`. */
export function compareRecordings(pairs: readonly AnswerPair[], flags: readonly string[] = []): Promise<Comparison> {
  return compare('rpc-diff.mjs', pairs, flags);
}

/** Compares files with answers about transcripts in the same way; a case is named by the folder of its expected file. Returns the report of `transcript-diff.mjs`. */
export function compareTranscripts(pairs: readonly AnswerPair[], flags: readonly string[] = []): Promise<Comparison> {
  return compare('transcript-diff.mjs', pairs, flags);
}
