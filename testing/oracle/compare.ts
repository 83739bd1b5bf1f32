import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const tool = fileURLToPath(new URL('rpc-diff.mjs', import.meta.url));
const allowed = fileURLToPath(new URL('../../docs/compatibility.json', import.meta.url));

/** Compares folders of recordings, pairwise, allowing exactly what `docs/compatibility.json` lists. Returns the report of `rpc-diff.mjs`. */
export async function compareRecordings(pairs: readonly { readonly expected: string; readonly actual: string }[], flags: readonly string[] = []): Promise<{ isEqual: boolean; report: string }> {
  const args = [tool, ...pairs.flatMap(({ expected, actual }) => [expected, actual]), '--allow', allowed, ...flags];
  try {
    return { isEqual: true, report: (await promisify(execFile)('node', args, { maxBuffer: 64 * 1024 * 1024 })).stdout };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return { isEqual: false, report: `${stdout ?? ''}${stderr ?? String(error)}` };
  }
}
