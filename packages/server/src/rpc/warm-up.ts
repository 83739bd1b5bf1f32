import { type ThreadSource, type ThreadSummary, collectGarbage } from '@tapefold/store';
import { methods } from '@tapefold/threads';
import { setImmediate } from 'node:timers/promises';
import { ROW_PRACTICE_CHARS, ROW_PRACTICE_THREADS, WARM_UP_ROUNDS } from '../limits.js';
import type { JsonChunks } from './answer.js';
import { type Caller, answerCall } from './answer-call.js';
import { ThreadReader } from './thread-reader.js';

/** Who asks in practice. */
const nobody: Caller = { notify: () => undefined, follow: () => undefined };

async function takeWhole(chunks: JsonChunks): Promise<void> {
  for await (const _ of chunks) { /* Making the pieces is the practice. */ }
}

async function practise(reader: ThreadReader, { thread }: ThreadSummary): Promise<void> {
  const params = methods['thread/turns/list'].params.parse({ threadId: thread.id });
  await takeWhole(await answerCall(reader, { method: 'thread/turns/list', params }, nobody));
}

/**
 * Answers newest pages of a few small threads, so that the first page that a client asks for meets code that has run: of that page's time it would be
 * most. `openSource` makes a source that has read nothing yet: one that had would answer from memory, and its reading would go without practice. Never throws.
 */
export async function warmUp(openSource: () => ThreadSource): Promise<void> {
  try {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      const reader = new ThreadReader(openSource(), { wholeBytes: 0 });
      for (const row of await reader.all()) await practise(reader, row);
    }
  } catch {
    // Without practice the first answers take longer, nothing else.
  }
}

/** Reads the page ahead that is asked for first most of the time: the newest turns of the newest thread. Never throws. */
export async function readAhead(reader: ThreadReader): Promise<void> {
  try {
    const { thread } = await reader.source.summary('last');
    const params = methods['thread/turns/list'].params.parse({ threadId: thread.id });
    await reader.openNewest(thread.id, params);
  } catch {
    // A home without threads, or with damaged ones: whoever asks for them is told.
  }
}

/**
 * Reads some of the newest threads from their rows, for nobody, a piece at a time: the first whole thread that a client asks for then meets code that has run. For when rows have just been made. Never throws.
 */
export async function practiseRows(source: ThreadSource): Promise<void> {
  try {
    const reader = new ThreadReader(source);
    let left = ROW_PRACTICE_CHARS;
    for (const { thread } of (await source.list({ limit: ROW_PRACTICE_THREADS })).rows) {
      if (left < 0) break;
      // What is not indexed after all would be read as a whole.
      if (await source.notYetIndexed(thread.id)) continue;
      for await (const chunk of await answerCall(reader, { method: 'thread/read', params: { threadId: thread.id, includeTurns: true } }, nobody)) {
        left -= chunk.length;
        if (left < 0) break;
        await setImmediate();
      }
    }
    collectGarbage();
  } catch {
    // Without practice the first answer takes longer, nothing else.
  }
}
