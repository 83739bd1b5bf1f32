import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Opens a plain file; never through a link, and never waiting for a pipe. Rejects where there is none. */
export async function openPlain(path: string): Promise<{ readonly file: FileHandle; readonly sizeBytes: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const about = await file.stat();
  if (about.isFile()) return { file, sizeBytes: about.size };
  await file.close();
  throw new Error(`${path} is no file`);
}
