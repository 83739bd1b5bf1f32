import { z } from 'zod';

/**
 * The number of a batch of operations.
 *
 * - One row of numbers for each session and agent. The server numbers batches, not operations, and every batch that it dispatches: 1, 2, 3 … without holes.
 * - A reader whose grade filters a batch to nothing is not sent it, so only a `delta` reader may take a hole for a loss.
 * - On a `reset`, and on an answer with a page, it is a *watermark*: the state includes every batch up to it. 0: none yet.
 * - `epoch` names the row. A server that starts anew and cannot go on with its row begins another epoch; a number means nothing in another epoch,
 *   so a reader whose epoch is not the server's loads everything. The first epoch counts from 1, a later one from behind all numbers before it:
 *   a reader that knows no epochs then finds its old cursor uncovered, and loads everything too.
 * - Catching up: the batches behind a cursor, or, where the server no longer holds all of them, `complete: false`: load everything.
 * - All of these fields are optional. A peer that sends none is understood (it gives baselines and no catch-up); one that reads none loads everything
 *   after a gap.
 */
export const transcriptSeqSchema = z.int().nonnegative();
/** Which row of numbers a seq belongs to. */
export const transcriptEpochSchema = z.string().min(1);

/** What numbered answers and frames carry. */
export const numbered = { seq: transcriptSeqSchema.optional(), epoch: transcriptEpochSchema.optional() };
