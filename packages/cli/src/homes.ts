import { type HomeRef, type ThreadSource, createFileSource } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './exit.js';
import type { Surroundings } from './terminal.js';

const program = 'codex';

/** The value of `--home`, `codex=DIR`. */
export function parseHome(value: string, cwd: string): HomeRef {
  const [agent, ...rest] = value.split('=');
  const path = rest.join('=');
  if (agent !== program) throw new UsageError(`--home takes codex=DIR, not ${value}: codex is the agent whose files Tapefold reads so far.`);
  if (path === '') throw new UsageError(`--home takes codex=DIR, and ${value} names no folder.`);
  return { program, path: resolve(cwd, path) };
}

/** In a package the samples lie in `dist` (`prepack` copies them), in the repository at its root. */
function samplesHome(): HomeRef {
  const path = ['./samples/codex', '../../../samples/codex'].map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
  if (path === undefined) throw new Error('the samples are missing from this installation');
  return { program, path };
}

function defaultHome({ env, cwd, homeDir }: Surroundings): HomeRef {
  const named = env['CODEX_HOME'];
  return { program, path: named ? resolve(cwd, named) : join(homeDir, '.codex') };
}

/** The homes that were named, else the default one. */
export function homesOf(named: readonly HomeRef[], surroundings: Surroundings): readonly [HomeRef, ...HomeRef[]] {
  const [first, ...more] = named;
  return first ? [first, ...more] : [defaultHome(surroundings)];
}

/** Whether a home has anything to show or to complain about. */
async function hasSomething(source: ThreadSource): Promise<boolean> {
  const { rows, problems } = await source.list({ archived: 'too', hasSubAgents: true, limit: 1 });
  return rows.length > 0 || problems.length > 0;
}

/** The source to read from; `note` where that is not what somebody would expect. */
export interface ChosenSource {
  readonly source: ThreadSource;
  readonly note?: string | undefined;
}

/** The homes that were named, else the default one, else (with no session in it) the samples. A named home that does not exist is a `StoreError` of the first read. */
export async function chooseSource(named: readonly HomeRef[], surroundings: Surroundings): Promise<ChosenSource> {
  if (named.length > 0) return { source: createFileSource(named) };
  const home = defaultHome(surroundings);
  const isThere = existsSync(home.path);
  const source = createFileSource([home]);
  if (isThere && await hasSomething(source)) return { source };
  const reason = isThere ? `${home.path} holds no sessions` : `${home.path} does not exist`;
  return { source: createFileSource([samplesHome()]), note: `${reason}, so these are the samples: name your own home with --home codex=DIR.` };
}
