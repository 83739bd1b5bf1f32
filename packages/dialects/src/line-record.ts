import { stringAtPath } from '@tapefold/facts';
import type { RecordPath } from '@tapefold/facts';
import { recordsOf } from './records.js';

/** One string of one record of a line, as large texts of facts point to it; undefined where the line no longer has it. Never throws. */
export function stringInLine(text: string, record: number, path: RecordPath): string | undefined {
  const found = recordsOf({ offset: 0, length: text.length, text, isTerminated: true });
  return stringAtPath(found.records[record], path);
}
