import { isCodexTurnStart } from './tail.js';

/** UTF-16 units of a line by which `CodexSummaryFilter` judges: the envelope and the first fields of the payload. */
export const SUMMARY_HEAD_CHARS = 240;

/** A line as `CodexSummaryFilter` looks at it. `isOneRecord`: nothing is glued on it. `text`: the whole of it, asked for only where a turn begins. */
export interface SummaryLine {
  readonly head: string;
  readonly isOneRecord: () => boolean;
  readonly text: () => string | undefined;
}

/** The envelope as today's writers put it, and the type of what is in it; of a message its role too. Any other form is played. */
const envelope = /^\{"timestamp":"[^"\\]*","type":"([a-z_]+)","payload":\{(?:"type":"([a-z_]+)"(?:,"id":"[^"\\]*")?(?:,"role":"([a-z]+)")?)?/;

/** Records that open no turn, end none, and say nothing of a person or of the agent, wherever they stand. */
const quiet: Readonly<Record<string, ReadonlySet<string>>> = {
  response_item: new Set(['reasoning', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'local_shell_call', 'web_search_call']),
  event_msg: new Set(['token_count', 'exec_command_begin', 'exec_command_end', 'exec_command_output_delta', 'turn_diff']),
};
const quietTypes: ReadonlySet<string> = new Set(['turn_context', 'world_state', 'token_usage_record']);
/** Events that open a turn where none is open, and are as quiet in one that is. */
const quietInTurn: ReadonlySet<string> = new Set(['agent_reasoning', 'agent_reasoning_raw_content', 'mcp_tool_call_begin', 'mcp_tool_call_end', 'web_search_begin', 'web_search_end', 'patch_apply_begin', 'patch_apply_end', 'view_image_tool_call']);
/** What leaves an open turn open. */
const speech: ReadonlySet<string> = new Set(['user_message', 'agent_message']);

/**
 * Tells, line by line in order, which lines of a legacy rollout in which events speak change nothing that summaries of turns show. Lines between two that it sees may be missing
 * only before the first. It errs towards playing: whether a turn is open it believes only after a line that surely opened one, and until any that may have ended it.
 */
export class CodexSummaryFilter {
  #isInTurn = false;

  /** Whether the line can be passed over. */
  skips(line: SummaryLine): boolean {
    const [, type = '', inner = '', role] = envelope.exec(line.head) ?? [];
    const isQuiet = quietTypes.has(type) || quiet[type]?.has(inner) === true || (inner === 'message' && role === 'assistant' && type === 'response_item');
    const isQuietHere = isQuiet || (this.#isInTurn && type === 'event_msg' && quietInTurn.has(inner));
    const isOne = line.isOneRecord();
    this.#isInTurn = isOne && this.#staysInTurn(line, { type, inner, isQuiet: isQuietHere });
    return isOne && isQuietHere;
  }

  #staysInTurn({ text }: SummaryLine, { type, inner, isQuiet }: { type: string; inner: string; isQuiet: boolean }): boolean {
    if (type === 'event_msg' && (inner === 'task_started' || inner === 'turn_started')) return opensTurn(text());
    return this.#isInTurn && (isQuiet || (type === 'event_msg' && speech.has(inner)) || (type === 'response_item' && inner === 'message'));
  }
}

/** Surely: a text with escapes may be one that the original cannot read. */
function opensTurn(text: string | undefined): boolean {
  return text !== undefined && !text.includes('\\u') && isCodexTurnStart(text);
}
