import type { Fate } from '@tapefold/context';
import { describe, expect, test } from 'vitest';
import { cellWidth } from '../text/cell-width.js';
import { createPaint } from '../text/line.js';
import { fateLines, requestLines } from './context-lines.js';

const paint = createPaint(false);
const text = (lines: ReturnType<typeof fateLines>): string => lines.map(paint).join('\n');
const base: Omit<Fate, 'position'> = { key: 'a#1', fate: 'sent', reason: 'present', item: { kind: 'message', role: 'user', content: [{ kind: 'text', text: 'say \u001b[31mred\nand more' }], visibility: 'shown' } };

describe('fates on the screen', () => {
  test('are a table, safe and no wider than the terminal', () => {
    const fates: Fate[] = [
      { ...base, position: 1 }, { ...base, position: 2, fate: 'rolledBack', reason: 'rollback', by: 'codex/x#9', item: { kind: 'call', name: 'shell', input: 'x'.repeat(300), form: 'text' } },
      { key: 'a#3', position: 3, fate: 'neverSent', reason: 'notInHistory', shown: { key: 'a#3', position: 3, id: 'i', kind: 'notice', text: 'careful' } },
    ];
    expect(text(fateLines(fates, 60))).toBe([
      '3 items: 1 sent, 0 summarised, 1 rolled back, 0 hidden, 1 never sent', '',
      'POSITION  FATE         WHY            WHO     TEXT', '       1  sent                        user    say red and more', `       2  rolled back  rollback (#9)  call    shell ${'x'.repeat(13)}…`, '       3  never sent   only shown     notice  careful',
    ].join('\n'));
    for (const line of fateLines(fates, 60).slice(1)) expect(cellWidth(paint(line))).toBeLessThanOrEqual(66);
    expect(text(fateLines([], 60))).toBe('0 items: 0 sent, 0 summarised, 0 rolled back, 0 hidden, 0 never sent');
  });

  test('an empty request is one line', () => {
    expect(text(requestLines({ items: [], leftOut: [], version: 1, body: { input: [] } }, { provider: 'chat', widthCols: undefined }))).toBe('0 items, about 0 tokens for Chat Completions; the history was rewritten 1 time');
  });
});
