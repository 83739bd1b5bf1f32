import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../fixtures/codex/', import.meta.url));

/** A home of the corpus with what the real program answered for it. */
export interface RecordedHome {
  /** Its path below `fixtures/codex`, for example `recorded/0.171/fork`. */
  readonly name: string;
  readonly home: string;
  readonly golden: string;
  /** Ids of the threads that were recorded. */
  readonly threadIds: readonly string[];
}

function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
}

function recordedHome(name: string): RecordedHome {
  const golden = join(root, name, 'golden');
  const threadIds = readdirSync(golden).filter((file) => /^[0-9a-f]{8}-.*\.json$/.test(file)).map((file) => file.slice(0, -'.json'.length));
  return { name, home: join(root, name, 'home'), golden, threadIds };
}

/** Every recorded Codex home: handmade ones, and those of each version and scenario. */
export function recordedHomes(): RecordedHome[] {
  const names = [...foldersIn('handmade'), ...foldersIn('recorded').flatMap(foldersIn)];
  return names.filter((name) => existsSync(join(root, name, 'golden')) && existsSync(join(root, name, 'home'))).map(recordedHome);
}

/** What was recorded for one thread, as `rpc-record.mjs` wrote it. */
export function recordedAnswer(home: RecordedHome, threadId: string): { readonly read: { readonly thread: unknown } } {
  return JSON.parse(readFileSync(join(home.golden, `${threadId}.json`), 'utf8')) as { read: { thread: unknown } };
}
