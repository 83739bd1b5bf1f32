import { kimiTape } from '@tapefold/dialects';
import type { KimiSessionFolder, KimiTapeFile, KimiTapeName } from '@tapefold/tapes';
import type { ShelfFile } from '../shelf.js';
import { kimiThreadId, sessionUuid } from './thread-ids.js';

/** One log or history of a Kimi home, with the id that names its tape. */
export interface KimiFile extends ShelfFile {
  readonly name: KimiTapeName;
  readonly sessionKey: string;
  /** The public id of its thread. */
  readonly threadId: string;
  /** What the model's history is beside this log, where kimi-cli keeps one. */
  readonly contextPath?: string | undefined;
}

/** A session of a Kimi home: its folder, or the one history that it was in the oldest layout. */
export interface KimiSession {
  /** Names it wherever it lies: its UUID, else its folder and name. */
  readonly key: string;
  readonly sessionId: string;
  readonly bucket: string;
  readonly home: string;
  readonly folder: KimiSessionFolder | undefined;
  /** By agent id; `main` is the session's own. */
  readonly files: ReadonlyMap<string, KimiFile>;
  readonly family: KimiTapeName['family'];
}

/** Only a UUID is one session's wherever it lies. */
export function sessionKeyOf({ sessionId, bucket }: Pick<KimiTapeName, 'sessionId' | 'bucket'>): string {
  return sessionUuid(sessionId) === undefined ? `${bucket}:${sessionId}` : sessionId.toLowerCase();
}

/** A file of a home with the ids that its place tells; opens nothing. */
export function kimiFile(home: string, { path, name, sizeBytes, mtimeMs }: KimiTapeFile): KimiFile {
  const sessionKey = sessionKeyOf(name);
  const tape = name.records === 'wire' ? kimiTape(sessionKey, name.agentId) : `kimi/${sessionKey}/${name.agentId}/context`;
  return { path, shownPath: path, form: 'lines', isArchived: false, sizeBytes, mtimeMs, home, tape, name, sessionKey, threadId: kimiThreadId({ sessionId: sessionKey, agentId: name.agentId }) };
}
