import { Buffer } from 'node:buffer';
import type { Order } from '@tapefold/threads';
import { positionOf, rowIdOf } from './schema.js';

/** Bytes of the first number, which is a row id, and of each further one: positions below 2^48. */
const FIRST = 8;
const WIDTH = 6;

/** An order in a history as bytes that compare as orders do: number by number, a prefix first; each history is one range. */
export function orderKey(history: number, [first = 0, ...more]: Order): Buffer {
  const bytes = Buffer.alloc(FIRST + more.length * WIDTH);
  bytes.writeBigUInt64BE(BigInt(rowIdOf(history, first)));
  more.forEach((number, i) => bytes.writeUIntBE(number, FIRST + i * WIDTH, WIDTH));
  return bytes;
}

/** The order that bytes stand for. */
export function orderOfKey(bytes: Buffer): number[] {
  const more = Array.from({ length: (bytes.length - FIRST) / WIDTH }, (_, i) => bytes.readUIntBE(FIRST + i * WIDTH, WIDTH));
  return [positionOf(Number(bytes.readBigUInt64BE())), ...more];
}

/** The same of its hexadecimal digits. */
export function orderOfDigits(digits: string): number[] {
  const numberAt = (from: number, bytes: number): number => Number.parseInt(digits.slice(from, from + 2 * bytes), 16);
  const order = [positionOf(numberAt(0, FIRST))];
  for (let from = 2 * FIRST; from < digits.length; from += 2 * WIDTH) order.push(numberAt(from, WIDTH));
  return order;
}

/** The key of the same order in another history. `by`: what its row ids are more. */
export function moveKey(bytes: Buffer, by: number): Buffer {
  const moved = Buffer.from(bytes);
  moved.writeBigUInt64BE(bytes.readBigUInt64BE() + BigInt(by));
  return moved;
}
