import { verifyHomes } from '@tapefold/store';
import { EXIT, UsageError } from '../exit.js';
import { openIndex } from '../open-index.js';
import { Progress } from '../progress.js';
import { counted } from '../text/measures.js';
import { namedPath } from './named-path.js';
import type { Command } from './session.js';

/** `tapefold verify` as typed. */
export interface VerifyOptions {
  readonly id?: string | undefined;
  readonly all?: true | undefined;
}

/** Folds the session files afresh and compares with the index: names the first difference of each thread that has one. */
export const verify: Command<VerifyOptions> = async ({ homes, output, terminal, surroundings }, { id, all }) => {
  if ((id === undefined) === (all === undefined)) throw new UsageError('verify takes the id of a session, or --all for every one.');
  const store = openIndex(surroundings);
  if (!store) throw new UsageError('there is no index to verify: `tapefold index` makes one.');
  const progress = new Progress(terminal, 'sessions compared');
  const counts = { equal: 0, differs: 0, notIndexed: 0 };
  try {
    for await (const { threadId, path, state, difference } of verifyHomes(store, homes, id === undefined ? undefined : namedPath(id, surroundings.cwd))) {
      counts[state] += 1;
      progress.count(counts.equal + counts.differs + counts.notIndexed);
      if (state === 'equal') continue;
      progress.clear();
      await output.line(`${threadId}  ${state === 'differs' ? `differs: ${difference ?? ''}` : 'is not indexed'}  (${path})`);
    }
  } finally {
    progress.clear();
    await store.close();
  }
  await output.line(`${counted(counts.equal, 'session')} equal, ${counts.differs} different, ${counts.notIndexed} not indexed`);
  await output.flush();
  return counts.differs === 0 && counts.notIndexed === 0 ? EXIT.ok : EXIT.data;
};
