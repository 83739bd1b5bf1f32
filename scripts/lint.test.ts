import { expect, test } from 'vitest';
import { link, plant, runJson } from './plant.js';
import { root, tools } from './setup.mjs';

type Report = { diagnostics: { code: string; filename: string; message: string }[] };

const lines = (count: number) => Array.from({ length: count }, (_, index) => `export const line${index} = ${index};`).join('\n');
const longFunction = `export function long(): void {\n${Array.from({ length: 61 }, (_, index) => `  String(${index});`).join('\n')}\n}\n`;
const promise = 'async function work(): Promise<void> {}\n';

/** `[rule, file, text]`: each must be reported under its rule in its file. */
const planted: (readonly [rule: string, file: string, text: string])[] = [
  ['no-explicit-any', 'packages/tapes/src/any.ts', 'export const thing: any = 1;\n'],
  ['no-export-star', 'packages/tapes/src/star.ts', "export * from './other.js';\n"],
  ['max-lines', 'packages/tapes/src/lines.ts', lines(501)],
  ['max-lines-per-function', 'packages/tapes/src/function.ts', longFunction],
  ['max-params', 'packages/tapes/src/params.ts', 'export const four = (a: 1, b: 2, c: 3, d: 4): number => a + b + c + d;\n'],
  ['unused', 'packages/tapes/src/directive.ts', '// oxlint-disable-next-line no-console\nexport const thing = 1;\n'],
  ['no-console', 'packages/tapes/src/console.ts', "console.log('x');\n"],
  ['no-floating-promises', 'packages/tapes/src/floating.ts', `${promise}work();\n`],
  ['no-floating-promises', 'packages/tapes/src/floating.test.ts', `${promise}work();\n`],
  [
    'switch-exhaustiveness-check',
    'packages/tapes/src/switch.ts',
    "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n      break;\n  }\n}\n",
  ],
  ['no-clock', 'packages/facts/src/now.ts', 'export const at = Date.now();\n'],
  ['no-clock', 'packages/facts/src/new-date.ts', 'export const at = new Date();\n'],
  ['no-clock', 'packages/facts/src/date.ts', 'export const at = Date();\n'],
  ['no-restricted-properties', 'packages/facts/src/random.ts', 'export const chance = Math.random();\n'],
  ...['process', 'Buffer', 'fetch', 'setTimeout', 'setInterval', 'queueMicrotask', 'performance', 'console', 'document', 'window'].map(
    (name) => ['no-restricted-globals', `packages/threads/src/uses-${name}.ts`, `export const used: unknown = ${name};\n`] as const,
  ),
];

const clean: Record<string, string> = {
  'packages/facts/src/clean.ts': "export const at = new Date('2026-01-01').toISOString();\nexport { thing } from './thing.js';\n",
  'packages/facts/src/thing.ts': lines(500),
  'packages/facts/src/clean.test.ts': `${longFunction}console.log(Date.now(), Math.random(), process.pid);\n`,
  'packages/cli/src/main.ts': "console.log('hello', Date.now());\n",
  'packages/tapes/src/now.ts': 'export const at = Date.now();\n',
};

const settings = [
  '.oxlintrc.json',
  'scripts/house-rules.mjs',
  ...['base', 'anywhere', 'node'].map((name) => `tsconfig.${name}.json`),
  ...['facts', 'tapes', 'threads'].map((name) => `packages/${name}/tsconfig.json`),
];

test('each lint rule catches what is planted against it, and only that', { timeout: 30_000 }, async () => {
  const files = { ...clean, ...Object.fromEntries(planted.map(([, file, text]) => [file, text])) };
  const folder = plant(files, settings);
  link(folder, 'node_modules', `${root}node_modules`);
  const { diagnostics } = (await runJson(folder, tools.oxlint, ['--format=json', 'packages'])) as Report;
  const found = diagnostics.map(({ code, filename, message }) => ({ rule: `${code ?? ''} ${message}`, filename }));
  const missed = planted.filter(([rule, file]) => !found.some((one) => one.filename === file && one.rule.toLowerCase().includes(rule)));
  expect(missed.map(([rule, file]) => `${rule}: ${file}`)).toEqual([]);
  expect(found.filter(({ filename }) => filename in clean)).toEqual([]);
});
