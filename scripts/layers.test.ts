import { expect, test } from 'vitest';
import { layers } from './layers.mjs';
import { link, plant, runJson } from './plant.js';
import { tools } from './setup.mjs';

type Cruise = { summary: { violations: { from: string; to: string; rule: { name: string } }[] } };
type Files = Record<string, string>;

const names = layers.map(({ name }) => name);
const using = (specifier: string) => `import type { Thing } from '${specifier}';\nexport type Used = Thing;\n`;
const importing = (specifier: string) => `import { thing } from '${specifier}';\nexport const used = thing;\n`;

/** A tree with every package of the table, each declaring and using all that it may. */
function cleanTree(): Files {
  const files: Files = {
    'testing/index.ts': importing('@tapefold/facts'),
    'node_modules/declared/package.json': '{"name":"declared","version":"1.0.0","main":"index.js"}',
    'node_modules/declared/index.js': 'exports.thing = 1;\n',
    'node_modules/undeclared/package.json': '{"name":"undeclared","version":"1.0.0","main":"index.js"}',
    'node_modules/undeclared/index.js': 'exports.thing = 1;\n',
    'package.json': '{"name":"planted","private":true,"type":"module","devDependencies":{"undeclared":"1.0.0"}}',
    'packages/transcript/src/fold/index.ts': 'export const thing = 1;\n',
    'packages/store/src/folding.ts': importing('@tapefold/transcript/fold'),
  };
  for (const { name, mayImport, runsIn } of layers) {
    const dependencies = { declared: '1.0.0', ...Object.fromEntries(mayImport.map((other) => [`@tapefold/${other}`, '0.1.0'])) };
    const manifest = { name: `@tapefold/${name}`, type: 'module', exports: { '.': './dist/index.js' }, dependencies };
    files[`packages/${name}/package.json`] = JSON.stringify(manifest);
    files[`packages/${name}/src/index.ts`] = 'export const thing = 1;\nexport type Thing = number;\n';
    files[`packages/${name}/src/npm.ts`] = importing('declared');
    files[`packages/${name}/src/some.test.ts`] = `${using('@tapefold/testing')}import 'undeclared';\nimport 'node:fs';\n`;
    if (runsIn === 'node') files[`packages/${name}/src/core.ts`] = "import { readFileSync } from 'node:fs';\nexport const used = readFileSync;\n";
    for (const other of mayImport) files[`packages/${name}/src/uses-${other}.ts`] = using(`@tapefold/${other}`);
  }
  return files;
}

/** `[rule, file]`: each planted violation, and the tree that holds them all. */
function violatingTree(): { files: Files; planted: (readonly [rule: string, file: string])[] } {
  const files = cleanTree();
  const planted: (readonly [string, string])[] = [];
  const violate = (rule: string, file: string, text: string) => {
    files[file] = text;
    planted.push([rule, file]);
  };
  files['packages/stray/package.json'] = '{"name":"@tapefold/stray","type":"module","dependencies":{"@tapefold/facts":"0.1.0"}}';
  violate('package-in-table', 'packages/stray/src/index.ts', using('@tapefold/facts'));
  files['packages/dialects/package.json'] = '{"name":"@tapefold/dialects","type":"module","dependencies":{"declared":"1.0.0"}}';
  planted.push(['declared-own-dialects', 'packages/dialects/src/uses-facts.ts']);
  for (const { name, mayImport, runsIn } of layers) {
    const forbidden = names.filter((other) => other !== name && !mayImport.includes(other));
    for (const other of [...forbidden, 'stray']) violate(`layer-${name}`, `packages/${name}/src/wants-${other}.ts`, using(`@tapefold/${other}`));
    violate(`layer-${name}`, `packages/${name}/src/wants-missing.ts`, using('@tapefold/missing'));
    violate('no-test-code-in-sources', `packages/${name}/src/wants-testing.ts`, importing('@tapefold/testing'));
    violate('declared-dependencies', `packages/${name}/src/wants-undeclared.ts`, importing('undeclared'));
    if (runsIn !== 'node') {
      violate('no-node-in-anywhere', `packages/${name}/src/wants-node.ts`, "import type { Stats } from 'node:fs';\nexport type Used = Stats;\n");
    }
  }
  violate('no-test-code-in-sources', 'packages/store/src/wants-suite.ts', importing('./shared.suite.js'));
  files['packages/store/src/shared.suite.ts'] = 'export const thing = 1;\n';
  violate('package-roots-only', 'packages/store/src/inside.ts', using('@tapefold/facts/src/npm.js'));
  violate('package-roots-only', 'packages/store/src/relative-inside.ts', importing('../../facts/src/npm.js'));
  violate('package-roots-only', 'packages/store/src/other-subpath.ts', using('@tapefold/facts/fold'));
  violate('no-relative-across-packages', 'packages/store/src/relative.ts', using('../../facts/src/index.js'));
  violate('no-relative-across-packages', 'packages/store/src/relative.test.ts', using('../../facts/src/index.js'));
  violate('no-cycles', 'packages/facts/src/egg.ts', "import type { Hen } from './hen.js';\nexport type Egg = { of: Hen };\n");
  files['packages/facts/src/hen.ts'] = "import type { Egg } from './egg.js';\nexport type Hen = { from: Egg };\n";
  violate('resolvable', 'packages/store/src/nowhere.ts', using('./nowhere-at-all.js'));
  return { files, planted };
}

async function violationsIn(files: Files): Promise<string[]> {
  const folder = plant(files, ['.dependency-cruiser.mjs', 'scripts/layers.mjs', 'tsconfig.base.json', 'tsconfig.tests.json']);
  for (const name of [...names, 'stray']) link(folder, `node_modules/@tapefold/${name}`, `../../packages/${name}`);
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'packages', 'testing'];
  const { summary } = (await runJson(folder, tools.depcruise, args)) as Cruise;
  return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}

test('a tree that keeps to the table has no violation', { timeout: 30_000 }, async () => {
  expect(await violationsIn(cleanTree())).toEqual([]);
});

test('each line of the table and each other rule catches what is planted against it', { timeout: 30_000 }, async () => {
  const { files, planted } = violatingTree();
  const found = new Set(await violationsIn(files));
  const missed = planted.map(([rule, file]) => `${rule}: ${file}`).filter((violation) => !found.has(violation));
  expect(missed).toEqual([]);
  const rules = new Set(planted.map(([rule]) => rule));
  expect(names.filter((name) => !rules.has(`layer-${name}`))).toEqual([]);
  expect([...found].filter((violation) => /src\/(?:uses-|npm|core|some\.test)/.test(violation) && !violation.startsWith('declared-own-dialects'))).toEqual([]);
});
