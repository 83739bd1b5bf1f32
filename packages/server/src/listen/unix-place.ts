import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { ServerError } from '../errors.js';

/** Bytes of a socket's path that every system takes (`sun_path` has 104 or 108, with its end). */
const PATH_BYTES = 103;

/** Whether a program listens at a socket. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => { socket.destroy(); resolve(true); });
    socket.once('error', () => resolve(false));
  });
}

function mode(bits: number): string {
  return `mode ${(bits & 0o777).toString(8)}`;
}

/** A folder that only its owner can look into, made where it is missing. */
function closedFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new ServerError('addressUnusable', { about: folder, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
  const { mode: bits, uid } = statSync(folder);
  const isOthers = process.getuid !== undefined && uid !== process.getuid();
  if ((bits & 0o077) !== 0 || isOthers) throw new ServerError('socketFolderOpen', { about: folder, reason: isOthers ? 'another user owns it' : mode(bits) });
}

/**
 * Makes a socket's path free: its folder is closed to others, and a socket that nobody listens at any more is removed. Nothing else is: refusals are
 * `socketPathTooLong`, `socketFolderOpen` and `socketPathTaken`.
 */
export async function freeSocketPath(path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > PATH_BYTES) throw new ServerError('socketPathTooLong', { about: path, reason: `${bytes} bytes of at most ${PATH_BYTES}` });
  closedFolder(dirname(path));
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isSocket()) throw new ServerError('socketPathTaken', { about: path, reason: 'it is no socket' });
  if (await isAnswered(path)) throw new ServerError('socketPathTaken', { about: path, reason: 'a program listens there' });
  rmSync(path, { force: true });
}

/** Nobody but the owner may connect. The folder is closed, so nobody could before. */
export function closeSocketToOthers(path: string): void {
  chmodSync(path, 0o600);
}
