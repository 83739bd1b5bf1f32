import { isJsonObject } from '@tapefold/facts';
import type { OnRead } from './byte-source.js';
import { parseRolloutName } from './rollout-name.js';
import { firstRecord, sniff } from './tape-form.js';

/** Closed list of what a file around an agent can be. Only `tape` is listed and read as a session, and `sideTape` read beside it. */
export type FileKind =
  | 'tape' | 'sideTape' | 'strayTape' | 'supersededTape'
  | 'promptRecall' | 'database' | 'log' | 'screenLog' | 'trace' | 'eventJournal' | 'shellSnapshot' | 'credentials' | 'settings' | 'lock' | 'temporary' | 'socket'
  | 'agentNote' | 'sessionNote' | 'modelHistory' | 'taskRecord' | 'media' | 'taskList' | 'fileBackup' | 'plan' | 'runMark' | 'cache'
  | 'link' | 'folder' | 'missing' | 'unreadable' | 'other';

/** What a path is and, in one sentence, why it is or is not read as a session. */
export interface FileExplanation {
  readonly kind: FileKind;
  readonly why: string;
}

const why: Record<FileKind, string> = {
  tape: 'It is a session file: one record after another, never rewritten.',
  sideTape: 'It is the index of the names that people gave their threads: read beside the sessions, never listed as one.',
  strayTape: 'It is a session file outside of the folders where its agent keeps them: it is not listed, name it directly to read it.',
  supersededTape: 'It is superseded by its plain sibling: the agent decompressed it before it wrote on.',
  promptRecall: 'It is the prompt recall of the composer (what the person typed, without answers): it is no transcript.',
  database: 'It is a database that the agent derives from its session files: the files are the source.',
  log: 'It is a debug log of the agent: it tells of the program, not of the conversation.',
  screenLog: 'It is a recording of what the screen did, a debugging aid: it is no history.',
  trace: 'It is part of a trace bundle, a diagnosis record with access rights of its own: it is neither session nor transcript.',
  eventJournal: 'It is an event journal for clients that reconnect: it forgets, so it is no source of a transcript.',
  shellSnapshot: 'It is a snapshot of a shell environment, which commands start from: it holds no conversation.',
  credentials: 'It holds credentials: it is never opened.',
  settings: 'It holds settings of the agent: it holds no conversation.',
  lock: 'It is a lock or a marker of a running program: it holds no conversation.',
  temporary: 'It is a temporary file, half written or left over: the finished file counts.',
  socket: 'It is the control socket of a running agent: it is no file to read.',
  agentNote: 'It says which call started a sub-agent, and as what: read beside the sub-agent\'s file, never listed as a session.',
  sessionNote: 'It says what sessions are called and where they ran: read beside the session files, never listed as one.',
  modelHistory: 'It is the history as the model read it, kept beside the log of its session: it belongs to that session and is none itself.',
  taskRecord: 'It is what the agent keeps of work that it gave away (what was asked, how it stands, what it printed): the session that began it tells of it.',
  media: 'It is media, or the whole text of an output that was too long for its session file: it belongs to that session and is none itself.',
  taskList: 'It is a list of tasks that the agent keeps beside a session: it says what is to be done, and is no transcript.',
  fileBackup: 'It is a copy of a file from before the agent changed it: it is no transcript.',
  plan: 'It is a plan that the agent wrote down: the session that made it has it too, and it is no transcript.',
  runMark: 'It marks a program that runs, or was killed: it says nothing of what was said.',
  cache: 'It is something that the agent can make again (caches, marks of its own upkeep): it is no transcript.',
  link: 'It is a link to something that is walked elsewhere: it is followed once.',
  folder: 'It is a folder: name a session file in it, or a home.',
  missing: 'It does not exist.',
  unreadable: 'It cannot be read, so what it holds is not known.',
  other: 'It is nothing that Tapefold knows as a session file.',
};

/** The explanation of a kind. */
export function explanation(kind: FileKind): FileExplanation {
  return { kind, why: why[kind] };
}

/** Names that say by themselves what a file or folder of a Codex home is, first match first. */
const byName: readonly (readonly [RegExp, FileKind])[] = [
  [/^session_index\.jsonl$/, 'sideTape'],
  [/^history\.jsonl?$/, 'promptRecall'],
  [/\.(?:sqlite3?|db)(?:-(?:wal|shm|journal))?$/, 'database'],
  [/^(?:auth|\.?credentials)\.json$/, 'credentials'],
  [/^(?:config\.(?:toml|json|yaml)|instructions\.md|AGENTS(?:\.override)?\.md|version\.json|models_cache\.json|installation_id|\.personality_migration|internal_storage\.json)$/, 'settings'],
  [/^(?:skills|prompts|rules|memories|plugins|themes)$/, 'settings'],
  [/^(?:log|logs)$|\.log(?:\.\d+)?$/, 'log'],
  [/^shell_snapshots$/, 'shellSnapshot'],
  [/^(?:thread-writer-locks)$|\.lock$/, 'lock'],
  [/^session-\d{8}T\d{6}Z\.jsonl$/, 'screenLog'],
  [/^trace\.jsonl$/, 'trace'],
  [/^app-server-control$|\.sock$/, 'socket'],
  [/^\.?tmp$|\.(?:tmp|temp|part|partial|swp|bak~?)$|~$/, 'temporary'],
];

/** The kind that a name alone tells (of a file or folder, without its path), or undefined. Session names are `tape` wherever they lie. Never throws. */
export function kindByName(name: string): FileKind | undefined {
  if (parseRolloutName(name)) return 'tape';
  return byName.find(([pattern]) => pattern.test(name))?.[1];
}

const hasAll = (record: object, ...keys: string[]): boolean => keys.every((key) => key in record);

const claudeTypes = new Set(['user', 'assistant', 'system', 'attachment', 'progress', 'summary', 'file-history-snapshot', 'queue-operation', 'last-prompt', 'custom-title', 'ai-title', 'agent-name', 'mode', 'permission-mode']);

/** A line as Claude Code writes it: a known type, and none of the envelopes of Codex. */
export function isClaudeRecord(record: object): boolean {
  return 'type' in record && typeof record.type === 'string' && claudeTypes.has(record.type) && !('payload' in record) && !('role' in record);
}

/**
 * A line of a Kimi log, of either family, or of a history as its model read it: the file's first line, a record with a dotted type and no envelope, one of
 * kimi-cli (`{timestamp, message: {type}}`), or a message with a role and no type.
 */
export function isKimiRecord(record: object): boolean {
  if ('type' in record) return !('payload' in record) && typeof record.type === 'string' && (/^[a-z_]+(?:\.[a-z_]+)+$/.test(record.type) || (record.type === 'metadata' && 'protocol_version' in record));
  if ('message' in record) return 'timestamp' in record && typeof record.timestamp === 'number' && isJsonObject(record.message) && 'type' in record.message;
  return 'role' in record && typeof record.role === 'string';
}

function kindOfRecord(record: object): FileKind | undefined {
  if (isClaudeRecord(record) || isKimiRecord(record)) return 'tape';
  if (hasAll(record, 'session_id', 'ts', 'text')) return 'promptRecall';
  if (hasAll(record, 'thread_name', 'updated_at')) return 'sideTape';
  if (hasAll(record, 'ts', 'dir', 'kind')) return 'screenLog';
  if ('kind' in record && record.kind === 'journal_header') return 'eventJournal';
  const isEnvelope = hasAll(record, 'type', 'payload') || hasAll(record, 'id', 'timestamp', 'instructions');
  return isEnvelope || hasAll(record, 'session', 'items') || 'tapefold' in record ? 'tape' : undefined;
}

/** Starts of session files whose first record is longer than the sniff. */
const tapeStart = /^\uFEFF?\s*\{\s*(?:"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"[a-z_]+"|"session"\s*:\s*\{|"type":"session_meta")/;

/** The kind that the first record of a file tells, or undefined. Throws `TapeError` of opening and reading. */
export function kindByContent(path: string, onRead?: OnRead): FileKind | undefined {
  const head = sniff(path, onRead);
  const record = firstRecord(head);
  if (isJsonObject(record)) return kindOfRecord(record);
  return tapeStart.test(head.toString('utf8')) ? 'tape' : undefined;
}
