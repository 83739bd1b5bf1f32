import { type TranscriptReader, createTranscriptReader } from '@tapefold/store';
import { isPlainAgentId } from '@tapefold/transcript';
import { UsageError } from '../exit.js';
import { jsonText } from '../text/json-text.js';
import { namedPath } from './named-path.js';
import type { Session } from './session.js';

/** What the commands have in common that print answers about transcripts. */
export interface TranscriptCommand {
  readonly id: string;
  readonly agent?: string | undefined;
  readonly json?: true | undefined;
}

/** Prints what the reader answers, and hands it back: on one line for programs, else indented. */
export async function printAnswer<A extends object>(session: Session, { id, agent, json }: TranscriptCommand, answer: (reader: TranscriptReader, id: string) => Promise<A>): Promise<A> {
  if (agent !== undefined && !isPlainAgentId(agent)) throw new UsageError(`--agent takes the id of an agent (main, agent-0), not ${agent}.`);
  const reader = createTranscriptReader(await session.source());
  const answered = await answer(reader, namedPath(id, session.surroundings.cwd));
  await session.output.line(json ? jsonText(answered) : JSON.stringify(answered, null, 2));
  await session.output.flush();
  return answered;
}
