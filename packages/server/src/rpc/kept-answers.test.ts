import { describe, expect, it } from 'vitest';
import { KEPT_ANSWERS_CHARS, KEPT_ANSWER_CHARS } from '../limits.js';
import { KeptAnswers } from './kept-answers.js';

/** Asks, and tells how often the answer was made. */
function asker(): { ask: (key: string, chunks?: readonly string[]) => Promise<string>; made: () => number } {
  const answers = new KeptAnswers();
  let made = 0;
  const ask = async (key: string, chunks: readonly string[] = ['{"of":', JSON.stringify(key), '}']): Promise<string> => {
    let text = '';
    for await (const chunk of await answers.given(key, async () => { made += 1; return chunks; })) text += String(chunk);
    return text;
  };
  return { ask, made: () => made };
}

describe('[R-STO-3] answers that are asked for again', () => {
  it('are the text of before, and of another state another one', async () => {
    const { ask, made } = asker();
    expect([await ask('1 0 5 page'), await ask('1 0 5 page'), await ask('1 0 6 page'), await ask('1 0 5 page')]).toEqual(['{"of":"1 0 5 page"}', '{"of":"1 0 5 page"}', '{"of":"1 0 6 page"}', '{"of":"1 0 5 page"}']);
    expect(made()).toBe(2);
  });

  it('are kept only where they are short, and whole', async () => {
    const { ask, made } = asker();
    const long = ['x'.repeat(KEPT_ANSWER_CHARS), 'y'];
    expect((await ask('long', long)).length).toBe(KEPT_ANSWER_CHARS + 1);
    await ask('long', long);
    expect(made()).toBe(2);
    const answers = new KeptAnswers();
    for await (const _ of await answers.given('broken off', async () => ['a', 'b'])) break;
    let text = '';
    for await (const chunk of await answers.given('broken off', async () => ['a', 'b'])) text += String(chunk);
    expect(text).toBe('ab');
  });

  it('take a bounded part of memory: those asked for longest ago go first', async () => {
    const { ask, made } = asker();
    const chunk = 'x'.repeat(KEPT_ANSWER_CHARS);
    const fit = KEPT_ANSWERS_CHARS / KEPT_ANSWER_CHARS;
    for (let i = 0; i < fit; i++) await ask(`${i}`, [chunk]);
    await ask('0', [chunk]);
    await ask('one more', [chunk]);
    expect(made()).toBe(fit + 1);
    await ask('0', [chunk]);
    expect(made()).toBe(fit + 1);
    await ask('1', [chunk]);
    expect(made()).toBe(fit + 2);
  });
});
