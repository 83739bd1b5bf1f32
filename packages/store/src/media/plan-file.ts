import type { PlanRevisionFile, PlanRevisionRef } from '@tapefold/transcript';
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { openPlain } from './plain-file.js';

/** Where a revision may lie: newer records name a key below the agent's folder, older ones a path below the home, the session or the agent. */
function candidates({ key, path }: PlanRevisionRef, folders: { readonly home: string; readonly session: string; readonly agent: string }): readonly string[] {
  if (key !== undefined) return [join(folders.agent, key)];
  return path === undefined ? [] : [folders.home, folders.session, folders.agent].map((folder) => join(folder, path));
}

async function read(path: string): Promise<PlanRevisionFile> {
  const { file, sizeBytes } = await openPlain(path);
  try {
    const hash = createHash('sha256');
    for await (const piece of file.createReadStream({ autoClose: false })) hash.update(piece as Buffer);
    return { bytes: sizeBytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/**
 * The file of a plan's revision, by what its record names and the session file in which the record stands. Undefined where there is none, or where the name
 * leads out of the session's folder. Never throws.
 */
export async function planFile(ref: PlanRevisionRef, sessionFile: string): Promise<PlanRevisionFile | undefined> {
  // <home>/sessions/<workspace>/<session>/agents/<agent>/wire.jsonl
  const agent = dirname(sessionFile);
  const session = dirname(dirname(agent));
  const home = dirname(dirname(dirname(session)));
  for (const path of candidates(ref, { home, session, agent })) {
    try {
      const [real, inside] = await Promise.all([realpath(path), realpath(session)]);
      if (real.startsWith(`${inside}${sep}`)) return await read(real);
    } catch {
      continue;
    }
  }
  return undefined;
}
