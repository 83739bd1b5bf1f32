import { type CheckedPlanRevision, planRevisions } from '@tapefold/store';
import { EXIT } from '../exit.js';
import { namedPath } from './named-path.js';
import type { Command, Session } from './session.js';
import { type TranscriptCommand, printAnswer } from './transcript-answer.js';

/** `tapefold plan` as typed. */
export interface PlanOptions extends TranscriptCommand {
  readonly toolCall?: string | undefined;
}

const findings: Readonly<Partial<Record<CheckedPlanRevision['check'], string>>> = { mismatch: 'its file is not what the agent noted (size or SHA-256): it was changed later', missing: 'its file is not there' };

/** Says which revisions of plans are not what their records say. */
async function noteRevisions(session: Session, id: string, agentId: string): Promise<void> {
  const source = await session.source();
  const { agents } = await source.agents(namedPath(id, session.surroundings.cwd));
  const member = agents.find(({ agent }) => agent.agentId === agentId);
  if (!member) return;
  for (const { planId, version, name, check } of await planRevisions(source, member.threadId)) {
    const finding = findings[check];
    if (finding !== undefined) session.terminal.note(`plan ${planId}${version === undefined ? '' : `, version ${version}`} (${name}): ${finding}.`);
  }
}

/** Plans that were put before a person: what `GET /sessions/{id}/transcript/plan` answers with. */
export const plan: Command<PlanOptions> = async (session, options) => {
  const { toolCall } = options;
  const { agent_id: agentId, plans } = await printAnswer(session, options, (reader, id) => reader.plans(id, { agentId: options.agent, toolCallId: toolCall }));
  await noteRevisions(session, options.id, agentId);
  if (toolCall === undefined || plans.length > 0) return EXIT.ok;
  session.terminal.note(`no call ${toolCall} put a plan before a person: \`tapefold plan ID\` shows those that did.`);
  return EXIT.data;
};
