import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonValue, Player, TapeIdentity } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { type CorpusFile, linesOf } from '@tapefold/testing';
import { kimiFamilyOf, kimiTape } from './family.js';
import { createKimiPlayer } from './player.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Our own copies, the whole collection they are of, and other people's files; the latter two are read in place where they are there. */
export const fixturesFolder = join(root, 'fixtures/kimi');
export const sharedFolder = join(root, '../shared/corpus/kimi');
export const realFolder = join(root, '../shared/corpus/real/kimi');

/** The family that a file's first telling record is of. */
function familyOf({ bytes }: CorpusFile): string {
  for (const { line } of linesOf(bytes)) {
    let value: unknown;
    try { value = JSON.parse(line.text ?? ''); } catch { continue; }
    const family = isJsonObject(value) ? kimiFamilyOf(value) : undefined;
    if (family !== undefined) return family;
  }
  return 'none';
}

/** Logs below a folder, in the order of their paths; none where it is not there. */
export function kimiLogs(folder: string, family: 'code' | 'cli'): CorpusFile[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /(?:^|\/)(?:wire|kw[^/]*)\.jsonl$/.test(path));
  return paths.sort().map((name): CorpusFile => ({ name, bytes: readFileSync(join(folder, name)) })).filter((file) => familyOf(file) === family);
}

/** What discovery would tell the player of a file. */
export function identityOf(name: string): TapeIdentity {
  const [, session = 'session_case', agent = 'main'] = /(?:^|\/)(session_[^/]+)\/agents\/([^/]+)\/wire\.jsonl$/.exec(name) ?? [];
  return { tape: kimiTape(session, agent), namedThreadId: agent === 'main' ? session : agent };
}

export function makePlayer(name: string): (checkpoint?: JsonValue) => Player {
  return (checkpoint) => createKimiPlayer(identityOf(name), checkpoint);
}
