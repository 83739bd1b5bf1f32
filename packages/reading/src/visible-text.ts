import { type AgentTextOptions, agentText } from './agent-text.js';
import type { Tally } from './tally.js';
import { withoutControls } from './user-text.js';

/** Whose words: an agent's carry directives for its program, a person's may carry what a terminal or a clipboard put in. `cwd` shortens paths in an agent's. */
export interface VisibleTextOptions extends AgentTextOptions {
  readonly kind: 'agent' | 'user';
}

/** Every line right-trimmed, blank lines at the end dropped; undefined where nothing is left. */
function trimmed(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd());
  let end = lines.length;
  while (end > 0 && lines[end - 1] === '') end -= 1;
  return end === 0 ? undefined : lines.slice(0, end).join('\n');
}

/**
 * [R-SCR-2] The one definition of what a person sees of a message, for preview, viewer, web, export and search (`codex-screen.md` §7). Undefined: no
 * cell, no preview line. Linear in the text, never throws; a second pass changes nothing, unless a comment's own words hold directives.
 */
export function visibleText(text: string, options: VisibleTextOptions, tally: Tally = { steps: 0 }): string | undefined {
  return trimmed(options.kind === 'user' ? withoutControls(text, tally) : agentText(text, options, tally));
}
