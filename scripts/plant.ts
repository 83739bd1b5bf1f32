import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from './setup.mjs';

/** Writes files (path → text) into a temporary folder, beside copies of files of this house; gone when the test ends. */
export function plant(files: Readonly<Record<string, string>>, copies: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapefold-planted-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const path of copies) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  return folder;
}

/** Links `path` in the folder to `target`, as npm does with workspaces. */
export function link(folder: string, path: string, target: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(target, join(folder, path), 'dir');
}

/** Runs a program of the house in the folder and parses the JSON it prints; its exit code is not looked at. */
export function runJson(folder: string, tool: string, args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [join(root, tool), ...args], options, (_failure, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch (error) {
        reject(new Error(`${tool} printed no JSON:\n${stdout}\n${stderr}`, { cause: error }));
      }
    });
  });
}
