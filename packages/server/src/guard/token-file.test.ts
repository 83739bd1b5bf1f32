import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from '../sockets.suite.js';
import { loadToken } from './token-file.js';

describe('token files', () => {
  it('[R-SEC-1] made where they are missing: 43 characters of base64url, 0600 in 0700, and kept', () => {
    const path = join(folder(), 'new/folder/server.token');
    const token = loadToken(path);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(path, 'utf8')).toBe(`${token}\n`);
    expect(loadToken(path)).toBe(token);
    expect(readdirSync(join(path, '..'))).toEqual(['server.token']);
    expect(loadToken(join(folder(), 't'))).not.toBe(token);
  });

  it('[R-SEC-1] refuses files that others can read, links, folders, and what is no token; writes to none', () => {
    const home = folder();
    const path = join(home, 't');
    writeFileSync(path, 'a'.repeat(43));
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      chmodSync(path, mode);
      expect(() => loadToken(path)).toThrow(`mode ${mode.toString(8)}`);
    }
    chmodSync(path, 0o600);
    expect(loadToken(path)).toBe('a'.repeat(43));
    symlinkSync(path, join(home, 'link'));
    expect(() => loadToken(join(home, 'link'))).toThrow('cannot be used');
    symlinkSync(join(home, 'nowhere'), join(home, 'dangling'));
    expect(() => loadToken(join(home, 'dangling'))).toThrow('cannot be used');
    mkdirSync(join(home, 'dir'), { mode: 0o700 });
    expect(() => loadToken(join(home, 'dir'))).toThrow('it is no file');
    for (const [text, reason] of [['', 'shorter'], ['short', 'shorter'], ['x'.repeat(600), 'longer'], [`${'é'.repeat(40)}`, 'printable'], [`${'a'.repeat(20)} ${'b'.repeat(20)}`, 'printable']] as const) {
      writeFileSync(path, text);
      expect(() => loadToken(path), text).toThrow(reason);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });
});
