import type { ThreadListing } from '@tapefold/store';
import type { Terminal } from '../terminal.js';

/** Says which folders and files could not be looked into: nothing is left out in silence. */
export function noteProblems({ problems }: ThreadListing, terminal: Terminal): void {
  for (const { path, reason } of problems) terminal.note(`${path} ${reason.replace(/\.$/, '')}.`);
}
