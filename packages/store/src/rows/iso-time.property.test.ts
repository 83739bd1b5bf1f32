import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longTime, shortTime } from './iso-time.js';

/** What JavaScript's calendar says. */
function byCalendar(at: string): number | string {
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === at ? ms : at;
}

const times = fc.date({ min: new Date(-62_167_219_200_000), max: new Date(253_402_300_799_999), noInvalidDate: true }).map((date) => date.toISOString());
const nearly = fc.tuple(times, fc.nat({ max: 23 }), fc.constantFrom('0', '9', '-', ':', 'T', 'x', ' ', '6')).map(([time, at, sign]) => `${time.slice(0, at)}${sign}${time.slice(at + 1)}`);

describe('[R-STO-2] times of rows', () => {
  it('are as many milliseconds as the calendar says, and the text again', () => {
    fc.assert(fc.property(fc.oneof(times, nearly, fc.string()), fc.integer(), (at, fromMs) => {
      const expected = byCalendar(at);
      expect(shortTime(at, fromMs)).toBe(typeof expected === 'number' ? expected - fromMs : at);
      expect(longTime(shortTime(at, fromMs), fromMs)).toBe(at);
    }), { numRuns: 1_000 });
  });

  it.each(['2025-02-30T00:00:00.000Z', '2024-02-29T23:59:59.999Z', '2025-01-01T24:00:00.000Z', '2025-01-01T23:59:60.000Z', '+010000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2025-13-01T00:00:00.000Z', '2025-01-01T00:00:00Z'])('that are no more than nearly one stay as they are: %s', (at) => {
    expect(longTime(shortTime(at, 5), 5)).toBe(at);
    if (at.length === 24) expect(shortTime(at)).toBe(byCalendar(at));
  });
});
