import { type Block, blocksOf, wrapsTable } from './fences.js';
import { paragraphText } from './paragraph-text.js';
import type { Tally } from './tally.js';
import type { VisualisationUrl } from './visualisation.js';

/** See `VisibleTextOptions`. */
export interface AgentTextOptions {
  readonly cwd?: string | undefined;
  readonly visualisationUrl?: VisualisationUrl | undefined;
}

const OPEN_CITATION = '<oai-mem-citation>';
const CLOSE_CITATION = '</oai-mem-citation>';

/** Memory citations are kept beside the text, not in it. One that nothing closes stays. */
function withoutCitations(text: string): string {
  const kept: string[] = [];
  let start = 0;
  for (let from = text.indexOf(OPEN_CITATION); from >= 0; from = text.indexOf(OPEN_CITATION, start)) {
    const end = text.indexOf(CLOSE_CITATION, from);
    if (end < 0) break;
    kept.push(text.slice(start, from));
    start = end + CLOSE_CITATION.length;
  }
  return kept.join('') + text.slice(start);
}

/** Rewrites running text paragraph by paragraph: code spans do not cross blank lines. */
function runningText(lines: readonly string[], options: AgentTextOptions & { readonly isTail: boolean }, tally: Tally): string[] {
  const out: string[] = [];
  let paragraph: string[] = [];
  const flush = (isTail: boolean): void => {
    if (paragraph.length > 0) for (const line of paragraphText(paragraph, { ...options, isTail, tally })) out.push(line);
    paragraph = [];
  };
  for (const line of lines) {
    tally.steps += 1;
    if (line.trim() !== '') { paragraph.push(line); continue; }
    flush(false);
    out.push('');
  }
  flush(options.isTail);
  return out;
}

/** A fence that wraps a table is unwrapped, and what was in it is text with fences of its own; other fences stay as they are. */
function unwrapped(block: Block): Block[] {
  return wrapsTable(block) ? blocksOf(block.lines.slice(1, -1)) : [block];
}

/** An agent's words as a person sees them (`codex-screen.md` §7), before lines are trimmed. O(length), never throws. */
export function agentText(text: string, options: AgentTextOptions, tally: Tally = { steps: 0 }): string {
  const plain = text.includes(OPEN_CITATION) ? withoutCitations(text) : text;
  const blocks = blocksOf(plain.split('\n')).flatMap(unwrapped);
  return blocks.flatMap((block, i) => {
    tally.steps += block.lines.length;
    return block.kind === 'fence' ? block.lines : runningText(block.lines, { ...options, isTail: i === blocks.length - 1 }, tally);
  }).join('\n');
}
