import { type AgentProgram, type HomeRef, type ThreadSource, createFileSource } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './exit.js';
import type { Surroundings } from './terminal.js';

/** Where each agent keeps its sessions where nobody says otherwise: a variable of the environment, else a folder of the person's. */
const defaults: readonly { readonly program: AgentProgram; readonly variable: string; readonly folder: string; readonly inside?: string }[] = [
  { program: 'codex', variable: 'CODEX_HOME', folder: '.codex' },
  { program: 'claude', variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  // Two programs of one name: which one wrote a session, its own folder says, so either home may be given as kimi=DIR.
  { program: 'kimi', variable: 'KIMI_CODE_HOME', folder: '.kimi-code' },
  { program: 'kimi', variable: 'KIMI_SHARE_DIR', folder: '.kimi' },
  // Tapefold's own data folder holds more than tapes.
  { program: 'native', variable: 'TAPEFOLD_HOME', folder: '.tapefold', inside: 'tapes' },
];

/** Names of the agents whose files are read. */
export const agents: readonly AgentProgram[] = [...new Set(defaults.map(({ program }) => program))];

/** How each is named as a home, for sentences: `codex=DIR, claude=DIR, kimi=DIR or native=DIR`. */
export const homeForms = oneOf(agents.map((program) => `${program}=DIR`));

/** The folders where sessions are looked for, each behind the variable that names another, for the help. */
export const defaultPlaces = defaults.map(({ variable, folder, inside }) => (inside === undefined ? `${variable} or ~/${folder}` : `${variable}/${inside} or ~/${folder}/${inside}`));

function oneOf(words: readonly string[], last = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}

/** The value of `--home`, `codex=DIR` and the like. */
export function parseHome(value: string, cwd: string): HomeRef {
  const [agent, ...rest] = value.split('=');
  const path = rest.join('=');
  const program = agents.find((name) => name === agent);
  if (program === undefined) throw new UsageError(`--home takes ${homeForms}, not ${value}: these are the agents whose files Tapefold reads so far.`);
  if (path === '') throw new UsageError(`--home takes ${program}=DIR, and ${value} names no folder.`);
  return { program, path: resolve(cwd, path) };
}

const sampleFolders: readonly { readonly program: AgentProgram; readonly name: string }[] = [{ program: 'codex', name: 'codex' }, { program: 'claude', name: 'claude' }, { program: 'kimi', name: 'kimi' }, { program: 'kimi', name: 'kimi-cli' }];

/** In a package the samples lie in `dist` (`prepack` copies them), in the repository at its root. */
export function samplesHomes(): HomeRef[] {
  const folder = ['./samples', '../../../samples'].map((place) => fileURLToPath(new URL(place, import.meta.url))).find((place) => existsSync(place));
  if (folder === undefined) throw new Error('the samples are missing from this installation');
  return sampleFolders.map(({ program, name }) => ({ program, path: join(folder, name) }));
}

function defaultHomes({ env, cwd, homeDir }: Surroundings): HomeRef[] {
  return defaults.map(({ program, variable, folder, inside = '' }) => {
    const named = env[variable];
    return { program, path: join(named ? resolve(cwd, named) : join(homeDir, folder), inside) };
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
  // Nobody misses tapes of agents that were never built.
  const expected = homes.filter(({ program, path }) => program !== 'native' || existsSync(path));
  const reasons = expected.map(({ path }) => `${path} ${existsSync(path) ? 'holds no sessions' : 'does not exist'}`);
  return `${oneOf(reasons, 'and')}, so these are the samples: name your own home with --home ${homeForms}.`;
}

/**
 * The homes that were named, else the default ones that exist, else (with no session in them) the samples. `over`: makes the source of homes. A named home that does not exist is a
 * `StoreError` of the first read.
 */
export async function chooseSource(named: readonly HomeRef[], surroundings: Surroundings, over: (homes: readonly HomeRef[]) => ThreadSource): Promise<ChosenSource> {
  if (named.length > 0) return { source: over(named) };
  const homes = defaultHomes(surroundings);
  const source = over(homes.filter(({ path }) => existsSync(path)));
  if (await hasSomething(source)) return { source };
  return { source: createFileSource(samplesHomes()), note: samplesNote(homes) };
}
