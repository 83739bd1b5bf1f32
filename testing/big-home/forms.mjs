// @ts-check
/** @import { RolloutFile } from './rollout-file.mjs' */

/**
 * How the two generations of files tell a person what happened, beside the model's history that both hold alike.
 * @typedef {object} Form
 * @property {(file: RolloutFile, said: { id: string, text: string, imageUrl?: string | undefined }) => void} input
 * @property {(file: RolloutFile, said: { id: string, text: string, phase: string }) => void} message
 * @property {(file: RolloutFile, thought: { id: string, text: string }) => void} reasoning
 * @property {(file: RolloutFile, call: { id: string, end: object }) => void} command
 * @property {(file: RolloutFile, call: { id: string, changes: object, stdout: string }) => void} patch
 * @property {(file: RolloutFile, call: { id: string, server: string, tool: string, args: object, content: object[], duration: object }) => void} tool
 * @property {(file: RolloutFile, call: { id: string, query: string, action: object }) => void} search
 * @property {(file: RolloutFile, made: { id: string }) => void} compaction
 */

/** @param {{ turnId: string }} open @returns {Form} */
export function legacyForm(open) {
  return {
    input: (file, { text, imageUrl }) => file.event('user_message', { message: text, images: imageUrl === undefined ? [] : [imageUrl], local_images: [], text_elements: [] }),
    message: (file, { text, phase }) => file.event('agent_message', { message: text, phase }),
    reasoning: (file, { text }) => file.event('agent_reasoning', { text }),
    command: (file, { id, end }) => file.event('exec_command_end', { call_id: id, turn_id: open.turnId, stdout: '', stderr: '', formatted_output: '', ...end }),
    patch: (file, { id, changes, stdout }) => file.event('patch_apply_end', { call_id: id, turn_id: open.turnId, stdout, stderr: '', success: true, changes, status: 'completed' }),
    tool: (file, { id, server, tool, args, content, duration }) =>
      file.event('mcp_tool_call_end', { call_id: id, invocation: { server, tool, arguments: args }, duration, result: { Ok: { content } } }),
    search: (file, { id, query, action }) => file.event('web_search_end', { call_id: id, query, action }),
    compaction: (file) => file.event('context_compacted'),
  };
}

/** @param {{ turnId: string }} open @returns {Form} */
export function paginatedForm(open) {
  /** @param {RolloutFile} file @param {object} item */
  const item = (file, item) =>
    file.event('item_completed', { thread_id: file.id, turn_id: open.turnId, item, started_at_ms: file.clockMs, completed_at_ms: file.clockMs + 7 });
  return {
    input: (file, { id, text, imageUrl }) => {
      const image = imageUrl === undefined ? [] : [{ type: 'image', image_url: imageUrl }];
      item(file, { type: 'UserMessage', id, content: [{ type: 'text', text, text_elements: [] }, ...image] });
    },
    message: (file, { id, text, phase }) => item(file, { type: 'AgentMessage', id, content: [{ type: 'Text', text }], phase }),
    reasoning: (file, { id, text }) => item(file, { type: 'Reasoning', id, summary_text: [text], raw_content: [] }),
    command: (file, { id, end }) => item(file, { type: 'CommandExecution', id, ...end }),
    patch: (file, { id, changes, stdout }) => item(file, { type: 'FileChange', id, changes, status: 'completed', auto_approved: true, stdout, stderr: '' }),
    tool: (file, { id, server, tool, args, content, duration }) =>
      item(file, { type: 'McpToolCall', id, server, tool, arguments: args, status: 'completed', result: { content }, duration }),
    search: (file, { id, query, action }) => item(file, { type: 'WebSearch', id, query, action }),
    compaction: (file, { id }) => item(file, { type: 'ContextCompaction', id }),
  };
}
