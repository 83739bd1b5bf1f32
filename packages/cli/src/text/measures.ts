import { homedir } from 'node:os';
import { sep } from 'node:path';

const units = ['kB', 'MB', 'GB', 'TB'];

/** Bytes as a person reads them: `512 B`, `12.4 kB`, `3.0 MB` (powers of 1000). */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = '';
  for (const next of units) {
    if (unit !== '' && value < 999.95) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** A length of time: `85 ms`, `3.2 s`, `2m 05s`, `1h 02m`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return seconds < 3600 ? `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s` : `${Math.floor(seconds / 3600)}h ${two(Math.floor((seconds % 3600) / 60))}m`;
}

/** `1 turn`, `4 turns`: a count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A path with `~` for the person's home. */
export function shortPath(path: string, home: string = homedir()): string {
  if (home.length > 1 && path === home) return '~';
  return home.length > 1 && path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
