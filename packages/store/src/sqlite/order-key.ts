import { Buffer } from 'node:buffer';
import type { Order } from '@tapefold/threads';

/** Bytes of a number: positions below 2^48. */
const WIDTH = 6;

/** An order as bytes that compare as orders do: number by number, a prefix first. */
export function orderKey(order: Order): Buffer {
  const bytes = Buffer.alloc(order.length * WIDTH);
  order.forEach((number, i) => bytes.writeUIntBE(number, i * WIDTH, WIDTH));
  return bytes;
}

/** The order that bytes stand for. */
export function orderOfKey(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / WIDTH }, (_, i) => bytes.readUIntBE(i * WIDTH, WIDTH));
}
