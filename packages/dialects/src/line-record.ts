import { valueAtPath } from '@tapefold/facts';
import type { JsonValue, RecordPath } from '@tapefold/facts';
import { recordsOf } from './records.js';

const recordIn = (text: string, record: number): unknown => recordsOf({ offset: 0, length: text.length, text, isTerminated: true }).records[record];

/** One value of one record of a line, as native records of facts point to it; undefined where the line no longer has it. Never throws. */
export function valueInLine(text: string, record: number, path: RecordPath): JsonValue | undefined {
  return valueAtPath(recordIn(text, record), path);
}
