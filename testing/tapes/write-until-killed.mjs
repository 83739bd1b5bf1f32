// @ts-check
// Writers that wait to be killed: `node write-until-killed.mjs RUN COUNT FOLDER...` appends facts to the tape of each folder, COUNT at most, all at the same
// time, and says on standard output what it was promised, with the folder's number from 0: `open 0 N`, `a 0 N` (fact N is in the operating system),
// `b 0 N` (all facts before N are on the disk), `end 0`.
import { openTapeWriter } from '@tapefold/tapes';
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const [run = '0', count = '', ...folders] = process.argv.slice(2);
const most = Number(count);
const say = (/** @type {string} */ text) => void writeSync(1, `${text}\n`);

/** Lengths as facts have them: mostly short, now and then longer than a page, seldom longer than the writer's buffer. @param {number} i */
const lengthOf = (i) => (i % 97 === 96 ? 150_000 : i % 13 === 12 ? 9_000 : 20 + ((i * 37) % 400));

/** @param {number} i @returns {import('@tapefold/facts').FactDraft} */
const fact = (i) => ({ type: 'notice.posted', level: 'info', code: `${run}.${i}`, text: (i % 5 === 0 ? 'é' : 'x').repeat(lengthOf(i)) });

/** @param {string} folder @param {number} number */
async function writeUntilKilled(folder, number) {
  const writer = await openTapeWriter(folder, { tape: 'native/killed' });
  say(`open ${number} ${writer.nextOrdinal}`);
  for (let i = 0; i < most; ) {
    if (i % 7 === 3) {
      const some = writer.appendAll([fact(i), fact(i + 1), fact(i + 2)]);
      i += 3;
      say(`a ${number} ${some.at(-1)?.ordinal}`);
    } else {
      say(`a ${number} ${writer.append(fact(i)).ordinal}`);
      i += 1;
    }
    if (i % 11 === 0) {
      await writer.barrier();
      say(`b ${number} ${writer.nextOrdinal}`);
    } else if (i % 5 === 0) await setImmediate();
  }
  await writer.close();
  say(`end ${number}`);
}

await Promise.all(folders.map(writeUntilKilled));
