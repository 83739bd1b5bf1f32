import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Inflater, deflated, deflatedBytes } from './deflated.js';

describe('texts that are inflated with one engine', () => {
  it('[R-STO-4] come in order and whole, however long they are', async () => {
    const texts = ['', 'a', '漢字', randomBytes(1_400_000).toString('hex'), 'x'.repeat(5_000_000), 'last'];
    const inflater = new Inflater();
    const made = await Promise.all(texts.map((text) => inflater.inflated(deflated(text))));
    inflater.close();
    expect(made.map((text) => text.toString()).every((text, at) => text === texts[at])).toBe(true);
  });

  it.each<readonly [string, Buffer]>([
    ['no deflated text', Buffer.alloc(100, 0xff)],
    ['more bytes than the text has', Buffer.concat([deflated('text'), Buffer.from('more')])],
  ])('[R-ONE-2] %s is an error, and what follows too', async (_, bytes) => {
    const inflater = new Inflater();
    const [damaged, next] = [inflater.inflated(bytes), inflater.inflated(deflated('next'))];
    await expect(damaged).rejects.toThrow();
    await expect(next).rejects.toThrow();
    inflater.close();
  });

  it('a text that ends before its bytes are there is shorter', async () => {
    const inflater = new Inflater();
    const whole = deflatedBytes(randomBytes(10_000).toString('hex'));
    expect((await inflater.inflated(whole.subarray(0, whole.length / 2))).length).toBeLessThan(20_000);
    inflater.close();
  });

  it('what is not there yet when it is closed does not come', async () => {
    const inflater = new Inflater();
    const coming = inflater.inflated(deflated('x'.repeat(3_000_000)));
    inflater.close();
    await expect(coming).rejects.toThrow();
  });
});
