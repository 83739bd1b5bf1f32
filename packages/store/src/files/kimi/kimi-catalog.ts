import { kimiLineSigns } from '@tapefold/dialects';
import { type KimiHome, type KimiTapeFile, MAIN_AGENT, type NotTape, type WalkProblem, discoverKimiHome, parseKimiName, readHeadLines } from '@tapefold/tapes';
import { dirname, join, relative, sep } from 'node:path';
import type { HomeRef } from '../../thread-source.js';
import { BARE_LOG_BYTES } from '../limits.js';
import type { OnRead } from '../shelf.js';
import { sizeAndTime } from '../size-and-time.js';
import { type KimiFile, type KimiSession, kimiFile, sessionKeyOf } from './kimi-file.js';
import { workDirs } from './session-notes.js';
import { kimiThreadId } from './thread-ids.js';

/** What the Kimi homes hold, by names: of the logs only those were opened that are too small to tell by their size whether they hold anything. */
export interface KimiCatalog {
  readonly sessions: readonly KimiSession[];
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  /** Working folders by home and bucket, where `kimi.json` knows them. */
  readonly workDirs: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

type Found = KimiTapeFile & { readonly unreadable?: string | undefined };

/** A log that cannot be read is a row all the same: its place says which thread it is. */
function unreadableTape(home: string, { path, reason }: WalkProblem): Found[] {
  const name = parseKimiName(relative(join(home, 'sessions'), path).split(sep));
  return name ? [{ path, name, ...sizeAndTime(path), unreadable: reason }] : [];
}

/** Whether a log holds more than its first line; told by its size where that is enough. Never throws. */
function isBare({ path, sizeBytes, unreadable }: Found, onRead: OnRead | undefined): boolean {
  if (sizeBytes >= BARE_LOG_BYTES || unreadable !== undefined) return false;
  try {
    return !readHeadLines(path, { onRead }).lines.some((line) => kimiLineSigns(line).some(({ isReal }) => isReal));
  } catch {
    return false;
  }
}

/** Of log and history of one agent the log is read, since it has times and says what was approved; of a log without records the history. */
function chosen(home: string, { wire, context, onRead }: { readonly wire: Found | undefined; readonly context: Found | undefined; readonly onRead: OnRead | undefined }): KimiFile | undefined {
  const counts = wire && !(context && isBare(wire, onRead)) ? wire : context;
  if (!counts) return undefined;
  const file = { ...kimiFile(home, counts), ...(counts.unreadable === undefined ? {} : { unreadable: counts.unreadable }) };
  return counts === wire && context ? { ...file, contextPath: context.path } : file;
}

const besideReason = 'It is the history as the model read it, kept beside the log of its session: the log is read.';
const bareReason = 'It holds nothing but its first line, so the history beside it is read.';

/** The folder of a session, or for the oldest layout the one file. */
const placeOf = ({ path, name }: Found): string => {
  if (name.agentId === MAIN_AGENT && name.family === 'cli') return dirname(path);
  return /^sub_\d+$/.test(name.agentId) && name.family === 'cli' ? dirname(path) : dirname(dirname(dirname(path)));
};

/** A folder that holds no log is of the family that names its bucket so. */
const cliBucket = /^(?:.+_)?[0-9a-f]{32}$/;

function sessionsOf(found: KimiHome, { notTapes, onRead }: { readonly notTapes: NotTape[]; readonly onRead: OnRead | undefined }): KimiSession[] {
  const tapes: Found[] = [...found.problems.flatMap((problem) => unreadableTape(found.home, problem)), ...found.tapes];
  const folders = new Map(found.sessions.map((session) => [session.path, session]));
  const groups = new Map<string, Found[]>(found.sessions.filter(({ notePaths }) => notePaths.length > 0).map(({ path }) => [path, []]));
  for (const tape of tapes) {
    const isLoose = !folders.has(placeOf(tape));
    const place = isLoose ? tape.path : placeOf(tape);
    groups.set(place, [...(groups.get(place) ?? []), tape]);
  }
  return [...groups].map(([place, own]): KimiSession => {
    const folder = folders.get(place);
    const { bucket, sessionId } = folder ?? own[0]?.name ?? { bucket: '', sessionId: '' };
    return { key: sessionKeyOf({ bucket, sessionId }), sessionId, bucket, home: found.home, folder, files: filesOf(found.home, own, { notTapes, onRead }), family: own[0]?.name.family ?? (cliBucket.test(bucket) ? 'cli' : 'code') };
  });
}

function filesOf(home: string, own: readonly Found[], { notTapes, onRead }: { readonly notTapes: NotTape[]; readonly onRead: OnRead | undefined }): Map<string, KimiFile> {
  const files = new Map<string, KimiFile>();
  for (const agentId of new Set(own.map(({ name }) => name.agentId))) {
    const [wire, context] = (['wire', 'context'] as const).map((records) => own.find(({ name }) => name.agentId === agentId && name.records === records));
    const file = chosen(home, { wire, context, onRead });
    if (file) files.set(agentId, file);
    const beside = [wire, context].find((each) => each && file && each.path !== file.path);
    if (beside) notTapes.push({ path: beside.path, kind: 'modelHistory', why: beside === wire ? bareReason : besideReason });
  }
  return files;
}

const changedMs = ({ files }: KimiSession): number => Math.max(0, ...[...files.values()].map(({ mtimeMs }) => mtimeMs));

/** What a session was taken over from goes before what it became; a folder before the file that it grew out of; else the copy that changed last. */
function isBetter(a: KimiSession, b: KimiSession): boolean {
  const rank = ({ sessionId, folder }: KimiSession): number => (sessionId.startsWith('ses_') ? 2 : folder ? 0 : 1);
  return rank(a) === rank(b) ? changedMs(a) > changedMs(b) : rank(a) < rank(b);
}

/** The folder of a session, or the file that is all of it. */
export const pathOf = ({ folder, files }: KimiSession): string => folder?.path ?? [...files.values()][0]?.path ?? '';

function supersededReason(superseded: KimiSession, counts: KimiSession): string {
  const isImport = superseded.sessionId.startsWith('ses_') && !counts.sessionId.startsWith('ses_');
  if (isImport) return `It was taken over from the kimi-cli session in ${pathOf(counts)}, which says more: that one is read.`;
  return `It is another copy of the session in ${pathOf(counts)}, which counts: that one is read.`;
}

function withoutCopies(sessions: readonly KimiSession[], notTapes: NotTape[]): KimiSession[] {
  const byThread = new Map<string, KimiSession>();
  for (const session of sessions) {
    const threadId = kimiThreadId({ sessionId: session.key, agentId: MAIN_AGENT });
    const other = byThread.get(threadId);
    const counts = other && !isBetter(session, other) ? other : session;
    byThread.set(threadId, counts);
    const superseded = counts === session ? other : session;
    for (const { path } of superseded?.files.values() ?? []) notTapes.push({ path, kind: 'supersededTape', why: supersededReason(superseded as KimiSession, counts) });
  }
  return [...byThread.values()];
}

/** Looks through Kimi homes. A problem in one hides nothing of the others. */
export function readKimiCatalog(homes: readonly HomeRef[], onRead?: OnRead): KimiCatalog {
  const notTapes: NotTape[] = [];
  const found = homes.map(({ path }) => discoverKimiHome(path));
  const sessions = withoutCopies(found.flatMap((home) => sessionsOf(home, { notTapes, onRead })), notTapes);
  return {
    sessions, notTapes: [...found.flatMap((home) => home.notTapes), ...notTapes], problems: found.flatMap(({ problems }) => problems),
    workDirs: new Map(found.map(({ home, workDirsPath }) => [home, workDirs(workDirsPath, onRead)])),
  };
}
