import { lstatSync } from 'node:fs';

/** Size and time of change of an entry that is not opened; a link is not followed. Zero where even that cannot be told. */
export function sizeAndTime(path: string): { sizeBytes: number; mtimeMs: number } {
  try {
    const { size, mtimeMs } = lstatSync(path);
    return { sizeBytes: size, mtimeMs };
  } catch {
    return { sizeBytes: 0, mtimeMs: 0 };
  }
}
