import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleTextOfItem } from '../item-text.js';
import { threadItems } from './items.suite.js';
import { emptyPreview, feedPreview, previewLines } from './preview-lines.js';

/** Every line of the full view of a thread, as a viewer shows it. */
const fullView = (items: Parameters<typeof previewLines>[0]): string[] => items.flatMap((item) => visibleTextOfItem(item)?.text.split('\n') ?? []);

describe('laws of the preview', () => {
  it('[R-SCR-2] its lines are lines of the full view, in order, and its last line is the last there with anything in it', () => {
    fc.assert(fc.property(threadItems, (items) => {
      const lines = previewLines(items).map(({ text }) => text);
      const full = fullView(items).map((line) => line.trim()).filter((line) => line !== '');
      expect(lines).toEqual(full.slice(-6));
      expect(lines.at(-1)).toBe(full.at(-1));
    }));
  });

  it('[R-STO-5] is the same however the items are cut into pages', () => {
    fc.assert(fc.property(threadItems, fc.array(fc.nat(7)), (items, cuts) => {
      const newestFirst = [...items].reverse();
      let preview = emptyPreview;
      let at = 0;
      for (const size of [...cuts, items.length]) {
        preview = feedPreview(preview, newestFirst.slice(at, at + size));
        at += size;
      }
      expect(preview).toEqual(feedPreview(emptyPreview, newestFirst));
      expect(preview.lines).toEqual(previewLines(items));
    }));
  });

  it('never changes a reduction in place, and gives a bound one back as it is', () => {
    fc.assert(fc.property(threadItems, threadItems, (items, more) => {
      const preview = feedPreview(emptyPreview, items);
      const copy = JSON.stringify(preview);
      const fed = feedPreview(preview, more);
      expect(JSON.stringify(preview)).toBe(copy);
      if (preview.bound !== undefined) expect(fed).toBe(preview);
    }));
  });
});
