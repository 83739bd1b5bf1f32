import { join, resolve } from 'node:path';
import type { Surroundings } from './terminal.js';

/** Where Tapefold keeps files of its own (never in an agent's home): `TAPEFOLD_HOME`, else `.tapefold` in the person's home. */
export function stateFolder({ env, cwd, homeDir }: Pick<Surroundings, 'env' | 'cwd' | 'homeDir'>): string {
  const named = env['TAPEFOLD_HOME'];
  return named ? resolve(cwd, named) : join(homeDir, '.tapefold');
}
