import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessionMedia } from './session-media.js';

let session: string;
beforeEach(() => {
  session = mkdtempSync(join(tmpdir(), 'tapefold-media-'));
  mkdirSync(join(session, 'agents/main'), { recursive: true });
  mkdirSync(join(session, 'media/meta'), { recursive: true });
});
afterEach(() => rmSync(session, { recursive: true, force: true }));

function note(id: string, value: unknown): void {
  writeFileSync(join(session, `media/meta/${id}.json`), typeof value === 'string' ? value : JSON.stringify(value));
}

async function read(id: string): Promise<string | undefined> {
  const media = await openSessionMedia(join(session, 'agents/main/wire.jsonl'), id);
  if (!media) return undefined;
  const parts: Buffer[] = [];
  for await (const part of media.stream() as AsyncIterable<Buffer>) parts.push(part);
  expect(media.sizeBytes).toBe(Buffer.concat(parts).length);
  return `${media.name} ${media.mediaType} ${Buffer.concat(parts).toString()}`;
}

describe('media that sessions kept', () => {
  it('are opened by their id, with the name and the type that were noted', async () => {
    writeFileSync(join(session, 'media/f_1.png'), 'bytes');
    note('f_1', { version: 1, key: 'f_1.png', name: 'cat 猫.png', mediaType: 'image/png' });
    expect(await read('f_1')).toBe('cat 猫.png image/png bytes');
    note('f_2', { key: 'f_1.png' });
    expect(await read('f_2')).toBe('f_1.png  bytes');
    expect(await read('f_3')).toBeUndefined();
    expect(await openSessionMedia('/nowhere/agents/main/wire.jsonl', 'f_1')).toBeUndefined();
  });

  it('[R-SEC-1] path tricks in ids and in notes reach no other file', async () => {
    const secret = join(session, 'secret.png');
    writeFileSync(secret, 'secret');
    writeFileSync(join(session, 'media/ok.png'), 'ok');
    for (const id of ['..', '../secret', '../../secret.png', 'meta/f', '/etc/passwd', 'f\0', '', 'f.png', 'x'.repeat(300), '%2e%2e']) expect(await read(id), id).toBeUndefined();
    for (const [i, key] of ['../secret.png', '/etc/passwd', secret, 'meta', '.', '..', 'a/b.png', 'ok.png\0', ''].entries()) {
      note(`k${i}`, { key, name: 'x', mediaType: 'image/png' });
      expect(await read(`k${i}`), key).toBeUndefined();
    }
    for (const [i, text] of ['null', '[]', '5', '{', '{"key":5}', ' '.repeat(70_000)].entries()) {
      note(`t${i}`, text);
      expect(await read(`t${i}`), text.slice(0, 10)).toBeUndefined();
    }
  });

  it('[R-SEC-1] nothing is read through a link', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'tapefold-outside-'));
    writeFileSync(join(outside, 'f.png'), 'secret');
    symlinkSync(join(outside, 'f.png'), join(session, 'media/link.png'));
    note('f', { key: 'link.png', name: 'x', mediaType: 'image/png' });
    expect(await read('f')).toBeUndefined();
    mkdirSync(join(outside, 'meta'));
    writeFileSync(join(outside, 'meta/f.json'), JSON.stringify({ key: 'f.png' }));
    rmSync(join(session, 'media'), { recursive: true });
    symlinkSync(outside, join(session, 'media'));
    expect(await read('f')).toBeUndefined();
    rmSync(outside, { recursive: true, force: true });
  });
});
