import { stringAt } from '../shape.js';
import type { ClaudeLine } from './line.js';
import type { Play } from './play.js';
import type { ClaudeState } from './state.js';
import type { ClaudeTree } from './tree.js';

/** Summaries of other sessions stand at the top of a file: more than this is no help. */
const SUMMARY_LIMIT = 200;

/** A line that names the session; answers whether it is one. */
export function noteTitle(state: ClaudeState, line: ClaudeLine): boolean {
  const { raw } = line;
  const { titles } = state;
  switch (line.type) {
    case 'custom-title': titles.custom = stringAt(raw, 'customTitle') ?? ''; return true;
    case 'ai-title': titles.ai = stringAt(raw, 'aiTitle') ?? ''; return true;
    case 'summary':
      titles.summaries = [...titles.summaries, { leaf: stringAt(raw, 'leafUuid') ?? '', text: stringAt(raw, 'summary') ?? '' }].slice(-SUMMARY_LIMIT);
      return true;
    default: return false;
  }
}

/** A summary belongs to this session only if its leaf is here; the one nearest to the end counts. */
function bestSummary(state: ClaudeState, tree: ClaudeTree): string | undefined {
  let best: { at: number; text: string } | undefined;
  for (const { leaf, text } of state.titles.summaries) {
    const at = tree.find(leaf);
    if (at !== undefined && (!best || at >= best.at)) best = { at, text };
  }
  return best?.text;
}

/** Title as the original program's list has it (claude-history §6.4), where a line says one. */
export function nameOf({ state, tree }: Pick<Play, 'state' | 'tree'>): string | undefined {
  const { custom, ai } = state.titles;
  return custom || ai || bestSummary(state, tree) || undefined;
}

/** The first thing asked on the live chain; a command's name where nothing was, and what the file says was asked last where that is all. */
export function firstPromptOf({ titles, turns }: ClaudeState): string | undefined {
  let command: string | undefined;
  for (const { run, title, isPrompt, isOff } of turns) {
    if (run !== 0 || isOff || title === undefined || title === '') continue;
    if (isPrompt) return title;
    command ??= title;
  }
  return command ?? titles.lastPrompt;
}
