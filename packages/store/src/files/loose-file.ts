import { claudeTape, codexTape, createClaudeAgentMetaPlayer, createClaudePlayer, createCodexPlayer } from '@tapefold/dialects';
import { TapeError, parseClaudeName, tapeProgram } from '@tapefold/tapes';
import { basename, dirname, resolve } from 'node:path';
import { claudeThreadId } from './claude/thread-ids.js';
import type { PlayedFile } from './shelf.js';

const note = /^agent-(.+)\.meta\.json$/;

function loosePlayer(path: string): Pick<PlayedFile, 'thread' | 'tape' | 'createPlayer'> {
  const name = basename(path);
  const agentId = note.exec(name)?.[1];
  if (agentId !== undefined) {
    const tape = claudeTape(name);
    return { tape, thread: { id: undefined, isSure: true }, createPlayer: () => createClaudeAgentMetaPlayer({ tape, namedThreadId: agentId }) };
  }
  if (tapeProgram(path) === 'codex') {
    const tape = codexTape(name);
    return { tape, thread: { id: undefined, isSure: false }, createPlayer: () => createCodexPlayer({ tape }) };
  }
  const named = parseClaudeName([basename(dirname(dirname(path))), basename(dirname(path)), name]);
  const identity = named?.kind === 'agent' ? { tape: claudeTape(named.agentId), namedThreadId: named.agentId } : { tape: claudeTape(name), namedThreadId: claudeThreadId({ sessionId: named?.sessionId ?? name }) };
  const id = named?.kind === 'agent' ? (named.sessionId === undefined ? undefined : claudeThreadId(named)) : identity.namedThreadId;
  return { tape: identity.tape, thread: { id, isSure: true }, createPlayer: () => createClaudePlayer(identity) };
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
