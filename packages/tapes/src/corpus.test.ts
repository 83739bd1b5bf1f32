import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { discoverCodexHome } from './codex-home.js';
import { openTapeLinesSync } from './open-tape.js';
import { readLinesBackward } from './read-backward.js';
import { readLinesSync } from './read-lines.js';
import { drain, linesByHand } from './tape-bytes.suite.js';

/** Recorded and public session files outside of the repository, read in place where they are. */
const corpus = process.env['TAPEFOLD_CORPUS'] ?? fileURLToPath(new URL('../../../../shared/corpus', import.meta.url));
const real = join(corpus, 'real/codex');
const recorded = join(corpus, 'codex/recorded');

describe('session files of the real program', () => {
  it.skipIf(!existsSync(real))(`[R-TAPE-1] [R-TAPE-3] lines of every file add up to it, both ways (needs ${real})`, () => {
    const files = readdirSync(real).filter((name) => name.endsWith('.jsonl')).map((name) => join(real, name));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { all, end } = drain(readLinesSync(file, { chunkBytes: 4_096 }));
      expect(all).toEqual(linesByHand(readFileSync(file)));
      expect(end.endOffset).toBe(statSync(file).size);
      expect([...readLinesBackward(file, { budgetBytes: 1e9 })].reverse()).toEqual(all);
    }
  });

  it.skipIf(!existsSync(recorded))(`[R-TAPE-6] every session of every recorded home is found and reads to its end (needs ${recorded})`, () => {
    const homes = readdirSync(recorded, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('/home')).map((path) => join(recorded, path));
    expect(homes.length).toBeGreaterThan(0);
    for (const home of homes) {
      const { tapes, problems } = discoverCodexHome(home);
      const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => /sessions\/.*rollout-.*\.json/.test(path));
      expect(tapes.map((tape) => tape.path).sort()).toEqual(files.map((path) => join(home, path)).sort());
      expect(problems).toEqual([]);
      for (const { path, name, sizeBytes } of tapes) {
        expect(name).toBeDefined();
        expect(drain(openTapeLinesSync(path)).end).toMatchObject({ endOffset: sizeBytes, isTorn: false });
      }
    }
  });
});
