import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { writeBlob } from './blobs.js';
import { openTapeWriter } from './tape-writer.js';
import { factsIn, leftIn } from './written-tape.suite.js';

const root = temporaryFolder();
const mounts: string[] = [];

/** A disk of so many bytes; undefined where this user may not mount one. */
function smallDisk(name: string, kilobytes: number): string | undefined {
  const folder = join(root, name);
  mkdirSync(folder);
  if (process.platform !== 'linux' || spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=700`, 'tapefold-test', folder]).status !== 0) return undefined;
  mounts.push(folder);
  return folder;
}
afterAll(() => mounts.forEach((folder) => spawnSync('umount', ['-l', folder])));

const disk = smallDisk('small', 256);
const codeOf = async (call: () => unknown): Promise<unknown> => { try { await call(); return 'done'; } catch (error) { return (error as { code?: unknown }).code; } };
const note = (i: number, size: number) => ({ type: 'notice.posted' as const, level: 'info' as const, code: String(i), text: 'x'.repeat(size) });

describe('[R-TAPE-7] a full disk', () => {
  it.skipIf(!disk)('is said, leaves nothing half in the tape, and when there is room again the tape goes on (needs the right to mount a tmpfs)', async () => {
    const [folder, ballast] = [join(disk ?? '', 'tape'), join(disk ?? '', 'ballast')];
    for (const size of [100, 5_000, 70_000]) {
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(ballast, new Uint8Array(100_000));
      const writer = await openTapeWriter(folder, { tape: 'native/x' });
      let i = 0;
      const code = await codeOf(() => { for (;; i += 1) writer.append(note(i, size)); });
      expect(code).toBe('diskFull');
      expect([await codeOf(() => writer.append(note(i, 1))), await codeOf(() => writer.barrier()), await codeOf(() => writer.close())]).toEqual(['diskFull', 'diskFull', 'done']);
      expect(factsIn(folder)).toMatchObject({ rest: '', wrong: [] });
      expect(factsIn(folder).facts.length).toBe(i);
      expect(statSync(join(folder, 'tape.jsonl')).size).toBe(writer.endOffset);
      rmSync(ballast);
      const again = await openTapeWriter(folder, { tape: 'native/x' });
      expect(again.append(note(i, size)).ordinal).toBe(i);
      await again.close();
    }
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(ballast, new Uint8Array(200_000));
    expect(await codeOf(() => writeBlob(folder, new Uint8Array(100_000)))).toBe('diskFull');
    expect(existsSync(join(folder, 'blobs')) ? leftIn(join(folder, 'blobs')) : []).toEqual([]);
  });

  it.skipIf(!disk)('on which not even the header fits leaves no tape that nobody can open', async () => {
    const full = smallDisk('full', 4);
    writeFileSync(join(full ?? '', 'ballast'), new Uint8Array(4_096));
    mkdirSync(join(full ?? '', 'tape'), { recursive: true });
    expect(await codeOf(() => openTapeWriter(join(full ?? '', 'tape'), { tape: 'native/x' }))).toBe('diskFull');
    rmSync(join(full ?? '', 'ballast'));
    await (await openTapeWriter(join(full ?? '', 'tape'), { tape: 'native/x' })).close();
    expect(leftIn(join(full ?? '', 'tape'))).toEqual([]);
  });
});

describe('[R-TAPE-7] a folder that must not be written', () => {
  it.skipIf(!disk)('on a disk that is mounted read-only', async () => {
    const readOnly = smallDisk('read-only', 64) ?? '';
    await (await openTapeWriter(join(readOnly, 'tape'), { tape: 'native/x' })).close();
    const before = readFileSync(join(readOnly, 'tape/tape.jsonl'), 'utf8');
    spawnSync('mount', ['-o', 'remount,ro', readOnly]);
    expect(await codeOf(() => openTapeWriter(join(readOnly, 'tape'), { tape: 'native/x' }))).toBe('notWritable');
    expect(await codeOf(() => openTapeWriter(join(readOnly, 'new'), { tape: 'native/x' }))).toBe('notWritable');
    expect(await codeOf(() => writeBlob(join(readOnly, 'tape'), 'x'))).toBe('notWritable');
    expect(readFileSync(join(readOnly, 'tape/tape.jsonl'), 'utf8')).toBe(before);
  });

  it('by its permissions', { timeout: 60_000 }, async () => {
    const folder = join(root, 'no-rights');
    await (await openTapeWriter(folder, { tape: 'native/x' })).close();
    chmodSync(folder, 0o500);
    // For root every folder can be written, so somebody else tries.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const path of [root, folder, join(folder, 'tape.jsonl')]) chmodSync(path, path === folder ? 0o555 : 0o755);
    const script = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
    const code = `import(${JSON.stringify(script)}).then(({ openTapeWriter }) => openTapeWriter(${JSON.stringify(folder)}, { tape: 'native/x' })).then(() => console.log('opened'), (error) => console.log(error.code))`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}) });
    chmodSync(folder, 0o700);
    expect(ran.stderr).toBe('');
    expect(ran.stdout.trim()).toBe('notWritable');
  });
});
