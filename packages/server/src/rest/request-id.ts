import { randomBytes } from 'node:crypto';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** A new ULID: 48 bits of time, 80 random ones, 26 digits. */
export function newUlid(nowMs: number): string {
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
  let value = (BigInt(Math.max(0, Math.floor(nowMs))) << 80n) | random;
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = (digits[Number(value & 31n)] ?? '') + text;
    value >>= 5n;
  }
  return text;
}

/** The id of a request: the one that the client sent where that is a ULID, else a new one. */
export function requestIdOf(header: string | readonly string[] | undefined, nowMs: number): string {
  return typeof header === 'string' && ulid.test(header) ? header : newUlid(nowMs);
}
