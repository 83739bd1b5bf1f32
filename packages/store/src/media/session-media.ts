import { type ReadStream, createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPlain } from './plain-file.js';

/** Bytes of the small file that says what a media file is. */
const NOTE_BYTES = 64 * 1024;
/** Ids are made by the agent: letters, digits, `_` and `-`. What else a client sends names no file. */
const fileId = /^[A-Za-z0-9_-]{1,200}$/;
/** The name that the note gives: an id, with an extension or without. */
const fileName = /^[A-Za-z0-9_-]{1,200}(?:\.[A-Za-z0-9]{1,16})?$/;

/** A file that a session kept: an image that was pasted, say. Close it, or read its stream to the end. */
export interface SessionMedia {
  /** As the person, or the tool, named it. */
  readonly name: string;
  /** As the agent noted it. */
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** The bytes from `start` to `end`, both inclusive; closes the file at its end. */
  readonly stream: (range?: { readonly start: number; readonly end: number }) => ReadStream;
  readonly close: () => Promise<void>;
}

interface Note { readonly key: string; readonly name: string; readonly mediaType: string }

/** The folder of a session's media, where it really lies in the session's own folder. */
async function mediaFolder(sessionFile: string): Promise<string | undefined> {
  // <session>/agents/<agent>/wire.jsonl
  const session = dirname(dirname(dirname(sessionFile)));
  const [real, media] = await Promise.all([realpath(session), realpath(join(session, 'media'))]);
  return media === join(real, 'media') ? media : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function readNote(folder: string, id: string): Promise<Note | undefined> {
  const { file, sizeBytes } = await openPlain(join(folder, 'meta', `${id}.json`));
  try {
    if (sizeBytes > NOTE_BYTES) return undefined;
    const note = JSON.parse(await file.readFile('utf8')) as Partial<Record<keyof Note, unknown>> | null;
    const key = textOf(note?.key);
    return fileName.test(key) ? { key, name: textOf(note?.name), mediaType: textOf(note?.mediaType) } : undefined;
  } finally {
    await file.close();
  }
}

/**
 * A media file of a Kimi Code session, by its id. `sessionFile`: the wire log of one of the session's agents. Undefined where there is none, where its note
 * is unreadable, or where anything on the way is a link. Never throws.
 */
export async function openSessionMedia(sessionFile: string, id: string): Promise<SessionMedia | undefined> {
  if (!fileId.test(id)) return undefined;
  try {
    const folder = await mediaFolder(sessionFile);
    const note = folder === undefined ? undefined : await readNote(folder, id);
    if (folder === undefined || !note) return undefined;
    const { file, sizeBytes } = await openPlain(join(folder, note.key));
    return {
      name: note.name === '' ? note.key : note.name, mediaType: note.mediaType, sizeBytes, close: () => file.close(),
      stream: (range) => createReadStream('', { fd: file, autoClose: true, ...range }),
    };
  } catch {
    return undefined;
  }
}
