import type { Command } from './session.js';
import { type TranscriptCommand, printAnswer } from './transcript-answer.js';

/** `tapefold plan` as typed. */
export interface PlanOptions extends TranscriptCommand {
  readonly toolCall?: string | undefined;
}

/** Plans that were put before a person: what `GET /sessions/{id}/transcript/plan` answers with. */
export const plan: Command<PlanOptions> = (session, options) => printAnswer(session, options, (reader, id) => reader.plans(id, { agentId: options.agent, toolCallId: options.toolCall }));
