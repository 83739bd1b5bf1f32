import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectGarbage } from './collect-garbage.js';

/** Something that nobody holds. */
const dropped = (): WeakRef<object> => new WeakRef({ text: 'x'.repeat(1_000) });

it('what nobody holds is collected at once, and the program has no new global for it', async () => {
  const garbage = Array.from({ length: 100 }, dropped);
  await setImmediate();
  expect(garbage.every((ref) => ref.deref() !== undefined)).toBe(true);
  await setImmediate();
  collectGarbage();
  expect(garbage.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  expect('gc' in globalThis).toBe(false);
});
