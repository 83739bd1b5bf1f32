import { type IndexResult, type LeaseHolder, StoreError, startIndexing } from '@tapefold/store';
import { rmSync } from 'node:fs';
import { EXIT, type ExitCode } from '../exit.js';
import { indexPath, openIndex } from '../open-index.js';
import { Progress } from '../progress.js';
import { sizeText, counted, durationText } from '../text/measures.js';
import type { Command, Session } from './session.js';
import { ToldProblems, troubleText } from './told-problems.js';

/** `tapefold index` as typed. */
export interface IndexOptions {
  readonly watch?: true | undefined;
}

/** What a pass did, as a sentence without a stop. */
function passText({ threads, built, continued, dropped, bytes, isComplete }: IndexResult, tookMs: number): string {
  const changes = [...(built > 0 ? [`${built} new`] : []), ...(continued > 0 ? [`${continued} grown`] : []), ...(dropped > 0 ? [`${dropped} gone`] : [])];
  return `${counted(threads, 'session')}${isComplete ? '' : ' (stopped on the way)'}: ${changes.length === 0 ? 'nothing new' : `${changes.join(', ')}, ${sizeText(bytes)} read in ${durationText(tookMs)}`}`;
}

const heldText = ({ pid, host }: LeaseHolder): string => `process ${pid} on ${host} is indexing already`;

/** Runs the indexer until it is done, or until it is asked to stop. */
async function runIndexing({ homes, terminal, surroundings, output }: Session, order: { readonly isWatching: boolean; readonly isFresh: boolean }): Promise<ExitCode> {
  const progress = new Progress(terminal, 'indexing', { isStopHeard: true });
  const told = new ToldProblems();
  let isStopped = false;
  let unwritten: { readonly error: unknown } | undefined;
  let startedMs = surroundings.nowMs();
  let isHeld = false;
  const indexing = startIndexing({ path: indexPath(surroundings), homes, ...order }, {
    onProgress: progress.index,
    onTexts: progress.texts,
    onPass: (result) => {
      progress.clear();
      const nowMs = surroundings.nowMs();
      if (!order.isWatching || result.built + result.continued + result.dropped > 0) void output.line(passText(result, nowMs - startedMs));
      // Whoever watches reads it now, also through a pipe; with nobody left to read, it ends.
      output.flush().catch((error: unknown) => {
        unwritten ??= { error };
        indexing.stop();
      });
      for (const sentence of told.fresh(result)) terminal.note(sentence);
      startedMs = nowMs;
    },
    onTrouble: (error) => {
      progress.clear();
      terminal.note(troubleText(error));
    },
    onHeld: (holder) => {
      if (!isHeld) terminal.note(order.isWatching ? `${heldText(holder)}: waiting for it to end` : `${heldText(holder)}: nothing was done`);
      isHeld = true;
    },
  });
  surroundings.onStop?.(() => {
    isStopped = true;
    progress.clear();
    terminal.note('stopping: what is indexed stays');
    indexing.stop();
  });
  const result = await indexing.done.finally(() => progress.clear());
  await output.flush();
  if (unwritten) throw unwritten.error;
  if (isStopped) return EXIT.interrupted;
  return result && result.problems.length === 0 ? EXIT.ok : EXIT.data;
}

/** Brings the index up to date; with `--watch` it goes on until it is stopped. */
export const index: Command<IndexOptions> = (session, { watch }) => runIndexing(session, { isWatching: watch === true, isFresh: false });

function isDamaged({ surroundings }: Session): boolean {
  try {
    const store = openIndex(surroundings);
    const isWhole = store?.isSound() ?? true;
    void store?.close();
    return !isWhole;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'storeDamaged') return true;
    throw error;
  }
}

/** Drops the index and makes it anew. */
export const rebuild: Command<object> = async (session) => {
  const path = indexPath(session.surroundings);
  // Nothing in a damaged one is worth keeping: everything comes from the session files.
  if (isDamaged(session)) for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  return runIndexing(session, { isWatching: false, isFresh: true });
};
