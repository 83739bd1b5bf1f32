/** UTF-16 units of a line by which `canCodexSummarySkip` judges: the envelope and the first fields of the payload. */
export const SUMMARY_HEAD_CHARS = 160;

/** Records that open no turn, end none and say nothing of a person or of the agent: calls, their outputs, thoughts for the model, counts, settings. */
const quietRecord = new RegExp([
  String.raw`^\{"timestamp":"[^"\\]*","type":(?:`,
  String.raw`"response_item","payload":\{"type":"(?:reasoning|function_call|function_call_output|custom_tool_call|custom_tool_call_output|local_shell_call|web_search_call|message","role":"assistant)"[,}]`,
  String.raw`|"event_msg","payload":\{"type":"(?:token_count|exec_command_begin|exec_command_end|exec_command_output_delta|turn_diff)"[,}]`,
  String.raw`|"(?:turn_context|world_state|token_usage_record)","payload":\{)`,
].join(''));

/**
 * Whether a line of a legacy rollout in which events speak changes nothing that the summaries of turns show, by its beginning, as today's writers put it
 * (any other form is never skipped). Holds for a line that is one record: one on which a second record is glued must be played.
 */
export function canCodexSummarySkip(head: string): boolean {
  return quietRecord.test(head);
}
