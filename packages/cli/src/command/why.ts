import { EXIT } from '../exit.js';
import { shortPath } from '../text/measures.js';
import { namedPath } from './named-path.js';
import type { Command } from './session.js';

/** `tapefold why` as typed. */
export interface WhyOptions {
  readonly idOrPath: string;
}

/** Says why something is, or is not, in the list. */
export const why: Command<WhyOptions> = async (session, { idOrPath }) => {
  const { output, terminal, surroundings } = session;
  const source = await session.source();
  const { path, isListed, why: reason } = await source.explain(namedPath(idOrPath, surroundings.cwd));
  const verdict = isListed ? { text: '✓ listed', tone: 'good' as const } : { text: '✗ not listed', tone: 'warn' as const };
  await output.lines([terminal.paint([verdict, { text: ` · ${shortPath(path, surroundings.homeDir)}`, tone: 'dim' }]), terminal.paint([reason])]);
  await output.flush();
  return EXIT.ok;
};
