import fc from 'fast-check';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { type Step, base64, startOtherProcess } from './other-process.suite.js';
import { type TreeChange, TreeWatch } from './tree-watch.js';

const folder = temporaryFolder();
const other = startOtherProcess();
afterAll(() => other.stop());

const names = fc.constantFrom('a', 'b', 'c');
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const files = fc.tuple(paths, names).map(([path, name]) => `${path}/${name}.jsonl`);
type Change = { readonly kind: 'write'; readonly path: string } | { readonly kind: 'remove'; readonly path: string } | { readonly kind: 'rename'; readonly path: string; readonly to: string } | { readonly kind: 'rest' };
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: files.map((path) => ({ kind: 'write' as const, path })) }, { weight: 1, arbitrary: fc.oneof(paths, files).map((path) => ({ kind: 'remove' as const, path })) },
  { weight: 2, arbitrary: fc.tuple(fc.oneof(paths, files), names).map(([path, name]) => ({ kind: 'rename' as const, path, to: `moved-${name}${path.endsWith('.jsonl') ? '.jsonl' : ''}` })) }, { weight: 2, arbitrary: fc.constant({ kind: 'rest' as const }) },
);

/** All files below a folder with their contents, as the plainest program reads them. */
function contentsBelow(path: string, found = new Map<string, string>()): Map<string, string> {
  for (const name of existsSync(path) ? readdirSync(path) : []) {
    const child = join(path, name);
    const stats = statSync(child, { throwIfNoEntry: false });
    if (stats?.isDirectory()) contentsBelow(child, found);
    else if (stats) found.set(child, readFileSync(child, 'utf8'));
  }
  return found;
}

/** What a program knows that looks only where it was told to. */
class Knowing {
  readonly known = new Map<string, string>();

  take({ path, kind }: TreeChange): void {
    if (kind !== 'file') for (const each of this.known.keys()) if (each === path || each.startsWith(`${path}/`)) this.known.delete(each);
    if (kind === 'folder') for (const [each, content] of contentsBelow(path)) this.known.set(each, content);
    if (kind !== 'file') return;
    if (existsSync(path)) this.known.set(path, readFileSync(path, 'utf8'));
    else this.known.delete(path);
  }
}

let runs = 0;

describe('a watched folder and a program that does anything in it', () => {
  it('[R-TAPE-4] whoever looks only where it is told to knows every file as it is', async () => {
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), fc.constantFrom(3, 4_096), fc.constantFrom(3, 2_048), async (changes, waiting, folders) => {
      const home = join(folder, `run-${(runs += 1)}`);
      const root = join(home, 'root');
      const watch = new TreeWatch([{ path: root, depth: 5 }], { waiting, folders, lookMs: 5 });
      const knowing = new Knowing();
      const done = (async () => { for await (const batch of watch.changes()) batch.forEach((each) => knowing.take(each)); })();
      let number = 0;
      for (const each of changes) {
        if (each.kind === 'rest') await setTimeout(2);
        else await other.run(...stepsOf(each, root, (number += 1)));
      }
      const expected = contentsBelow(root);
      const isKnown = (): boolean => isDeepStrictEqual(knowing.known, expected);
      for (const start = Date.now(); !isKnown() && Date.now() - start < 5_000;) await setTimeout(2);
      expect(Object.fromEntries(knowing.known)).toEqual(Object.fromEntries(expected));
      watch.close();
      await done;
    }), { numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? 100, 500) });
  }, 300_000);
});

/** Steps of a change; one that makes no sense where the folder stands does nothing. */
function stepsOf(each: Exclude<Change, { kind: 'rest' }>, root: string, number: number): Step[] {
  const path = join(root, each.path);
  if (each.kind === 'write') return [{ do: 'makeFolder', path: join(path, '..') }, { do: 'append', path, base64: base64(`${number}\n`) }];
  if (!existsSync(path)) return [];
  if (each.kind === 'remove') return [{ do: 'remove', path }];
  const to = join(root, each.to);
  return existsSync(to) ? [] : [{ do: 'rename', path, to }];
}
