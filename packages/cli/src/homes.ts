import { type AgentProgram, type HomeRef, type ThreadSource, createFileSource } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './exit.js';
import type { Surroundings } from './terminal.js';

/** Where each agent keeps its sessions where nobody says otherwise: a variable of the environment, else a folder of the person's. */
const defaults: readonly { readonly program: AgentProgram; readonly variable: string; readonly folder: string }[] = [
  { program: 'codex', variable: 'CODEX_HOME', folder: '.codex' },
  { program: 'claude', variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
];

/** Names of the agents whose files are read. */
export const agents: readonly AgentProgram[] = defaults.map(({ program }) => program);

/** The value of `--home`, `codex=DIR` or `claude=DIR`. */
export function parseHome(value: string, cwd: string): HomeRef {
  const [agent, ...rest] = value.split('=');
  const path = rest.join('=');
  const program = agents.find((name) => name === agent);
  if (program === undefined) throw new UsageError(`--home takes codex=DIR or claude=DIR, not ${value}: these are the agents whose files Tapefold reads so far.`);
  if (path === '') throw new UsageError(`--home takes ${program}=DIR, and ${value} names no folder.`);
  return { program, path: resolve(cwd, path) };
}

/** In a package the samples lie in `dist` (`prepack` copies them), in the repository at its root. */
function samplesHomes(): HomeRef[] {
  const folder = ['./samples', '../../../samples'].map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
  if (folder === undefined) throw new Error('the samples are missing from this installation');
  return agents.map((program) => ({ program, path: join(folder, program) }));
}

function defaultHomes({ env, cwd, homeDir }: Surroundings): HomeRef[] {
  return defaults.map(({ program, variable, folder }) => {
    const named = env[variable];
    return { program, path: named ? resolve(cwd, named) : join(homeDir, folder) };
  });
}

/** The homes that were named, else the default ones that exist; where none does, the first, so that it can be said that it is missing. */
export function homesOf(named: readonly HomeRef[], surroundings: Surroundings): readonly [HomeRef, ...HomeRef[]] {
  const all = named.length > 0 ? named : defaultHomes(surroundings);
  const [first, ...more] = named.length > 0 ? all : all.filter(({ path }) => existsSync(path));
  if (first) return [first, ...more];
  return [all[0] ?? { program: 'codex', path: surroundings.homeDir }];
}

/** Whether homes have anything to show or to complain about. */
async function hasSomething(source: ThreadSource): Promise<boolean> {
  const { rows, problems } = await source.list({ archived: 'too', hasSubAgents: true, limit: 1 });
  return rows.length > 0 || problems.length > 0;
}

/** The source to read from; `note` where that is not what somebody would expect. */
export interface ChosenSource {
  readonly source: ThreadSource;
  readonly note?: string | undefined;
}

/** Why the samples are shown: what is the matter with each default home. */
function samplesNote(homes: readonly HomeRef[]): string {
  const reasons = homes.map(({ path }) => `${path} ${existsSync(path) ? 'holds no sessions' : 'does not exist'}`);
  return `${reasons.join(' and ')}, so these are the samples: name your own home with --home codex=DIR or --home claude=DIR.`;
}

/** The homes that were named, else the default ones that exist, else (with no session in them) the samples. A named home that does not exist is a `StoreError` of the first read. */
export async function chooseSource(named: readonly HomeRef[], surroundings: Surroundings): Promise<ChosenSource> {
  if (named.length > 0) return { source: createFileSource(named) };
  const homes = defaultHomes(surroundings);
  const source = createFileSource(homes.filter(({ path }) => existsSync(path)));
  if (await hasSomething(source)) return { source };
  return { source: createFileSource(samplesHomes()), note: samplesNote(homes) };
}
