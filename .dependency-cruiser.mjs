// @ts-check
// The rules come from the table in scripts/layers.mjs. They look at resolved paths: `@tapefold/x` resolves to packages/x/src/index.ts
// (by the paths of tsconfig.tests.json), so that type imports and cycles across packages count too.
import { existsSync, readFileSync } from 'node:fs';
import { layers, testCode } from './scripts/layers.mjs';

/** @param {readonly string[]} names */
const either = (names) => `(?:${names.join('|')})`;
/** The folder of a package, and its name where it could not be resolved. @param {string} names regular expression */
const anyPackageBut = (names) => [`^packages/(?!${names}/)`, `^(?:node_modules/)?@tapefold/(?!${names}(?:/|$))`];
/** @param {string} name */
const sourcesOf = (name) => ({ path: `^packages/${name}/`, pathNot: testCode });
/** @param {string} name */
const declaredBy = (name) => {
  const file = `packages/${name}/package.json`;
  if (!existsSync(file)) return [];
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.keys({ ...dependencies, ...peerDependencies })
    .filter((dependency) => dependency.startsWith('@tapefold/'))
    .map((dependency) => dependency.slice('@tapefold/'.length));
};

/** @param {(layer: import('./scripts/layers.mjs').Layer) => object} rule */
const perPackage = (rule) => layers.map((layer) => ({ severity: 'error', ...rule(layer) }));
const names = either(layers.map(({ name }) => name));
const withoutNode = either(layers.filter(({ runsIn }) => runsIn !== 'node').map(({ name }) => name));

export default {
  forbidden: [
    ...perPackage(({ name, mayImport }) => ({
      name: `layer-${name}`,
      comment: `${name} may import of ours: ${mayImport.join(', ') || 'nothing'} (docs/architecture.md).`,
      from: sourcesOf(name),
      to: { path: anyPackageBut(either([name, ...mayImport, 'testing'])) },
    })),
    ...perPackage(({ name }) => ({
      name: `declared-own-${name}`,
      comment: `What ${name} imports of ours must stand in the dependencies of packages/${name}/package.json.`,
      from: sourcesOf(name),
      to: { path: `^packages/(?!${either([name, ...declaredBy(name)])}/)` },
    })),
    {
      name: 'package-in-table',
      comment: 'Each package has a line in scripts/layers.mjs and docs/architecture.md.',
      severity: 'error',
      from: { path: `^packages/(?!${names}/)` },
      to: {},
    },
    {
      name: 'package-roots-only',
      comment: 'Import @tapefold/x, never a file inside another package. The one exception is @tapefold/transcript/fold.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: ['^packages/(?!$1/)[^/]+/(?!src/index\\.ts$)', '^(?:node_modules/)?@tapefold/[^/]+/'],
        pathNot: '^packages/transcript/src/fold/index\\.ts$',
      },
    },
    {
      name: 'no-relative-across-packages',
      comment: 'Another package is imported by its name, never by a relative path.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/(?!$1/)', dependencyTypesNot: ['aliased', 'aliased-tsconfig', 'aliased-workspace'] },
    },
    { name: 'no-cycles', comment: 'Files and packages form no cycle, type imports included.', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-code-in-sources',
      comment: 'Tests, suites and testing/ are never imported by sources.',
      severity: 'error',
      from: { path: '^packages/', pathNot: testCode },
      to: { path: ['^testing/', '^@tapefold/testing', testCode] },
    },
    {
      name: 'no-node-in-anywhere',
      comment: 'Packages that run anywhere or in the browser import no Node core module: I/O is passed in by the caller.',
      severity: 'error',
      from: sourcesOf(withoutNode),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'declared-dependencies',
      comment: 'What a source imports from npm must stand in the dependencies of its own package.json.',
      severity: 'error',
      from: { path: '^packages/', pathNot: testCode },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
    { name: 'resolvable', comment: 'Every import resolves.', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)(?:dist|bundle)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
