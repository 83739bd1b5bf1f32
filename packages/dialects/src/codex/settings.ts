import type { JsonObject, ThreadDetails } from '@tapefold/facts';
import { type Shape, misfit, numberAt, objectAt, present, stringAt } from '../shape.js';
import { markOf } from '../id-table.js';
import type { Pen } from './pen.js';
import type { CodexRecord } from './state.js';
import { currentTurn } from './turns.js';

/** What is said of the thread itself; only what is new becomes a fact. */
export function changeDetails(pen: Pen, record: CodexRecord, details: ThreadDetails): void {
  const known = pen.state.details;
  const news = Object.entries(details).filter(([key, value]) => value !== undefined && known[key] !== markOf(JSON.stringify(value)));
  if (!news.length) return;
  for (const [key, value] of news) known[key] = markOf(JSON.stringify(value));
  pen.write(present({ type: 'thread.changed' as const, at: record.at, details: Object.fromEntries(news) as ThreadDetails }));
}

const contextShape: Shape = { cwd: 'string', model: 'string', approval_policy: 'any' };

/** Sandbox policies of 2025 (`{mode}`) and collaboration modes of early 2026 (without `settings`) are ones that today's program cannot read, and with them the record. */
export function isReadableTurnContext(context: JsonObject): boolean {
  const policy = objectAt(context, 'sandbox_policy');
  const mode = objectAt(context, 'collaboration_mode');
  const hasOldPart = (policy !== undefined && stringAt(policy, 'type') === undefined) || (mode !== undefined && objectAt(mode, 'settings') === undefined);
  return !hasOldPart && misfit(context, contextShape) === undefined;
}

/** `turn_context`: what the next request is made with. Model and effort also describe the thread, the latest winning. */
export function playTurnContext(pen: Pen, record: CodexRecord): void {
  const { payload } = record;
  const model = stringAt(payload, 'model');
  const effort = stringAt(payload, 'effort');
  pen.write(present({
    type: 'context.configured' as const, at: record.at, turn: currentTurn(pen.state)?.key, cwd: stringAt(payload, 'cwd'), model, effort, approvalPolicy: payload['approval_policy'] ?? undefined,
    sandboxPolicy: payload['sandbox_policy'] ?? undefined, instructions: stringAt(payload, 'user_instructions'), native: pen.native(record, payload),
  }));
  if (isReadableTurnContext(payload)) changeDetails(pen, record, present({ model, effort }));
}

/** `thread_settings_applied`: written when a thread is opened or its settings change. */
export function playSettings(pen: Pen, record: CodexRecord): void {
  const settings = objectAt(record.payload, 'thread_settings') ?? {};
  const mode = objectAt(objectAt(settings, 'collaboration_mode') ?? {}, 'settings') ?? {};
  changeDetails(pen, record, present({ model: stringAt(settings, 'model'), effort: stringAt(mode, 'reasoning_effort') ?? stringAt(settings, 'reasoning_effort') }));
}

/** `thread_goal_updated`: also what a thread without a prompt is called in lists. */
export function playGoal(pen: Pen, record: CodexRecord): void {
  const goal = objectAt(record.payload, 'goal');
  if (!goal) return void pen.write(present({ type: 'goal.cleared' as const, at: record.at }));
  pen.write(present({
    type: 'goal.set' as const, at: record.at, objective: stringAt(goal, 'objective'), status: stringAt(goal, 'status'), budgetUsed: numberAt(goal, 'tokensUsed') ?? numberAt(goal, 'tokens_used'),
    budgetLimit: numberAt(goal, 'tokenBudget') ?? numberAt(goal, 'token_budget'),
  }));
  changeDetails(pen, record, present({ goal: stringAt(goal, 'objective') }));
}

function usageOf(from: JsonObject | undefined): Record<string, number> {
  const usage = from ?? {};
  return present({
    inputTokens: numberAt(usage, 'input_tokens'), cachedInputTokens: numberAt(usage, 'cached_input_tokens'), cacheWriteTokens: numberAt(usage, 'cache_write_input_tokens'),
    outputTokens: numberAt(usage, 'output_tokens'), reasoningTokens: numberAt(usage, 'reasoning_output_tokens'), totalTokens: numberAt(usage, 'total_tokens'),
  });
}

/** `token_count`: the last response and the thread so far. One without `info` says nothing. */
export function playTokenCount(pen: Pen, record: CodexRecord): void {
  const info = objectAt(record.payload, 'info');
  if (!info) return;
  const { state } = pen;
  const total = usageOf(objectAt(info, 'total_token_usage'));
  const sum = JSON.stringify(total);
  const isCounted = state.hasUsageRecords || sum === state.lastTotal;
  state.lastTotal = sum;
  pen.write(present({
    type: 'usage.recorded' as const, at: record.at, turn: currentTurn(state)?.key, usage: isCounted ? undefined : usageOf(objectAt(info, 'last_token_usage')), total,
    contextWindow: numberAt(info, 'model_context_window'), rateLimits: record.payload['rate_limits'] ?? undefined,
  }));
}

/** `token_usage_record`: one response, by its id. */
export function playUsageRecord(pen: Pen, record: CodexRecord): void {
  pen.state.hasUsageRecords = true;
  pen.write(present({
    type: 'usage.recorded' as const, at: record.at, turn: currentTurn(pen.state)?.key, responseId: stringAt(record.payload, 'response_id'), usage: usageOf(objectAt(record.payload, 'usage')),
    total: usageOf(objectAt(record.payload, 'thread_token_usage')),
  }));
}

/** `realtime_item`: what an agent kept of a spoken session, shown only by the timeline. */
export function playRealtime(pen: Pen, record: CodexRecord): void {
  const { payload } = record;
  pen.write(present({
    type: 'realtime.recorded' as const, at: record.at, id: stringAt(payload, 'id') ?? '', sessionId: stringAt(payload, 'realtime_session_id'), kind: stringAt(payload, 'type') ?? '',
    role: stringAt(payload, 'role'), text: stringAt(payload, 'text'), observedAtMs: numberAt(payload, 'observed_at_ms'), raw: payload,
  }));
}

const levels = { warning: 'warning', error: 'error', stream_error: 'warning', background_event: 'info', deprecation_notice: 'warning' } as const;

/** Events that only tell the person something. Returns whether this is one. */
export function playNotice(pen: Pen, record: CodexRecord, type: string): boolean {
  const level = Object.hasOwn(levels, type) ? levels[type as keyof typeof levels] : undefined;
  if (!level) return false;
  pen.write(present({
    type: 'notice.posted' as const, at: record.at, turn: currentTurn(pen.state)?.key, level, code: type, text: stringAt(record.payload, 'message') ?? '', details: record.payload['codex_error_info'] ?? undefined,
  }));
  return true;
}

const todoStatuses = { pending: 'pending', in_progress: 'inProgress', completed: 'completed' } as const;

/** The agent's list of things to do, from a `plan_update` event. */
export function playPlanUpdate(pen: Pen, record: CodexRecord): void {
  const steps = record.payload['plan'];
  const entries = (Array.isArray(steps) ? steps : []).flatMap((step) => {
    if (typeof step !== 'object' || step === null || Array.isArray(step)) return [];
    const status = stringAt(step, 'status') as keyof typeof todoStatuses;
    return [{ title: stringAt(step, 'step') ?? '', status: Object.hasOwn(todoStatuses, status) ? todoStatuses[status] : ('pending' as const) }];
  });
  pen.write(present({ type: 'todo.replaced' as const, at: record.at, turn: currentTurn(pen.state)?.key, explanation: stringAt(record.payload, 'explanation'), entries }));
}
