import { describe, expect, it } from 'vitest';
import { RecordIndex } from './record-index.js';

describe('[R-THR-1] numbers of records', () => {
  it('a record that takes the place of the only one of the tape before it stands in its own tape; restored on the way or not', () => {
    const marks = [[0, 'a', 0], [2, 'b', 0], [2, 'c', 0], [3, 'c', 40]] as const;
    const whole = new RecordIndex();
    let pieces = new RecordIndex();
    for (const [position, tape, offset] of marks) {
      whole.add(position, { mark: { tape, offset } });
      pieces = RecordIndex.restore(pieces.slice(0, pieces.length));
      pieces.add(position, { mark: { tape, offset } });
    }
    for (const index of [whole, pieces]) {
      expect(index.markOf(1)).toEqual({ tape: 'a', offset: 0 });
      expect(index.markOf(2)).toEqual({ tape: 'c', offset: 0 });
      expect(index.markOf(3)).toEqual({ tape: 'c', offset: 40 });
      expect(index.ordinalAt({ tape: 'c', offset: 1 })).toBe(3);
      expect(index.ordinalAt({ tape: 'b', offset: 0 })).toBeUndefined();
    }
    expect(pieces.slice(0, 3)).toEqual(whole.slice(0, 3));
  });
});
