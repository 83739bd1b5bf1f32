import type { RecordList } from '@tapefold/threads';

/** Records of a block: one look-up reads few bytes, and a thread of a million records has two thousand blocks. */
export const BLOCK_RECORDS = 512;

const deltas = (numbers: readonly number[]): number[] => numbers.map((number, i) => number - (numbers[i - 1] ?? 0));

function sums(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((number) => (sum += number));
}

/** Records as text: each number as the step from the one before. */
export function encodeRecords({ starts, ordinals, offsets, tapes, last }: RecordList): string {
  return JSON.stringify([deltas(starts), deltas(ordinals), deltas(offsets), tapes, last]);
}

/** Records from their text. */
export function decodeRecords(text: string): RecordList {
  const [starts, ordinals, offsets, tapes, last] = JSON.parse(text) as [number[], number[], number[], RecordList['tapes'], number];
  return { starts: sums(starts), ordinals: sums(ordinals), offsets: sums(offsets), tapes, last };
}
