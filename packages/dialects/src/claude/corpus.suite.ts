import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonValue, Player, TapeIdentity } from '@tapefold/facts';
import type { CorpusFile } from '@tapefold/testing';
import { createClaudePlayer } from './player.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Our own copies, and other people's files, which are read in place where they are there. */
export const fixturesFolder = join(root, 'fixtures/claude');
export const realFolder = join(root, '../shared/corpus/real/claude');

/** Session and sub-agent files below a folder, in the order of their paths; none where it is not there. */
export function claudeFiles(folder: string): CorpusFile[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl') && !path.includes('golden'));
  return paths.sort().map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** What discovery would tell the player of a file: a session is named by its UUID, a sub-agent's file by the agent. */
export function identityOf(name: string): TapeIdentity {
  const id = basename(name, '.jsonl').replace(/^agent-/, '');
  const isNamed = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|a[0-9a-f]+)$/.test(id);
  const threadId = isNamed ? id : '11111111-1111-4111-8111-111111111111';
  return { tape: `claude/${threadId}`, namedThreadId: threadId };
}

export function makePlayer(name: string): (checkpoint?: JsonValue) => Player {
  return (checkpoint) => createClaudePlayer(identityOf(name), checkpoint);
}
