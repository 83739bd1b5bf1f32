import { EXIT } from '../exit.js';
import type { Command } from './session.js';
import { type TranscriptCommand, printAnswer } from './transcript-answer.js';

/** `tapefold plan` as typed. */
export interface PlanOptions extends TranscriptCommand {
  readonly toolCall?: string | undefined;
}

/** Plans that were put before a person: what `GET /sessions/{id}/transcript/plan` answers with. */
export const plan: Command<PlanOptions> = async (session, options) => {
  const { toolCall } = options;
  const { plans } = await printAnswer(session, options, (reader, id) => reader.plans(id, { agentId: options.agent, toolCallId: toolCall }));
  if (toolCall === undefined || plans.length > 0) return EXIT.ok;
  session.terminal.note(`no call ${toolCall} put a plan before a person: \`tapefold plan ID\` shows those that did.`);
  return EXIT.data;
};
