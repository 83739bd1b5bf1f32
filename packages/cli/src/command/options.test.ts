import { describe, expect, test } from 'vitest';
import { UsageError } from '../exit.js';
import { parseHome } from '../homes.js';
import { hasColours } from '../terminal.js';
import { namedPath } from './named-path.js';
import { sinceMs } from './since.js';
import { wholeNumber } from './whole-number.js';

const now = Date.parse('2026-03-07T12:00:00Z');

describe('--since', () => {
  test.each([
    ['3d', now - 3 * 86_400_000], ['12h', now - 12 * 3_600_000], ['2w', now - 14 * 86_400_000], ['2026-03-04', new Date(2026, 2, 4).getTime()], ['2026-03-04T09:30', new Date(2026, 2, 4, 9, 30).getTime()],
    ['2026-03-04 09:30', new Date(2026, 2, 4, 9, 30).getTime()], ['2026-03-04T09:30:00Z', Date.parse('2026-03-04T09:30:00Z')], ['2026-03-04T09:30:00.5+02:00', Date.parse('2026-03-04T07:30:00.500Z')],
  ])('%s', (text, ms) => expect(sinceMs(text, now)).toBe(ms));
  test.each(['', 'yesterday', '3', '3m', '-3d', '2026-13-01', '2026', '1'])('%s is refused', (text) => expect(() => sinceMs(text, now)).toThrow(UsageError));
});

test('--home names an agent and a folder', () => {
  expect(parseHome('codex=../x=y', '/a/b')).toEqual({ program: 'codex', path: '/a/x=y' });
  for (const wrong of ['/x', 'codex=', 'gemini=/x']) expect(() => parseHome(wrong, '/')).toThrow(UsageError);
});

test('numbers are whole', () => {
  expect([wholeNumber('7', '--limit'), wholeNumber('-2', '--turn', Number.NEGATIVE_INFINITY)]).toEqual([7, -2]);
  for (const wrong of ['', '1.5', '-1', '0x10', 'all', '99999999999999999']) expect(() => wholeNumber(wrong, '--limit')).toThrow(UsageError);
});

test('an id is no path', () => {
  expect([namedPath('019cb927', '/w'), namedPath('last', '/w'), namedPath('a.jsonl', '/w'), namedPath('x/y', '/w'), namedPath('.', '/w')]).toEqual(['019cb927', 'last', '/w/a.jsonl', '/w/x/y', '/w']);
});

test.each([
  [{}, true, true], [{}, false, false], [{ NO_COLOR: '1' }, true, false], [{ NO_COLOR: '' }, true, true], [{ FORCE_COLOR: '1' }, false, true], [{ FORCE_COLOR: '0' }, true, false], [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
])('colours with %o on a terminal (%s): %s', (env, isTerminal, expected) => expect(hasColours(env, isTerminal)).toBe(expected));
