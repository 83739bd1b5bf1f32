import { type KimiSessionState, kimiSessionState } from '@tapefold/dialects';
import { isJsonObject } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { KIMI_NOTE_BYTES } from '../limits.js';
import type { LookTable } from '../kept-looks.js';
import type { OnRead } from '../shelf.js';

/** What stands beside the logs of a session, and why it does not where it should. `mtimeMs`: of the note. */
export interface SessionNote {
  readonly state: KimiSessionState | undefined;
  readonly problem: string | undefined;
  readonly mtimeMs: number;
}

interface ReadNote { readonly text: string; readonly mtimeMs: number; readonly sizeBytes: number }

function readNote(path: string, onRead: OnRead | undefined): ReadNote | string {
  try {
    const { size, mtimeMs } = statSync(path);
    if (size > KIMI_NOTE_BYTES) return `it has ${size} bytes, and more than ${KIMI_NOTE_BYTES} are not read`;
    const text = readFileSync(path, 'utf8');
    onRead?.(Buffer.byteLength(text));
    return { text, mtimeMs, sizeBytes: size };
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** Notes that were read, by path: they hold while the file is the same. */
export type KnownNotes = LookTable<SessionNote & { readonly sizeBytes: number }>;

function knownNote(path: string, known: KnownNotes): SessionNote | undefined {
  const note = known.get(path);
  if (!note) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.mtimeMs === note.mtimeMs && stats.size === note.sizeBytes ? note : undefined;
}

function noteAt(path: string, { known, onRead }: { readonly known: KnownNotes; readonly onRead: OnRead | undefined }): SessionNote {
  const before = knownNote(path, known);
  if (before) return before;
  const read = readNote(path, onRead);
  if (typeof read === 'string') return { state: undefined, problem: `its ${basename(path)} cannot be read: ${read}`, mtimeMs: 0 };
  const state = kimiSessionState(read.text);
  const note = { state, problem: state ? undefined : `its ${basename(path)} is no JSON object, so title, folder and sub-agents are as far as the logs tell them`, mtimeMs: read.mtimeMs, sizeBytes: read.sizeBytes };
  known.set(path, note);
  return note;
}

/** Reads the notes of a session, the one that counts first; what that one does not say, an older one does. Never throws. */
export function sessionNote(paths: readonly string[], options: { readonly known: KnownNotes; readonly onRead?: OnRead | undefined }): SessionNote {
  const notes = paths.map((path) => noteAt(path, { known: options.known, onRead: options.onRead }));
  const [first, ...older] = notes;
  if (!first) return { state: undefined, problem: undefined, mtimeMs: 0 };
  const state = older.reduce((newest, { state: old }) => (newest && old ? { ...old, ...newest } : newest ?? old), first.state);
  return { ...first, state };
}

/** What `meta.json` says of a sub-agent of kimi-cli. */
export interface AgentNote {
  readonly role?: string | undefined;
  readonly description?: string | undefined;
}

/** Reads the note beside a sub-agent's log. Never throws: where there is none that can be read, nothing is known. */
export function agentNote(path: string | undefined, onRead?: OnRead): AgentNote {
  const read = path === undefined ? '' : readNote(path, onRead);
  if (typeof read === 'string') return {};
  try {
    const raw: unknown = JSON.parse(read.text);
    if (!isJsonObject(raw)) return {};
    const { subagent_type: role, description } = raw;
    return { ...(typeof role === 'string' ? { role } : {}), ...(typeof description === 'string' && description !== '' ? { description } : {}) };
  } catch {
    return {};
  }
}

/** Working folders by the name of the bucket that kimi-cli keeps their sessions in (the MD5 of the path), as `kimi.json` knows them. Never throws. */
export function workDirs(path: string | undefined, onRead?: OnRead): ReadonlyMap<string, string> {
  const read = path === undefined ? '' : readNote(path, onRead);
  if (typeof read === 'string') return new Map();
  try {
    const raw: unknown = JSON.parse(read.text);
    const listed = isJsonObject(raw) && Array.isArray(raw['work_dirs']) ? raw['work_dirs'].filter(isJsonObject) : [];
    return new Map(listed.flatMap(({ path: folder, kaos }) => {
      if (typeof folder !== 'string') return [];
      const hash = createHash('md5').update(folder, 'utf8').digest('hex');
      return [[hash, folder] as const, ...(typeof kaos === 'string' ? [[`${kaos}_${hash}`, folder] as const] : [])];
    }));
  } catch {
    return new Map();
  }
}
