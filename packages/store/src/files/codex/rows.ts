import { type Thread, threadObject } from '@tapefold/threads';
import type { ThreadSummary } from '../../thread-source.js';
import type { CodexFiles, ThreadFiles } from './codex-files.js';
import type { HeadLook } from './head-look.js';

/** The provider of a home that configures none. */
const DEFAULT_PROVIDER = 'openai';

/** The public object of a thread from its newest file's head, without turns. Nothing runs: reading is not resuming. */
export function threadObjectOf(shelf: CodexFiles, thread: ThreadFiles, head: HeadLook['head']): Thread {
  const { file } = thread.newest;
  const firstPrompt = shelf.firstPromptOf(thread) ?? head.details.firstPrompt;
  const told = firstPrompt === undefined ? head : { ...head, details: { ...head.details, firstPrompt } };
  const object = threadObject(told, {
    path: file.shownPath, updatedAtMs: file.mtimeMs, recencyAtMs: file.mtimeMs, status: { type: 'notLoaded' }, name: shelf.catalog.names.get(thread.threadId),
    defaultModelProvider: shelf.catalog.providers.get(file.home),
  });
  return object.id === '' ? { ...object, id: thread.threadId, sessionId: thread.threadId } : object;
}

/** A Codex thread's row of the list. */
export function summaryOf(shelf: CodexFiles, thread: ThreadFiles): ThreadSummary {
  const { newest } = thread;
  const object = threadObjectOf(shelf, thread, newest.head);
  return {
    isConfiguredProvider: object.modelProvider === (shelf.catalog.providers.get(newest.file.home) ?? DEFAULT_PROVIDER),
    thread: object, program: 'codex', path: newest.file.shownPath, isArchived: newest.file.isArchived, isSubAgent: newest.head.identity?.origin.kind === 'subAgent',
    sizeBytes: thread.looks.reduce((sum, look) => sum + look.file.sizeBytes, 0), updatedAtMs: newest.file.mtimeMs, turnCount: newest.turnCount, lastTurn: newest.lastTurn, lastRecordAtMs: newest.lastRecordAtMs, problem: newest.problem,
  };
}

/** A row for each session file of a thread in which something was asked, with what was asked there first; the newest one always. */
export function fileSummaries(shelf: CodexFiles, thread: ThreadFiles): ThreadSummary[] {
  if (thread.looks.length === 1) return [summaryOf(shelf, thread)];
  return thread.looks.filter((look) => look === thread.newest || look.head.details.firstPrompt !== undefined).map((look) => {
    const row = summaryOf(shelf, { threadId: thread.threadId, looks: [look], newest: look });
    const { firstPrompt } = look.head.details;
    return firstPrompt === undefined ? row : { ...row, thread: { ...row.thread, preview: firstPrompt } };
  });
}
