import { createNativePlayer } from '@tapefold/dialects';
import { type Recorder, openTape } from '@tapefold/tapes';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HomeRef } from '../thread-source.js';
import { folder, index, newStore, verified } from './grown-home.suite.js';

const threadId = '01990000-0000-7000-8000-00000000000a';
const open = (home: HomeRef): Promise<Recorder> => openTape({ home: home.path, threadId, createPlayer: createNativePlayer, agent: { name: 'a' } });

async function say(tape: Recorder, words: string): Promise<void> {
  const turn = tape.turn(words);
  await turn.step().message().complete({ text: `re: ${words}` });
  turn.end();
}

it('[R-STO-2] a native tape that grows, is left by a dead writer and gone on with: only what is new is read, and rows say what the tape says', { timeout: 60_000 }, async () => {
  const home: HomeRef = { program: 'native', path: folder() };
  const store = await newStore();
  const path = join(home.path, threadId, 'tape.jsonl');
  const demandEqual = async (): Promise<void> => expect(await verified(store, [home])).toEqual({ threads: 1, wrong: [] });
  let tape = await open(home);
  await say(tape, 'one');
  expect(await index(store, [home])).toMatchObject({ built: 1, isComplete: true });
  await say(tape, 'two');
  tape.turn('three').step().call({ name: 'sleep', input: {} });
  const before = readFileSync(path).length;
  await tape.close();
  expect(await index(store, [home])).toMatchObject({ built: 0, continued: 1 });
  await demandEqual();

  // Half a line of a writer that died, then the next one, which cuts it off and goes on.
  appendFileSync(path, `{"ordinal":${tape.factCount},"type":"turn.en`);
  await index(store, [home]);
  await demandEqual();
  tape = await open(home);
  tape.undo();
  await say(tape, 'four');
  await index(store, [home]);
  await demandEqual();
  expect(readFileSync(path).length).toBeGreaterThan(before);

  // A line that is damaged afterwards: the tape is read anew.
  await tape.close();
  writeFileSync(path, readFileSync(path, 'utf8').replace('"re: one"', '"re: one'));
  await index(store, [home]);
  await demandEqual();
});
