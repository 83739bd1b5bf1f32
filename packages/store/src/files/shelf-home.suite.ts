import { afterTest, testFolder } from '@tapefold/testing';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HomeRef, ThreadSource } from '../thread-source.js';
import { createFileSource } from './file-source.js';

/** A home that each test makes by hand. */
export interface ShelfHome {
  readonly homePath: (name?: string) => string;
  /** Writes a file below the home, last changed at `mtimeSeconds` (Unix seconds), and answers its path. */
  readonly put: (name: string, content: string, mtimeSeconds?: number) => string;
  readonly source: (onRead?: (bytes: number) => void) => ThreadSource;
}

/** Another home for each test. `writtenAt`: when its files were changed last (Unix seconds), where a test does not say. */
export function shelfHome(program: HomeRef['program'], writtenAt: number): ShelfHome {
  let made: string | undefined;
  const homePath = (name = ''): string => {
    if (made === undefined) {
      made = testFolder();
      afterTest(() => { made = undefined; });
    }
    return join(made, name);
  };
  const put = (name: string, content: string, mtimeSeconds = writtenAt): string => {
    const path = homePath(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, mtimeSeconds, mtimeSeconds);
    return path;
  };
  return { homePath, put, source: (onRead) => createFileSource([{ program, path: homePath() }], onRead) };
}
