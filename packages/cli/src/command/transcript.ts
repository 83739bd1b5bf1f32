import { TURN_PAGE_SIZE } from '@tapefold/transcript';
import { EXIT, UsageError } from '../exit.js';
import type { Command } from './session.js';
import { type TranscriptCommand, printAnswer } from './transcript-answer.js';
import { wholeNumber } from './whole-number.js';

/** `tapefold transcript` as typed; numbers are still text. */
export interface TranscriptOptions extends TranscriptCommand {
  readonly beforeTurn?: string | undefined;
  readonly afterTurn?: string | undefined;
  readonly pageSize?: string | undefined;
  readonly asOf?: string | undefined;
}

function pageSizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const size = wholeNumber(text, '--page-size', 1);
  if (size > TURN_PAGE_SIZE.max) throw new UsageError(`--page-size takes at most ${TURN_PAGE_SIZE.max}, not ${text}.`);
  return size;
}

/** A page of turns with all entities and the meta: what `GET /sessions/{id}/transcript` answers with. */
export const transcript: Command<TranscriptOptions> = async (session, options) => {
  const { agent, beforeTurn, afterTurn } = options;
  if (beforeTurn !== undefined && afterTurn !== undefined) throw new UsageError('--before-turn and --after-turn exclude each other: a page goes one way.');
  const pageSize = pageSizeOf(options.pageSize);
  const asOf = options.asOf === undefined ? undefined : wholeNumber(options.asOf, '--as-of');
  await printAnswer(session, options, (reader, id) => reader.transcript(id, { agentId: agent, beforeTurn, afterTurn, pageSize, asOf }));
  return EXIT.ok;
};
