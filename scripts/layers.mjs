// @ts-check
/**
 * The table of packages: what each may import of ours and where it runs.
 * The one source of the import rules (`.dependency-cruiser.mjs`); tests hold it equal to the table in
 * `docs/architecture.md` and to the list of "anywhere" packages in `.oxlintrc.json`.
 *
 * @typedef {'anywhere' | 'node' | 'browser'} Place
 * @typedef {{ name: string, mayImport: readonly string[], runsIn: Place }} Layer
 */

const program = ['threads', 'transcript', 'reading', 'client', 'screen'];
const below = ['facts', 'dialects', 'threads', 'transcript', 'context', 'reading', 'tapes'];

/** @type {readonly Layer[]} */
export const layers = [
  { name: 'facts', mayImport: [], runsIn: 'anywhere' },
  { name: 'dialects', mayImport: ['facts'], runsIn: 'anywhere' },
  { name: 'threads', mayImport: ['facts'], runsIn: 'anywhere' },
  { name: 'transcript', mayImport: ['facts'], runsIn: 'anywhere' },
  { name: 'context', mayImport: ['facts'], runsIn: 'anywhere' },
  { name: 'reading', mayImport: ['threads'], runsIn: 'anywhere' },
  { name: 'tapes', mayImport: ['facts'], runsIn: 'node' },
  { name: 'store', mayImport: below, runsIn: 'node' },
  { name: 'server', mayImport: [...below, 'store'], runsIn: 'node' },
  { name: 'client', mayImport: ['threads', 'transcript', 'reading'], runsIn: 'anywhere' },
  { name: 'screen', mayImport: ['threads', 'transcript', 'reading'], runsIn: 'anywhere' },
  { name: 'tui', mayImport: program, runsIn: 'node' },
  { name: 'web', mayImport: program, runsIn: 'browser' },
  { name: 'cli', mayImport: [...below, 'store', 'server', 'client', 'screen', 'tui', 'web'], runsIn: 'node' },
];

/** Names of test code beside the sources, as a regular expression: `x.test.ts`, `x.suite.ts`, `x.bench.ts`, `x.test-d.ts`. */
export const testCode = String.raw`\.(?:test|suite|bench|test-d)\.ts$`;
