import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Ends or removes something that a test made. */
type Clear = () => void | Promise<void>;

const atTestEnd: Clear[] = [];
const atFileEnd: Clear[] = [];

/** Runs after the test that runs now, or that comes next. For what several test files share: a module is loaded once for all of them, so its own hooks would serve the first file only. */
export function afterTest(clear: Clear): void { atTestEnd.push(clear); }

/** Runs after the last test of the file. */
export function afterFile(clear: Clear): void { atFileEnd.push(clear); }

/** A new folder; it is gone after the last test of the file. */
export function testFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapefold-test-'));
  afterFile(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Clears what `afterTest` was told, the newest first. For the set-up of the tests. */
export async function clearTest(): Promise<void> { for (const clear of atTestEnd.splice(0).reverse()) await clear(); }

/** Clears what `afterFile` was told, the newest first. For the set-up of the tests. */
export async function clearFile(): Promise<void> { for (const clear of atFileEnd.splice(0).reverse()) await clear(); }
