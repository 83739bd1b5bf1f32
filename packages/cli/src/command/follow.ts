import { StoreError, createTranscriptReader } from '@tapefold/store';
import type { TranscriptTurn } from '@tapefold/transcript';
import type { TranscriptFold } from '@tapefold/transcript/fold';
import { EXIT } from '../exit.js';
import { Flow } from '../render/flow.js';
import type { Command, Session } from './session.js';

/** `tapefold follow` as typed. */
export interface FollowCommand {
  readonly id: string;
  readonly agent?: string | undefined;
  /** Ends where the session ends today. */
  readonly once?: boolean | undefined;
}

const turnsOf = (fold: TranscriptFold): readonly TranscriptTurn[] => fold.snapshot().items.filter((item): item is TranscriptTurn => item.kind === 'turn');

/** Ends the following when the person asks for it. */
function untilStopped({ surroundings }: Session): AbortSignal {
  const end = new AbortController();
  surroundings.onStop?.(() => end.abort());
  return end.signal;
}

/** A running session as text that flows: the newest turn, and then what its agent writes, until somebody stops it or the files are gone. */
export const follow: Command<FollowCommand> = async (session, { id, agent, once }) => {
  const { output, terminal } = session;
  const followed = await createTranscriptReader(await session.source()).follow(id, agent);
  if (!followed) throw new StoreError('threadNotFound', { id: agent === undefined ? id : `${id} with an agent ${agent}` });
  const signal = untilStopped(session);
  for (;;) {
    const flow = new Flow(terminal.paint);
    const fold = followed.newFold();
    let hasBegun = false;
    let isAgain = false;
    for await (const growth of followed.growth(signal)) {
      if (growth.kind === 'facts') {
        if (hasBegun) await output.write(flow.take(growth.facts.flatMap((fact) => fold.fold(fact))));
        else for (const fact of growth.facts) fold.load(fact);
      } else if (growth.kind === 'gone') {
        terminal.note('the session\'s files are gone');
        return EXIT.ok;
      } else if (growth.kind === 'restarted') {
        terminal.note('the session\'s file was rewritten: from its newest turn again');
        isAgain = true;
        break;
      } else {
        if (!hasBegun) await output.write(flow.begin(turnsOf(fold)));
        hasBegun = true;
      }
      await output.flush();
      if (hasBegun && once === true) break;
    }
    if (!isAgain) break;
  }
  await output.line('');
  return EXIT.ok;
};
