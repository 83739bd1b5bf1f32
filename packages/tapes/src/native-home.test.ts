import { encodeNativeHeader } from '@tapefold/facts';
import { createServer } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainPath } from './explain-path.js';
import { discoverNativeHome } from './native-home.js';
import { temporaryFolder, writeHome } from './tape-bytes.suite.js';
import { tapeProgram } from './tape-program.js';

const root = temporaryFolder();
const header = `${encodeNativeHeader({ tape: 'native/a' })}\n`;

function discover(home: string) {
  const { tapes, notTapes, problems } = discoverNativeHome(home);
  const short = (path: string): string => relative(home, path);
  return {
    tapes: tapes.map((tape) => [short(tape.path), tape.threadId, tape.sizeBytes]),
    notTapes: Object.fromEntries(notTapes.map(({ path, kind }) => [short(path), kind])),
    problems: Object.fromEntries(problems.map(({ path, reason }) => [short(path), reason])),
  };
}

describe('[R-TAPE-6] a home of native tapes', () => {
  it('has a tape for each thread, and names what lies beside it', () => {
    const home = writeHome(root, { 'a/tape.jsonl': header, 'a/1.2.3.4.5.6.lock': '', 'a/blobs/00': 'x', 'a/notes.txt': '', 'b/tape.jsonl': '', 'c/other.jsonl': '', 'loose.jsonl': header });
    expect(discover(home)).toEqual({
      tapes: [['a/tape.jsonl', 'a', header.length], ['b/tape.jsonl', 'b', 0]],
      notTapes: { 'loose.jsonl': 'other', 'a/1.2.3.4.5.6.lock': 'lock', 'a/blobs': 'media', 'a/notes.txt': 'other', 'c/other.jsonl': 'other' },
      problems: {},
    });
  });

  it('says what it cannot read, and follows links to folders of threads only', async () => {
    const away = writeHome(root, { 'x/tape.jsonl': header });
    const home = writeHome(root, { 'a/tape.jsonl': header }, { linked: join(away, 'x'), again: 'a', gone: 'nowhere' });
    mkdirSync(join(home, 'folder/tape.jsonl'), { recursive: true });
    mkdirSync(join(home, 'socket'));
    const server = createServer().listen(join(home, 'socket/tape.jsonl'));
    await new Promise((resolve) => server.once('listening', resolve));
    const found = discover(home);
    server.close();
    expect(found.tapes.map(([path]) => path)).toEqual(['a/tape.jsonl', 'linked/tape.jsonl']);
    expect(found.notTapes).toEqual({ again: 'link' });
    expect(found.problems).toEqual({ 'folder/tape.jsonl': 'is a folder where a session file should be', 'socket/tape.jsonl': 'is no regular file', gone: 'cannot be read (ENOENT)' });
  });

  it('of which paths are explained, wherever they lie', () => {
    const home = writeHome(root, { 'a/tape.jsonl': header, 'a/1.lock': '', 'a/blobs/00': 'x', 'stray.jsonl': header });
    expect(['a/tape.jsonl', 'a/1.lock', 'a/blobs', 'a/blobs/00', 'stray.jsonl', 'a'].map((path) => explainPath(join(home, path)).kind)).toEqual(['tape', 'lock', 'media', 'media', 'strayTape', 'folder']);
    expect(tapeProgram(join(home, 'a/tape.jsonl'))).toBe('native');
    expect(tapeProgram(join(home, 'stray.jsonl'))).toBe('native');
  });
});
