import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Says whether a credential is the one. */
export type TokenCheck = (given: string | undefined) => boolean;

/**
 * Compares in a time that tells nothing: both sides go through a keyed digest first, so neither where they differ nor how long the token is shows.
 */
export function tokenCheck(token: string): TokenCheck {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const expected = digest(token);
  return (given) => given !== undefined && timingSafeEqual(digest(given), expected);
}

/** The credential of an `Authorization: Bearer` header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
