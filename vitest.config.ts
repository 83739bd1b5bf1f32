import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const long = process.env['TAPEFOLD_LONG'] === '1';

export default defineConfig({
  resolve: {
    // Tests run the sources, so they need no build; only the tests of the command run the built program.
    alias: [
      { find: /^@tapefold\/testing$/, replacement: `${root}testing/index.ts` },
      { find: /^@tapefold\/transcript\/fold$/, replacement: `${root}packages/transcript/src/fold/index.ts` },
      { find: /^@tapefold\/([^/]+)$/, replacement: `${root}packages/$1/src/index.ts` },
    ],
  },
  test: {
    include: long
      ? ['{packages,testing,scripts}/**/*.{long,property,oracle}.test.ts']
      : ['{packages,testing,scripts}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/dist/**', '**/bundle/**', ...(long ? [] : ['**/*.long.test.ts'])],
    setupFiles: ['testing/setup.ts'],
    // Vitest leaves one core free; much of a test's time is spent in programs that it starts, and two run well on two cores.
    maxWorkers: '100%',
    // Loading the sources anew for each file took as long as the tests. What shared suites make is ended by `afterTest` and `afterFile`, as their own hooks would run for one file only.
    isolate: false,
    testTimeout: long ? 600_000 : 20_000,
    passWithNoTests: long,
  },
});
