import { claudeTape, codexTape, createClaudeAgentMetaPlayer, createClaudePlayer, createCodexPlayer, createKimiPlayer, createNativePlayer } from '@tapefold/dialects';
import { TapeError, parseClaudeName, parseKimiName, tapeProgram } from '@tapefold/tapes';
import { basename, dirname, resolve, sep } from 'node:path';
import { claudeThreadId } from './claude/thread-ids.js';
import { kimiFile } from './kimi/kimi-file.js';
import { nativeFile } from './native/native-file.js';
import type { PlayedFile } from './shelf.js';

const note = /^agent-(.+)\.meta\.json$/;

function loosePlayer(path: string): Pick<PlayedFile, 'thread' | 'tape' | 'createPlayer'> {
  const name = basename(path);
  const agentId = note.exec(name)?.[1];
  if (agentId !== undefined) {
    const tape = claudeTape(name);
    return { tape, thread: { id: undefined, isSure: true }, createPlayer: () => createClaudeAgentMetaPlayer({ tape, namedThreadId: agentId }) };
  }
  const program = tapeProgram(path);
  if (program === 'kimi') return looseKimi(path);
  if (program === 'native') return looseNative(path);
  if (program === 'codex') {
    const tape = codexTape(name);
    return { tape, thread: { id: undefined, isSure: false }, createPlayer: () => createCodexPlayer({ tape }) };
  }
  const named = parseClaudeName([basename(dirname(dirname(path))), basename(dirname(path)), name]);
  const identity = named?.kind === 'agent' ? { tape: claudeTape(named.agentId), namedThreadId: named.agentId } : { tape: claudeTape(name), namedThreadId: claudeThreadId({ sessionId: named?.sessionId ?? name }) };
  const id = named?.kind === 'agent' ? (named.sessionId === undefined ? undefined : claudeThreadId(named)) : identity.namedThreadId;
  return { tape: identity.tape, thread: { id, isSure: true }, createPlayer: () => createClaudePlayer(identity) };
}

/** A log of Kimi is named by the folders that it lies in; elsewhere only its name is left. */
function looseKimi(path: string): Pick<PlayedFile, 'thread' | 'tape' | 'createPlayer'> {
  const parts = path.split(sep);
  const name = [5, 3].map((depth) => parseKimiName(parts.slice(-depth))).find((each) => each !== undefined);
  const loose = name ?? { family: 'cli', bucket: '', sessionId: basename(path).replace(/\.jsonl$/, ''), agentId: 'main', records: 'wire' };
  const file = kimiFile(dirname(path), { path, name: loose, sizeBytes: 0, mtimeMs: 0 });
  return { tape: file.tape, thread: { id: name ? file.threadId : undefined, isSure: true }, createPlayer: () => createKimiPlayer({ tape: file.tape, namedThreadId: file.name.agentId === 'main' ? file.sessionKey : file.name.agentId }) };
}

/** A native tape says itself who it is; the folder is only where nothing of its header can be read. */
function looseNative(path: string): Pick<PlayedFile, 'thread' | 'tape' | 'createPlayer'> {
  const file = nativeFile(dirname(path), { path, threadId: basename(dirname(path)), sizeBytes: 0, mtimeMs: 0 }, { known: new Map() });
  return { tape: file.tape, thread: { id: file.threadId, isSure: true }, createPlayer: () => createNativePlayer({ tape: file.tape }) };
}

/** A session file that is named directly, wherever it lies; whose it is, name and content tell. Never throws: one that cannot be read says so when it is played. */
export function loosePlayed(path: string): PlayedFile {
  const whole = resolve(path);
  try {
    return { path: whole, shownPath: whole, ...loosePlayer(whole) };
  } catch (cause) {
    if (!(cause instanceof TapeError)) throw cause;
    const tape = codexTape(basename(whole));
    return { path: whole, shownPath: whole, tape, thread: { id: undefined, isSure: false }, createPlayer: () => createCodexPlayer({ tape }) };
  }
}
