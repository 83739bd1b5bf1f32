import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, constants, fstatSync, linkSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServerError } from '../errors.js';

/** Characters of a token that somebody wrote by hand: what is shorter could be guessed. */
const LEAST_CHARS = 32;
const MOST_CHARS = 512;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const exists = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

function checked(path: string, text: string): string {
  const token = text.trim();
  if (token.length > MOST_CHARS) throw new ServerError('tokenFileBad', { about: path, reason: `it is longer than ${MOST_CHARS} characters` });
  if (!/^[\x21-\x7e]*$/.test(token)) throw new ServerError('tokenFileBad', { about: path, reason: 'it holds other characters than printable ASCII' });
  if (token.length < LEAST_CHARS) throw new ServerError('tokenFileBad', { about: path, reason: `it is shorter than ${LEAST_CHARS} characters` });
  return token;
}

/** Reads what was opened, so that what is checked and what is read is the same file. */
function read(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new ServerError('tokenFileBad', { about: path, reason: 'it is no file' });
    if ((about.mode & 0o077) !== 0) throw new ServerError('tokenFileOpen', { about: path, reason: `mode ${(about.mode & 0o777).toString(8)}` });
    const bytes = Buffer.alloc(MOST_CHARS + 16);
    return checked(path, bytes.toString('utf8', 0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

/** Made beside and put in place whole: another server that starts at the same time sees it whole or not at all. */
function create(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(beside, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(beside, 0o600);
  try {
    linkSync(beside, path);
  } catch (error) {
    if (!exists(error)) throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}

function readOrCreate(path: string): string {
  try {
    return read(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  create(path);
  return read(path);
}

/**
 * The token in a file: 43 characters of base64url (32 random bytes) where it is made here. The file is 0600, and one that others can read, or that is a
 * link, is refused. Refusals are `tokenFileOpen`, `tokenFileBad` and `tokenFileUnusable`.
 */
export function loadToken(path: string): string {
  try {
    return readOrCreate(path);
  } catch (cause) {
    if (cause instanceof ServerError) throw cause;
    throw new ServerError('tokenFileUnusable', { about: path, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
}
