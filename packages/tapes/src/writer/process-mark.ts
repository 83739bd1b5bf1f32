import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names one running process, also after its number was given to another one: host, boot, space of process numbers (containers have their own) and time of
 * its start. `-` where the system does not tell. Short hashes: they are part of a file's name, and only compared.
 */
export interface ProcessMark {
  readonly pid: number;
  readonly startedAt: string;
  readonly boot: string;
  readonly pidSpace: string;
  readonly host: string;
}

const UNKNOWN = '-';
const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

function told(read: () => string): string {
  try {
    return read();
  } catch {
    return UNKNOWN;
  }
}

/** State and start (in ticks since boot) of a process, from Linux's `/proc`; undefined where there is none of that number, or no `/proc`. */
function procStat(pid: number): { readonly state: string; readonly startedAt: string } | undefined {
  const text = told(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The program's name stands in brackets and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields[0], fields[19]];
  return text === UNKNOWN || state === undefined || startedAt === undefined ? undefined : { state, startedAt };
}

let own: ProcessMark | undefined;

/** The mark of this process. */
export function ownMark(): ProcessMark {
  own ??= {
    pid: process.pid, startedAt: procStat(process.pid)?.startedAt ?? UNKNOWN, boot: told(() => short(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim())),
    pidSpace: told(() => short(readlinkSync('/proc/self/ns/pid'))), host: short(hostname()),
  };
  return own;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process: it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether the process of a mark may still run. `elsewhere`: it ran on another machine or in another container, from where nobody can tell, so that its word
 * stands until somebody removes it.
 */
export function lifeOf(mark: ProcessMark): 'alive' | 'dead' | 'elsewhere' {
  const here = ownMark();
  if (mark.host !== here.host) return 'elsewhere';
  if (mark.boot !== here.boot) return 'dead';
  if (mark.pidSpace !== here.pidSpace) return 'elsewhere';
  if (!hasProcess(mark.pid)) return 'dead';
  const stat = procStat(mark.pid);
  if (!stat || mark.startedAt === UNKNOWN) return 'alive';
  // A killed process stays a zombie until its parent looks.
  const isOver = stat.state === 'Z' || stat.state === 'X';
  return isOver || stat.startedAt !== mark.startedAt ? 'dead' : 'alive';
}
