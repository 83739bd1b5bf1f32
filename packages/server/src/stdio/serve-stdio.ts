import { type ThreadSource, collectGarbage } from '@tapefold/store';
import type { Readable, Writable } from 'node:stream';
import { INPUT_LINE_BYTES, PENDING_BYTES, READ_AHEAD_AFTER_MS, RUNNING_CALLS } from '../limits.js';
import { Connection } from '../rpc/connection.js';
import { type ServerIdentity, describeServer } from '../rpc/identity.js';
import type { LiveThreads } from '../rpc/live/live-threads.js';
import { ThreadReader } from '../rpc/thread-reader.js';
import { readAhead, warmUp } from '../rpc/warm-up.js';
import { WorkQueue } from '../work/work-queue.js';
import { inputLines } from './input-lines.js';
import { OutputLines } from '../messages/output-lines.js';

/** What a server over standard input and output needs. */
export interface StdioOptions {
  readonly source: ThreadSource;
  /** Threads that run; absent: nothing does. */
  readonly threads?: LiveThreads | undefined;
  /** Makes a source of a few small threads, to practise on before the first call. */
  readonly practice?: (() => ThreadSource) | undefined;
  readonly identity: ServerIdentity;
  readonly input: Readable;
  readonly output: Writable;
  readonly nowMs: () => number;
  /** Says something to whoever runs the server: one line, on standard error. */
  readonly log: (text: string) => void;
}

/**
 * Speaks JSON-RPC without the member `jsonrpc`, one JSON a line. Any number of calls may be open; answers come as they are ready. Resolves at the end
 * of the input, when everything that was asked is answered, or when nobody reads the answers any more. Writes to nothing but `output`.
 */
export async function serveStdio({ source, threads, practice, identity, input, output, nowMs, log }: StdioOptions): Promise<void> {
  const lines = new OutputLines(output);
  const queue = new WorkQueue({ running: RUNNING_CALLS, pendingBytes: PENDING_BYTES });
  const reader = new ThreadReader(source, { live: threads });
  const onInitialized = (): void => void setTimeout(() => void (queue.isIdle && !input.destroyed && readAhead(reader)), READ_AHEAD_AFTER_MS).unref();
  const connection = new Connection({ reader, describe: describeServer(identity), nowMs, send: (message) => lines.send(message), onInitialized, log });
  output.once('close', () => input.destroy());
  output.once('error', () => input.destroy());
  if (practice) {
    await warmUp(practice);
    collectGarbage();
  }
  try {
    for await (const line of inputLines(input, INPUT_LINE_BYTES)) {
      if ('skippedBytes' in line) {
        log(`a line of ${line.skippedBytes} bytes is longer than ${INPUT_LINE_BYTES} and was skipped`);
        continue;
      }
      const call = connection.accept(line.text);
      if (call) await queue.add(call, line.bytes);
    }
  } catch (error) {
    if (!lines.isClosed) throw error;
  }
  await queue.idle();
  connection.close();
}
