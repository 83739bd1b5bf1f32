import type { ThreadSource, ThreadSummary } from '@tapefold/store';
import { methods } from '@tapefold/threads';
import { WARM_UP_ROUNDS } from '../limits.js';
import type { JsonChunks } from './answer.js';
import { answerCall } from './answer-call.js';
import { ThreadReader } from './thread-reader.js';

async function takeWhole(chunks: JsonChunks): Promise<void> {
  for await (const _ of chunks) { /* Making the pieces is the practice. */ }
}

async function practise(reader: ThreadReader, { thread }: ThreadSummary): Promise<void> {
  const params = methods['thread/turns/list'].params.parse({ threadId: thread.id });
  await takeWhole(await answerCall(reader, { method: 'thread/turns/list', params }, { notify: () => undefined, follow: () => undefined }));
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
