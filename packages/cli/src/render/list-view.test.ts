import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth } from '../text/cell-width.js';
import { createPaint } from '../text/line.js';
import { now, summary, text, thread, times } from './hand-made.suite.js';
import { hostile, unsafe } from './hostile.suite.js';
import { listLines } from './list-view.js';

const base = { times, homeDir: '/home/sam', nowMs: Date.parse('2026-06-01T00:00:00Z') };
const parent = summary({ thread: thread({ id: '019c46d2-e860-7000-8000-000000000001', name: 'CSV export', preview: 'x' }) });
const child = summary({ thread: thread({ id: '019c46d2-e999-7000-8000-000000000002', parentThreadId: parent.thread.id, preview: 'Find\nCSV' }), isSubAgent: true, lastTurn: 'open', turnCount: undefined });
const old = summary({
  thread: thread({ id: '019a989b-385c-7000-8000-000000000003', preview: '状態の言葉を日本語に訳してください。配達済み、配送中、紛失、郵便局で保管中。全部です。', cwd: '/srv/very/long/path/of/somebody/else/notes' }), isArchived: true, lastTurn: undefined,
  updatedAtMs: Date.parse('2025-03-01T00:00:00Z'), problem: 'the rest of the file is damaged', sizeBytes: 3_000_000_000,
});

describe('the list', () => {
  test('is a table where there is room, cut to the width in cells', () => {
    const lines = text(listLines([child, old, parent], { ...base, widthCols: 120 }));
    expect(lines).toBe([
      'ID             TIME          AGENT  TITLE                              CWD                    SIZE  TURNS  LAST TURN',
      '019a989b-385c  Mar  1  2025  codex  [archived] 状態の言葉を日本語に…   …mebody/else/notes   3.0 GB      4  –',
      '  ! the rest of the file is damaged',
      '019c46d2-e860  Mar  4 14:20  codex  CSV export                         ~/w                 12.4 kB      4  ✓ completed',
      '019c46d2-e999  Mar  4 14:20  codex  ↳ Find CSV                         ~/w                 12.4 kB      –  ■ interrupted',
    ].join('\n'));
  });

  test('[R-DIA-7] says that an open turn may run only while its file changes', () => {
    const ending = (nowMs: number): string | undefined => text(listLines([child], { ...base, nowMs })).split('  ').at(-1);
    expect(ending(child.updatedAtMs + 5_000)).toBe('◌ may be running');
    expect(ending(child.updatedAtMs + 3_600_000)).toBe('■ interrupted');
  });

  test('[R-DIA-7] does not take a file for running because it was copied just now', () => {
    const copied = { ...child, lastRecordAtMs: child.updatedAtMs - 86_400_000 };
    expect(text(listLines([copied], { ...base, nowMs: child.updatedAtMs + 5_000 })).split('  ').at(-1)).toBe('■ interrupted');
  });

  test('is two lines a thread on a narrow terminal', () => {
    expect(text(listLines([old, parent], { ...base, widthCols: 80 }))).toBe([
      'Mar  1  2025   [archived] 状態の言葉を日本語に訳してください。配達済み、配送中…',
      '019a989b-385c  codex · …/long/path/of/somebody/else/notes · 3.0 GB · 4 turns · –',
      '               ! the rest of the file is damaged',
      'Mar  4 14:20   CSV export',
      '019c46d2-e860  codex · ~/w · 12.4 kB · 4 turns · ✓ completed',
    ].join('\n'));
  });

  test('is not cut to a width where the output is no terminal, but a title is no page', () => {
    const long = summary({ thread: thread({ preview: 'word '.repeat(1_000_000) }) });
    const [, row = ''] = text(listLines([long], base)).split('\n');
    expect(row).toContain(`${'word '.repeat(19)}word…  ~/w`);
  });

  test('says so where there is no prompt', () => {
    expect(text(listLines([summary({ thread: thread({ preview: ' \n' }) })], base))).toContain('(no prompt)');
  });

  test('shows as much of an id as tells it from the others', () => {
    const twins = ['session-of-mine-1', 'session-of-mine-2', 'another-session-0'].map((id) => summary({ thread: thread({ id }) }));
    expect(text(listLines(twins, base)).split('\n').slice(1).map((line) => line.split(' ', 1)[0])).toEqual(['session-of-mine-1', 'session-of-mine-2', 'another-sessi']);
  });

  test('shows sub-agents below their parent, and threads in a circle all the same', () => {
    const a = summary({ thread: thread({ id: 'a', parentThreadId: 'b', preview: 'A' }), isSubAgent: true });
    const b = summary({ thread: thread({ id: 'b', parentThreadId: 'a', preview: 'B' }), isSubAgent: true });
    const grandchild = summary({ thread: thread({ id: 'g', parentThreadId: child.thread.id, preview: 'G' }), isSubAgent: true });
    const titles = text(listLines([grandchild, a, child, b, parent], base)).split('\n').slice(1).map((line) => /codex {2}(.*?) {2,}~/.exec(line)?.[1]);
    expect(titles).toEqual(['CSV export', '↳ Find CSV', '  ↳ G', '↳ A', '↳ B']);
  });

  test('[R-SEC-2] no control byte gets into it, and no line is wider than the terminal', () => {
    fc.assert(fc.property(hostile, fc.integer({ min: 80, max: 200 }), (words, widthCols) => {
      const made = summary({ thread: thread({ id: words.slice(0, 36), preview: words, cwd: words }), problem: undefined });
      for (const line of listLines([made], { ...base, widthCols })) {
        const painted = createPaint(false)(line);
        expect(unsafe.test(painted)).toBe(false);
        expect(cellWidth(painted)).toBeLessThanOrEqual(widthCols);
      }
    }));
  });

  test('times are never wider than their column', () => {
    for (const ms of [now, 0, Number.NaN, 9e15, -1e13]) expect(cellWidth(times.short(ms))).toBe(12);
  });
});
