import type { TapeLine } from '@tapefold/facts';
import fc from 'fast-check';
import { Buffer } from 'node:buffer';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { linesByHand, temporaryFolder } from '../tape-bytes.suite.js';
import { type Seen, followed } from './followed.suite.js';
import { type Step, base64, startOtherProcess } from './other-process.suite.js';

const folder = temporaryFolder();
const other = startOtherProcess();
afterAll(() => other.stop());

type Change =
  | { readonly kind: 'append' | 'rewrite' | 'replace' | 'moveAway'; readonly pieces: readonly string[] }
  | { readonly kind: 'truncate'; readonly part: number }
  | { readonly kind: 'remove' | 'rest' };

const pieces = fc.array(fc.constantFrom('\n', 'a', 'é日', '\r\n', '\n\n', 'long '.repeat(300), '#'), { minLength: 1, maxLength: 8 });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: pieces.map((given) => ({ kind: 'append' as const, pieces: given })) }, { weight: 1, arbitrary: pieces.map((given) => ({ kind: 'rewrite' as const, pieces: given })) },
  { weight: 1, arbitrary: pieces.map((given) => ({ kind: 'replace' as const, pieces: given })) }, { weight: 1, arbitrary: pieces.map((given) => ({ kind: 'moveAway' as const, pieces: given })) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 10 }).map((tenths) => ({ kind: 'truncate' as const, part: tenths / 10 })) }, { weight: 1, arbitrary: fc.constant({ kind: 'remove' as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'rest' as const }) },
);

/** A file and every complete line that it ever had. Pieces are numbered, so that no two lines are the same by chance. */
class Model {
  content: Uint8Array | undefined;
  readonly everComplete = new Set<string>();
  #number = 0;

  constructor(readonly path: string) {}

  numbered(given: readonly string[]): Buffer {
    return Buffer.from(given.map((piece) => piece.replace(/[a#é]/g, (sign) => `${sign}${(this.#number += 1)}`)).join(''));
  }

  lines(): TapeLine[] {
    return linesByHand(this.content ?? Buffer.alloc(0)).filter(({ isTerminated }) => isTerminated);
  }

  /** The steps of a change, which is also made here. */
  steps(change: Change): Step[] {
    const bytes = 'pieces' in change ? this.numbered(change.pieces) : Buffer.alloc(0);
    const steps = this.#stepsOf(change, bytes);
    if (change.kind === 'append') this.content = Buffer.concat([this.content ?? Buffer.alloc(0), bytes]);
    else if (change.kind === 'truncate') this.content = this.content?.subarray(0, Math.floor(this.content.length * change.part));
    else if (change.kind === 'remove') this.content = undefined;
    else if (change.kind !== 'rest') this.content = bytes;
    for (const line of this.lines()) this.everComplete.add(line.text ?? '');
    return steps;
  }

  #stepsOf(change: Change, bytes: Buffer): Step[] {
    const { path } = this;
    const content = base64(bytes);
    switch (change.kind) {
      case 'append': return [{ do: 'append', path, base64: content }];
      case 'rewrite': return [{ do: 'write', path, base64: content }];
      case 'replace': return [{ do: 'write', path: `${path}.new`, base64: content }, { do: 'rename', path: `${path}.new`, to: path }];
      case 'moveAway': return [...(this.content ? [{ do: 'rename' as const, path, to: `${path}.${(this.#number += 1)}` }] : []), { do: 'write', path, base64: content }];
      case 'truncate': return this.content ? [{ do: 'truncate', path, size: Math.floor(this.content.length * change.part) }] : [];
      case 'remove': return this.content ? [{ do: 'remove', path }] : [];
      case 'rest': return [];
    }
  }
}

/** In each stretch between two restarts the lines follow each other from the first byte on, and each was once complete in the file. */
function checkStretches({ events }: Seen, model: Model): void {
  let offset = 0;
  for (const event of events) {
    if (event.kind === 'restarted') offset = 0;
    if (event.kind !== 'lines') continue;
    for (const line of event.lines) {
      expect(line.offset).toBe(offset);
      expect(line.isTerminated && model.everComplete.has(line.text ?? ''), JSON.stringify(line)).toBe(true);
      offset += line.length;
    }
  }
}

let runs = 0;

describe('a followed tape and a program that does anything to it', () => {
  it('[R-TAPE-4] tells in the end exactly the complete lines of the file, each once, and never half a line', async () => {
    let restarts = 0;
    await fc.assert(fc.asyncProperty(fc.array(change, { maxLength: 25 }), fc.constantFrom(undefined, 64), async (changes, chunkBytes) => {
      const home = join(folder, `run-${(runs += 1)}`);
      mkdirSync(home);
      const model = new Model(join(home, 'tape.jsonl'));
      const seen = followed(model.path, chunkBytes === undefined ? {} : { chunkBytes });
      const done: Promise<number>[] = [];
      for (const each of changes) {
        if (each.kind === 'rest') await done.at(-1);
        else done.push(other.run(...model.steps(each)));
      }
      await other.run(...model.steps({ kind: 'append', pieces: ['\n', '#', ' the end\n'] }));
      const last = model.lines().at(-1);
      await seen.until(() => seen.texts.at(-1) === last?.text);
      expect(seen.lines).toEqual(model.lines());
      checkStretches(seen, model);
      restarts += seen.events.filter(({ kind }) => kind === 'restarted').length;
      await seen.close();
    }), { numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? 100, 500) });
    expect(restarts).toBeGreaterThan(20);
  }, 300_000);
});
