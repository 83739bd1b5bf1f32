import { visibleTextOfItem } from '@tapefold/reading';
import { randomFrom } from '@tapefold/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { SearchHit } from './search-result.js';
import { type Happening, type Searched, type WrittenThread, searched, threadId } from './written-home.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seeds = isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];
const QUERIES = isLong ? 600 : 150;

/** Pieces that texts are made of, several scripts and what code is made of. */
const words = ['parser', 'Parse', 'foo_bar.ts', 'src/x', 'α', 'Straße', 'ΣΊΣΥΦΟΣ', 'naïve', 'İstanbul', '数据', '库', '接続', 'テスト', '데이터', 'สวัสดี', '🎉', '👩‍👩‍👧', 'шифр', 'שלום', 'a', 'is', 'the', 'K', '--flag', '"q"', '{x:1}', '\\n', '`code`', 'e\u0301', '%', '_', '.', '/*', '::x', 'AND', 'ab'];

type Random = ReturnType<typeof randomFrom>;
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;

function textOf(random: Random): string {
  const count = 1 + random.below(random.below(5) === 0 ? 60 : 8);
  return Array.from({ length: count }, () => pick(random, words) + pick(random, [' ', ' ', '', '\n', '　'])).join('');
}

function threadsOf(random: Random): WrittenThread[] {
  return Array.from({ length: 14 }, (_, n) => ({
    n,
    turns: Array.from({ length: 1 + random.below(6) }, (_turn, t): Happening[] => {
      if (t > 1 && random.below(6) === 0) return [{ rollback: 1 }];
      return [{ user: textOf(random) }, ...(random.below(2) ? [{ command: [textOf(random).replaceAll('\0', '')], output: textOf(random) }] : []), { agent: textOf(random) }];
    }),
  }));
}

/** Every text of a thread as it stands, each with the name that a hit has. */
async function textsOf({ store, home }: Searched, n: number): Promise<{ readonly name: string; readonly text: string; readonly isOutput: boolean }[]> {
  const [entry] = (await store.histories()).filter(({ name }) => name.endsWith(threadId(n)));
  const opened = entry && await store.open(entry.name, { thread: { id: threadId(n), historyMode: 'legacy' }, readPiece: () => undefined });
  if (!opened) throw new Error(`${home.path} has no thread ${n}`);
  const texts = [];
  for await (const each of opened.history.eachItem()) {
    const item = opened.history.itemObject(each);
    const name = `${n} ${each.turnId} ${item.id}`;
    const said = visibleTextOfItem(item);
    if (said) texts.push({ name: `${name} ${said.role}`, text: said.text, isOutput: false });
    else if (item.type === 'commandExecution') texts.push({ name: `${name} action`, text: item.command, isOutput: false }, { name: `${name} output`, text: item.aggregatedOutput ?? '', isOutput: true });
  }
  return texts;
}

/** A pattern that finds a phrase literally, in any case, whatever blank is in it. */
const pattern = (phrase: string): RegExp => new RegExp(Array.from(phrase, (char) => (/\s/.test(char) ? String.raw`\s` : char.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))).join(''), 'iu');

/** A part of something that was said, or nothing that was, in another case. */
function phraseOf(random: Random, texts: readonly { readonly text: string }[]): string {
  const chars = Array.from(random.below(5) === 0 ? textOf(random) : pick(random, texts).text || 'x');
  const from = random.below(chars.length);
  const phrase = chars.slice(from, from + 1 + random.below(pick(random, [2, 4, 12]))).join('').replaceAll('"', '');
  return random.below(3) === 0 ? phrase.toUpperCase() : random.below(3) === 0 ? phrase.toLowerCase() : phrase;
}

const nameOf = ({ thread, turnId, itemId, source }: SearchHit): string => `${Number(thread.thread.id.slice(-12))} ${turnId} ${itemId} ${source}`;

describe('[R-STO-6] a search', () => {
  const opened: Searched[] = [];
  afterAll(async () => { for (const each of opened) await each.store.close(); });

  it.each(seeds)('finds what a look through every text finds, and says so where a budget ends it (seed %i)', async (seed) => {
    const random = randomFrom(seed);
    const home = await searched(threadsOf(random));
    opened.push(home);
    const texts = (await Promise.all(Array.from({ length: 14 }, (_, n) => textsOf(home, n)))).flat();
    let found = 0;
    for (let q = 0; q < QUERIES; q++) {
      const phrases = Array.from({ length: 1 + random.below(random.below(3) + 1) }, () => phraseOf(random, texts)).filter((phrase) => phrase.trim() !== '');
      if (phrases.length === 0) continue;
      const hasToolOutput = random.below(2) === 0;
      const expected = texts.filter(({ text, isOutput }) => (hasToolOutput || !isOutput) && phrases.every((phrase) => pattern(phrase).test(text))).map(({ name }) => name).sort();
      const text = phrases.map((phrase) => `"${phrase}"`).join(' ');
      const whole = home.search(text, { hasToolOutput });
      expect(whole.incomplete, text).toBeNull();
      expect(whole.hits.map(nameOf).sort(), text).toEqual(expected);
      expect(whole.matches).toBe(expected.length);
      found += expected.length;
      const few = home.search(text, { hasToolOutput, budgetTexts: 1 + random.below(12) });
      const names = few.hits.map(nameOf);
      expect(names.every((name) => expected.includes(name)), text).toBe(true);
      if (few.incomplete === null) expect(names.sort(), text).toEqual(expected);
      else expect(few.incomplete).toEqual({ isUnknown: false, threads: 0, waitingTexts: 0, cutTexts: 0, isOverBudget: true });
    }
    expect(found).toBeGreaterThan(QUERIES);
  }, 120_000);
});
