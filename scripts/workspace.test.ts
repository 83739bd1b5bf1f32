import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfigFileTextToJson } from 'typescript';
import { describe, expect, test } from 'vitest';
import { layers } from './layers.mjs';
import { root } from './setup.mjs';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const json = (path: string) => parseConfigFileTextToJson(path, text(path)).config as Record<string, never>;
const present = readdirSync(join(root, 'packages')).filter((name) => existsSync(join(root, 'packages', name, 'package.json')));
const own = (name: string) =>
  Object.keys(json(`packages/${name}/package.json`)['dependencies'] ?? {})
    .filter((dependency) => dependency.startsWith('@tapefold/'))
    .map((dependency) => dependency.slice('@tapefold/'.length));
const places: Record<string, string[]> = { anywhere: ['anywhere'], Node: ['node'], 'Node · browser': ['node', 'browser'] };

/** The table of docs/architecture.md, one entry for each package; a line may name two. */
function documented() {
  const rows = text('docs/architecture.md').split('\n').filter((line) => line.startsWith('| `'));
  const known: string[] = [];
  return rows.flatMap((row) => {
    const [, packages = '', , imports = '', where = ''] = row.split('|').map((cell) => cell.trim());
    const before = [...known];
    return [...packages.matchAll(/`(\w+)`/g)].map(([, name = ''], index) => {
      known.push(name);
      const mayImport = imports === '–' ? [] : imports.startsWith('all') ? before : imports.split(', ');
      const runsIn = places[where]?.at(index) ?? places[where]?.at(-1);
      return { name, mayImport, runsIn };
    });
  });
}

const sorted = (table: readonly { name: string; mayImport: readonly string[]; runsIn: string | undefined }[]) =>
  table.map(({ name, mayImport, runsIn }) => ({ name, mayImport: [...mayImport].sort(), runsIn }));

describe('the workspace keeps to the table of packages', () => {
  test('scripts/layers.mjs and docs/architecture.md say the same', () => {
    expect(sorted(layers)).toEqual(sorted(documented()));
  });

  test('oxlint knows the packages that run anywhere', () => {
    const overrides = json('.oxlintrc.json')['overrides'] as unknown as { files: string[]; rules: Record<string, unknown> }[];
    const strict = overrides.find(({ rules }) => 'house/no-clock' in rules);
    const anywhere = layers.filter(({ runsIn }) => runsIn === 'anywhere').map(({ name }) => `packages/${name}/src/**/*.ts`);
    expect(strict?.files).toEqual(anywhere);
  });

  test.each(present)('%s: manifest, references and settings', (name) => {
    const layer = layers.find((one) => one.name === name);
    const settings = json(`packages/${name}/tsconfig.json`) as unknown as { extends: string; references?: { path: string }[] };
    expect(layer).toBeDefined();
    expect(own(name).filter((other) => !layer?.mayImport.includes(other))).toEqual([]);
    expect((settings.references ?? []).map(({ path }) => path.slice('../'.length)).sort()).toEqual(own(name).sort());
    expect(settings.extends).toBe(`../../tsconfig.${layer?.runsIn === 'anywhere' ? 'anywhere' : 'node'}.json`);
  });

  test('the root builds every package', () => {
    const { references } = json('tsconfig.json') as unknown as { references: { path: string }[] };
    expect(references.map(({ path }) => path).sort()).toEqual(present.map((name) => `packages/${name}`).sort());
  });
});
