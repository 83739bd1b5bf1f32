import { type FileKind, kindByName } from './file-kinds.js';

/** The folder below a Kimi home that holds the session files, of either family. */
export const SESSIONS = 'sessions';
/** The agent of a session that a person speaks to. */
export const MAIN_AGENT = 'main';

/**
 * What the place of a file below `sessions/` says of it. `family`: kimi-code keeps an agent's log in `agents/<agent>/`, kimi-cli the session's own beside
 * its state and those of sub-agents in `subagents/<agent>/`. `records`: the log of what happened, or the history that the model reads.
 */
export interface KimiTapeName {
  readonly family: 'code' | 'cli';
  /** The folder of the working directory. */
  readonly bucket: string;
  /** As the agent writes it: `session_<uuid>`, `<uuid>`. */
  readonly sessionId: string;
  /** `main`, or the sub-agent's own id. */
  readonly agentId: string;
  readonly records: 'wire' | 'context';
}

const plainAgent = /^[A-Za-z0-9._-]{1,128}$/;

/** True for an agent id that is safe to be part of a path (kimi-transcript §1.1). */
export const isPlainAgentId = (id: string): boolean => plainAgent.test(id) && id !== '.' && id !== '..';

const logs: Readonly<Record<string, KimiTapeName['records']>> = { 'wire.jsonl': 'wire', 'context.jsonl': 'context' };
const subContext = /^context_(sub_\d+)\.jsonl$/;
/** What the model's history was before it was rewritten. */
const olderContext = /^context_(?:sub_\d+_)?\d+\.jsonl$/;
const looseContext = /^(.+)\.jsonl$/;

/** Names a session file by its path below `sessions/` (folders and name); undefined for every other. Never throws. */
export function parseKimiName(parts: readonly string[]): KimiTapeName | undefined {
  const [bucket = '', sessionId = '', third = '', agentId = '', file = ''] = parts;
  const records = Object.hasOwn(logs, parts.at(-1) ?? '') ? logs[parts.at(-1) ?? ''] : undefined;
  switch (parts.length) {
    case 2: {
      const loose = looseContext.exec(sessionId)?.[1];
      return loose === undefined ? undefined : { family: 'cli', bucket, sessionId: loose, agentId: MAIN_AGENT, records: 'context' };
    }
    case 3: {
      const sub = subContext.exec(third)?.[1];
      if (sub !== undefined) return { family: 'cli', bucket, sessionId, agentId: sub, records: 'context' };
      return records && { family: 'cli', bucket, sessionId, agentId: MAIN_AGENT, records };
    }
    case 5: {
      if (third === 'agents') return file === 'wire.jsonl' ? { family: 'code', bucket, sessionId, agentId, records: 'wire' } : undefined;
      return third === 'subagents' && records ? { family: 'cli', bucket, sessionId, agentId, records } : undefined;
    }
    default: return undefined;
  }
}

/** Names at the top of a Kimi home that say by themselves what they are, first match first; what the other agents call alike comes after. */
const byTop: readonly (readonly [RegExp, FileKind])[] = [
  [/^session_index\.jsonl$/, 'database'],
  [/^(?:search-index|\.index-cache)$/, 'database'],
  [/^kimi\.json$/, 'sessionNote'],
  [/^(?:server\.token|credentials|oauth)$/, 'credentials'],
  [/^user-history$/, 'promptRecall'],
  [/^(?:logs|telemetry|crash-reports)$/, 'log'],
  [/^server$/, 'runMark'],
  [/^(?:workspaces\.json|device_id|mcp\.json|tui\.toml|config\..*|skills|plugins|hooks|agents|commands|themes)$/, 'settings'],
  [/^(?:cache|updates?|bin|\.index-dirty|\.migrated-to-kimi-code|\.migrat.*|migration.*)$/, 'cache'],
];

/** Folders inside a session, at whatever depth, that hold no session files; none is entered. */
const byFolder: Readonly<Record<string, FileKind>> = {
  blobs: 'media', media: 'media', plans: 'plan', plan: 'plan', tasks: 'taskRecord', cron: 'taskRecord', 'file-history': 'fileBackup', notify: 'settings', logs: 'log',
};

const byNote: Readonly<Record<string, FileKind>> = { 'state.json': 'sessionNote', 'metadata.json': 'sessionNote', 'meta.json': 'agentNote', 'prompt.txt': 'taskRecord', output: 'taskRecord', '.index-dirty': 'cache' };

/** Kimi Code writes a file beside and moves it into place. */
const halfWritten = /\.tmp\.[^/]+$/;

/** Buckets, sessions and agents are named by people and programs: a name tells a folder's kind only where none of them stands. */
const canTell = (place: number): boolean => place === 2 || place >= 4;

/** The kind of a folder without session files, by its parts below `sessions/`; undefined where session files may lie below. */
export function kimiFolderKind(parts: readonly string[]): FileKind | undefined {
  if (parts[0] === '.index-cache') return 'database';
  const name = parts.find((part, place) => canTell(place) && Object.hasOwn(byFolder, part));
  return name === undefined ? undefined : byFolder[name];
}

function kindBelowSessions(parts: readonly string[]): FileKind | undefined {
  const name = parts.at(-1) ?? '';
  const folder = kimiFolderKind(parts);
  if (folder !== undefined) return folder;
  if (parts.length > 2 && olderContext.test(name) && !subContext.test(name)) return 'modelHistory';
  if (parseKimiName(parts)) return 'tape';
  if (halfWritten.test(name)) return 'temporary';
  return Object.hasOwn(byNote, name) ? byNote[name] : kindByName(name);
}

function kindBelowServer(parts: readonly string[]): FileKind {
  return parts[0] === 'events' ? 'eventJournal' : 'runMark';
}

/** The kind that a name at the top of a Kimi home tells, or undefined. */
export function kimiKindByName(name: string): FileKind | undefined {
  return byTop.find(([pattern]) => pattern.test(name))?.[1] ?? kindByName(name);
}

/** What a path inside a Kimi home is, by its parts below the home; undefined where they do not tell. */
export function kimiKind(parts: readonly string[]): FileKind | undefined {
  const [top = '', ...rest] = parts;
  if (top === SESSIONS) return kindBelowSessions(rest);
  return top === 'server' && rest.length > 0 ? kindBelowServer(rest) : kimiKindByName(top);
}

const workspaceFolder = /^wd_[a-z0-9._-]+_[0-9a-f]{12}$/;
const bucketFolder = /^(?:.+_)?[0-9a-f]{32}$/;

/** True for the name that either family gives to the folder of a working directory. */
export const isKimiBucket = (name: string): boolean => workspaceFolder.test(name) || bucketFolder.test(name);
