import { EXIT } from '../exit.js';
import type { Command } from './session.js';
import { type TranscriptCommand, printAnswer } from './transcript-answer.js';

/** What a person said, by turn: what `GET /sessions/{id}/transcript/user-messages` answers with. */
export const userMessages: Command<TranscriptCommand> = async (session, options) => {
  await printAnswer(session, options, (reader, id) => reader.userMessages(id, options.agent));
  return EXIT.ok;
};
