import type { ThreadSource, ThreadSummary } from '@tapefold/store';
import { methods } from '@tapefold/threads';
import type { JsonChunks } from './answer.js';
import { answerCall } from './answer-call.js';
import { ThreadReader } from './thread-reader.js';

/** How long practising may take. `nowMs`: a clock. */
export interface WarmUpOptions {
  readonly nowMs: () => number;
  readonly budgetMs: number;
}

async function takeWhole(chunks: JsonChunks): Promise<void> {
  for await (const _ of chunks) { /* Making the pieces is the practice. */ }
}

async function practise(reader: ThreadReader, { thread }: ThreadSummary): Promise<void> {
  const params = methods['thread/turns/list'].params.parse({ threadId: thread.id });
  await takeWhole(await answerCall(reader, { method: 'thread/turns/list', params }, () => undefined));
}

/**
 * Answers newest pages of a few small threads over and over until the time is up, once at least, so that the first page that a client asks for meets
 * code that is compiled: of that page's time it would be most. Never throws.
 */
export async function warmUp(source: ThreadSource, { nowMs, budgetMs }: WarmUpOptions): Promise<void> {
  const end = nowMs() + budgetMs;
  try {
    const reader = new ThreadReader(source, { wholeBytes: 0 });
    const rows = await reader.all();
    do for (const row of rows) await practise(reader, row); while (rows.length > 0 && nowMs() < end);
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
