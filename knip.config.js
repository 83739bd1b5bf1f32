// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** A package that has not begun (its index exports nothing) has nothing yet that could use its dependencies. @param {string} name */
const hasBegun = (name) => {
  try {
    return readFileSync(`packages/${name}/src/index.ts`, 'utf8').trim() !== 'export {};';
  } catch {
    return true;
  }
};

const packages = readdirSync('packages');

export default {
  ignoreExportsUsedInFile: true,
  // Of the system, for tests of full and read-only disks.
  ignoreBinaries: ['flock', 'mount', 'umount'],
  workspaces: {
    '.': {
      entry: ['scripts/*.mjs', 'testing/index.ts', 'testing/oracle/*.mjs', 'testing/tapes/*.mjs', 'benchmarks/*.{mjs,ts}', 'examples/*/agent.mjs'],
      project: ['scripts/**', 'testing/**', 'benchmarks/**/*.{mjs,ts}', 'examples/**'],
      ignoreDependencies: ['@tapefold/.+'],
    },
    ...Object.fromEntries(
      packages.map((name) => [
        `packages/${name}`,
        {
          entry: existsSync(`packages/${name}/src/main.ts`) ? ['src/main.ts'] : ['src/index.ts'],
          project: ['src/**/*.ts'],
          // A package declares what the table of layers lets it import; whether it does already is no finding.
          ignoreDependencies: hasBegun(name) ? ['@tapefold/.+'] : ['.+'],
        },
      ]),
    ),
  },
};
