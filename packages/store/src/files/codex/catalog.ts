import type { Fact } from '@tapefold/facts';
import { codexTape, createCodexNamesPlayer } from '@tapefold/dialects';
import { type CodexTapeFile, type NotTape, type WalkProblem, discoverCodexHome, parseRolloutName, playTape, readHeadLines } from '@tapefold/tapes';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { HomeRef } from '../../thread-source.js';
import type { ShelfFile } from '../shelf.js';
import { sizeAndTime } from '../size-and-time.js';

/** One session file of a Codex home, with the id that names its tape. */
export interface CatalogFile extends CodexTapeFile, ShelfFile {
  readonly rolloutId: string;
}

/** Everything that the Codex homes hold, by name only: no session file was opened. */
export interface Catalog {
  readonly files: readonly CatalogFile[];
  readonly byTape: ReadonlyMap<string, CatalogFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
  /** Names that people gave, by thread id. */
  readonly names: ReadonlyMap<string, string>;
  /** The provider of threads that name none, by home. */
  readonly providers: ReadonlyMap<string, string>;
}

/** Bytes of `config.toml` that are looked at for one line. */
const CONFIG_BYTES = 65_536;

function withIds(home: string, file: CodexTapeFile & Pick<ShelfFile, 'unreadable'>): CatalogFile {
  const rolloutId = file.name?.rolloutId ?? basename(file.shownPath).replace(/\.jsonl?$/, '');
  return { ...file, home, rolloutId, tape: codexTape(rolloutId) };
}

async function readNames(path: string | undefined, names: Map<string, string>): Promise<void> {
  if (path === undefined) return;
  const take = (fact: Fact): void => {
    if (fact.type === 'thread.changed' && fact.threadId !== undefined && fact.details.name !== undefined) names.set(fact.threadId, fact.details.name);
  };
  await playTape(path, createCodexNamesPlayer({ tape: codexTape('session_index') }), { onFacts: (facts) => facts.forEach(take) });
}

/**
 * `model_provider` at the top of the home's settings: what threads without a provider were made with. Settings with the retired `wire_api = "chat"` are
 * ones that today's program refuses as a whole.
 */
function configuredProvider(home: string): string | undefined {
  const path = join(home, 'config.toml');
  if (!existsSync(path)) return undefined;
  const text = readHeadLines(path, { maxBytes: CONFIG_BYTES, maxLines: CONFIG_BYTES }).lines.map((line) => line.text ?? '').join('\n');
  if (/^\s*wire_api\s*=\s*"chat"/m.test(text)) return undefined;
  const top = text.slice(0, text.search(/^\s*\[/m) < 0 ? undefined : text.search(/^\s*\[/m));
  return /^\s*model_provider\s*=\s*"([^"]+)"/m.exec(top)?.[1];
}

/** Of two files of one rollout (a move that a crash cut short), the one in `sessions/`, else the one that changed last. */
function better(a: CatalogFile, b: CatalogFile): CatalogFile {
  if (a.isArchived !== b.isArchived) return a.isArchived ? b : a;
  return b.mtimeMs > a.mtimeMs ? b : a;
}

/** A session file that is not opened is a row all the same: its name says which thread it is. */
function unreadableTape(home: string, { path, reason }: WalkProblem): (CodexTapeFile & Pick<ShelfFile, 'unreadable'>)[] {
  const name = parseRolloutName(basename(path));
  if (!name) return [];
  const isArchived = path.startsWith(join(home, 'archived_sessions'));
  return [{ path, shownPath: path.replace(/\.zst$/, ''), form: path.endsWith('.zst') ? 'zst' : 'lines', isArchived, name, ...sizeAndTime(path), unreadable: reason }];
}

/** Looks through the homes. A problem in one hides nothing of the others. */
export async function readCatalog(homes: readonly HomeRef[]): Promise<Catalog> {
  const byTape = new Map<string, CatalogFile>();
  const names = new Map<string, string>();
  const providers = new Map<string, string>();
  const notTapes: NotTape[] = [];
  const problems: { path: string; reason: string }[] = [];
  for (const { path } of homes) {
    const found = discoverCodexHome(path);
    problems.push(...found.problems);
    notTapes.push(...found.notTapes);
    const unreadable = found.problems.flatMap((problem) => unreadableTape(path, problem));
    for (const file of [...unreadable, ...found.tapes].map((tape) => withIds(path, tape))) byTape.set(file.tape, better(byTape.get(file.tape) ?? file, file));
    const note = (at: string) => (cause: unknown): void => void problems.push({ path: at, reason: cause instanceof Error ? cause.message : String(cause) });
    try {
      const provider = configuredProvider(path);
      if (provider !== undefined) providers.set(path, provider);
    } catch (cause) { note(join(path, 'config.toml'))(cause); }
    await readNames(found.sessionIndexPath, names).catch(note(found.sessionIndexPath ?? path));
  }
  return { files: [...byTape.values()], byTape, notTapes, problems, names, providers };
}

