import { emptyLedger, enterLine } from '@tapefold/facts';
import type { TapeReport } from '@tapefold/store';
import { describe, expect, test } from 'vitest';
import { text } from './hand-made.suite.js';
import { addReport, emptyTotals, ledgerLines, reportLine, totalLines } from './ledger-view.js';

function report(fields: Partial<TapeReport> = {}): TapeReport {
  const ledger = emptyLedger();
  let offset = 0;
  const enter = (length: number, account: Parameters<typeof enterLine>[2]): void => {
    enterLine(ledger, { offset, length }, account);
    offset += length;
  };
  enter(100, { verdict: 'played', type: 'session_meta' });
  enter(50, { verdict: 'played', type: 'event_msg/user_message', repairs: ['byteOrderMark'] });
  enter(20, { verdict: 'unknown', type: 'event_msg/tomorrow\u001b[2J' });
  enter(30, { verdict: 'damaged', damage: 'invalidJson' });
  enter(1, { verdict: 'blank' });
  enter(9, { verdict: 'damaged', damage: 'tornTail' });
  return { path: '/home/sam/r.jsonl', threadId: 't1', ledger, facts: 5, problem: undefined, ...fields };
}

describe('[R-TAPE-2] the ledger', () => {
  test('of one file says what became of every line', () => {
    expect(text(ledgerLines(report({ problem: 'the disk\nis worn' }), '/home/sam'))).toBe([
      '~/r.jsonl', 'thread t1 · 210 B · 6 lines gave 5 facts', '! the disk is worn', '  played   2', '  ignored  0', '  unknown  1', '  damaged  2', '  blank    1',
      '✓ It adds up: 2 + 0 + 1 + 2 + 1 = 6 lines.', '', '  TYPE                         PLAYED  UNKNOWN', '  session_meta                      1', '  event_msg/user_message            1',
      '  event_msg/tomorrow\\u{1b}[2J                1', '', 'Damaged byte ranges', '  bytes 170–200 (1 line)', '  bytes 201–210 (1 line)', '', 'Damaged lines', '  line 4, bytes 170–200: it is no JSON',
      '  line 6, bytes 201–210: it stops in the middle: the last line of the file, which may still grow', '', 'Repaired lines', '  line 2, bytes 100–150: a byte order mark was skipped', '',
      'Torn tail: bytes 201–210 are an unfinished last line; they are read again when the file grows.',
    ].join('\n'));
  });

  test('of many files is a line each and the sums', () => {
    const totals = emptyTotals();
    for (const one of [report(), report({ problem: 'cannot be read' })]) addReport(totals, one);
    expect(text([reportLine(report(), '/'), ...totalLines(totals)])).toBe([
      '! /home/sam/r.jsonl · 6 lines · 5 facts · 1 unknown · 2 damaged · 1 repaired', '', '2 session files, 420 B, 10 facts',
      '12 lines: 4 played, 0 ignored, 2 unknown, 4 damaged, 2 blank. 1 file could not be read to the end.', '✓ Every ledger adds up.',
    ].join('\n'));
  });

  test('that does not add up is a bug, and says so', () => {
    const wrong = report();
    wrong.ledger.linesTotal += 1;
    const totals = emptyTotals();
    addReport(totals, wrong);
    expect(totals.doNotAddUp).toBe(1);
    expect(text(ledgerLines(wrong, '/'))).toContain('✗ It does not add up: 2 + 0 + 1 + 2 + 1 against 7 lines, 210 bytes. This is a bug of Tapefold: please report it.');
    expect(text(totalLines(totals))).toContain('✗ 1 ledger did not add up.');
  });

  test('shows the first entries of a long list, and how many more there are', () => {
    const many = report();
    for (let i = 0; i < 30; i += 1) enterLine(many.ledger, { offset: 210 + i * 20, length: 10 }, { verdict: 'damaged', damage: 'tooDeep' });
    expect(text(ledgerLines(many, '/'))).toContain('  … 12 more: --json shows them');
  });
});
