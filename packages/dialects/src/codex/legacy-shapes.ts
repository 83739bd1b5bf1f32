import type { JsonObject } from '@tapefold/facts';
import { type Shape, misfit, objectAt, stringAt } from '../shape.js';

/**
 * Events that today's program keeps in legacy files, with what each needs to be readable. Only these are numbered (`rollout-<n>`); an event of any other
 * type, or of a wrong shape, it skips as if the line were not there.
 */
const phase = ['commentary', 'partial_answer', 'final_answer'];
const kept: Readonly<Record<string, Shape>> = {
  user_message: { message: 'string', 'images?': 'strings', 'local_images?': 'strings', 'text_elements?': 'list' },
  agent_message: { message: 'string', 'phase?': phase },
  agent_reasoning: { text: 'string' },
  agent_reasoning_raw_content: { text: 'string' },
  token_count: { 'info?': 'object' },
  thread_goal_updated: { goal: 'object' },
  thread_rolled_back: { num_turns: 'count' },
  turn_aborted: { 'turn_id?': 'string', reason: ['interrupted', 'replaced', 'review_ended', 'budget_limited'], 'completed_at?': 'integer' },
  task_started: { turn_id: 'string', 'started_at?': 'integer' },
  task_complete: { turn_id: 'string', 'completed_at?': 'integer' },
  thread_settings_applied: { thread_settings: 'object' },
  entered_review_mode: { target: 'any' },
  exited_review_mode: { 'review_output?': 'object' },
  patch_apply_end: { call_id: 'string', stdout: 'string', stderr: 'string', success: 'boolean', status: ['completed', 'failed', 'declined'], 'changes?': 'object' },
  context_compacted: {},
  mcp_tool_call_end: { call_id: 'string', invocation: 'object', duration: 'object', result: 'object' },
  web_search_end: { call_id: 'string', query: 'string', action: 'object' },
  image_generation_end: { call_id: 'string', status: 'string', result: 'string' },
  sub_agent_activity: { event_id: 'string', agent_thread_id: 'string', agent_path: 'string', kind: ['started', 'interacted', 'interrupted'] },
};

const keptItem: Shape = { turn_id: 'string' };

const aliases: Readonly<Record<string, string>> = { turn_started: 'task_started', turn_complete: 'task_complete' };

/** The event's name today. */
export function eventType(event: JsonObject): string {
  const type = stringAt(event, 'type') ?? '';
  return Object.hasOwn(aliases, type) ? (aliases[type] as string) : type;
}

/** The first wrong field of an event that is kept; undefined where it is readable; null where today's program keeps no such event. */
export function keptEventMisfit(event: JsonObject): string | undefined | null {
  const type = eventType(event);
  if (type === 'item_completed') return isKeptItem(event) ? misfit(event, keptItem) : null;
  return Object.hasOwn(kept, type) ? misfit(event, kept[type] as Shape) : null;
}

/** Of the items of paginated threads, a legacy file keeps those that no event tells. */
function isKeptItem(event: JsonObject): boolean {
  const item = objectAt(event, 'item') ?? {};
  switch (stringAt(item, 'type')) {
    case 'Plan': case 'FunctionCallOutput': return true;
    case 'SubAgentActivity': return stringAt(item, 'kind') === 'completed';
    case 'Extension': return stringAt(item, 'kind') === 'clock.sleep';
    default: return false;
  }
}
