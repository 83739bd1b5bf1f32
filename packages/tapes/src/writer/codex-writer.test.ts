import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { codexWriterOf } from './codex-writer.js';

const home = temporaryFolder();
const locks = join(home, 'thread-writer-locks');

/** Locks a file as Codex does (`flock`), until it is killed. */
async function locked(path: string): Promise<{ readonly pid: number; readonly kill: () => Promise<void> }> {
  const child = spawn('flock', ['-x', path, '-c', 'echo locked; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await new Promise((resolve, reject) => { child.stdout.once('data', resolve); child.once('error', reject); });
  return { pid: child.pid ?? 0, kill: () => new Promise((resolve) => { child.once('close', () => resolve()); process.kill(-(child.pid ?? 0), 'SIGKILL'); }) };
}

describe('[R-LIVE-1] who has a thread of Codex open', () => {
  it.runIf(process.platform === 'linux')('is the process that holds its lock; a lock of one that died is held by nobody, and none says nothing', async () => {
    mkdirSync(locks);
    expect(codexWriterOf(home, 'a')).toBeUndefined();
    expect(codexWriterOf(join(home, 'nowhere'), 'a')).toBeUndefined();
    writeFileSync(join(locks, 'a.lock'), '');
    expect(codexWriterOf(home, 'a')).toBe('nobody');
    const holder = await locked(join(locks, 'a.lock'));
    expect(codexWriterOf(home, 'a')).toMatchObject({ isSure: true, lockPath: join(locks, 'a.lock') });
    await holder.kill();
    expect(codexWriterOf(home, 'a')).toBe('nobody');
  });
});
