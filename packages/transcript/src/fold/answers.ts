import type { AgentDescriptor, TranscriptAttachment, TranscriptInteraction } from '../model/entities.js';
import type { ToolCallFrame } from '../model/frame.js';
import type { AgentId, TurnId } from '../model/ids.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { TranscriptTurn } from '../model/turn.js';
import { type TurnPageQuery, paginateTurns } from '../paging/paginate-turns.js';
import type { TranscriptPlanEntry, TranscriptPlanResponse, TranscriptPlanReview, TranscriptResponse, TranscriptUserMessage, TranscriptUserMessagesResponse } from '../wire/response-schemas.js';
import { PLAN_REVIEW, PLAN_TOOL } from './plans.js';
import { present } from './present.js';

/** An agent's settled transcript, as answers are made of it. */
export interface AnsweredAgent {
  readonly agentId: AgentId;
  readonly snapshot: AgentTranscriptSnapshot;
  /** A mode was told of: an answer has `modes`, though none be on. */
  readonly hasModes: boolean;
}

/** A page of turns with all entities and the meta, as `GET …/transcript` gives it under `data`. Pure; never throws. */
export function transcriptAnswer({ agentId, snapshot, hasModes }: AnsweredAgent, of: { readonly page: TurnPageQuery; readonly agents: readonly AgentDescriptor[] }): TranscriptResponse {
  const { items, hasMore } = paginateTurns(snapshot.items, of.page);
  const { tasks, interactions, attachments, todos, prompts, meta } = snapshot;
  const pending = interactions.filter(({ state }) => state === 'pending').map(({ interactionId }) => interactionId);
  const { tower, ...modes } = meta.modes ?? {};
  const isEmpty = Object.keys(modes).length === 0;
  // The original shows a tower only where its host has the feature, which no record tells; without it nothing is left of modes that held nothing else.
  const shownModes = isEmpty && (tower || !hasModes) ? undefined : modes;
  const answer = {
    agent_id: agentId, items, has_more: hasMore, tasks, interactions, attachments, todos, prompts, meta: present({ ...meta, modes: shownModes }), agents: of.agents, pending_interactions: pending,
  };
  // The model's types are read-only, the wire's are what zod infers: the same values.
  return answer as unknown as TranscriptResponse;
}

function messageOf(turn: TranscriptTurn): TranscriptUserMessage[] {
  const { turnId, ordinal, state, origin, prompt, attachmentIds, startedAt } = turn;
  if (prompt === undefined && !attachmentIds?.length) return [];
  return [present({ turn_id: turnId, ordinal, state, origin, prompt: prompt ?? '', attachment_ids: attachmentIds && [...attachmentIds], started_at: startedAt }) as TranscriptUserMessage];
}

/** What a person said to each agent, by turn, as `GET …/transcript/user-messages` gives it under `data`. */
export function userMessagesAnswer(agents: readonly AnsweredAgent[]): TranscriptUserMessagesResponse {
  return {
    agents: agents.map(({ agentId, snapshot }) => {
      const messages = snapshot.items.flatMap((item) => (item.kind === 'turn' ? messageOf(item) : []));
      const named = new Set(messages.flatMap(({ attachment_ids: ids = [] }) => ids));
      return { agent_id: agentId, messages, attachments: snapshot.attachments.filter(({ attachmentId }: TranscriptAttachment) => named.has(attachmentId)) as TranscriptUserMessagesResponse['agents'][number]['attachments'] };
    }),
  };
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);


interface PlanText { readonly plan: string; readonly path?: string | undefined; readonly options?: TranscriptPlanEntry['options'] }

function optionsOf(value: unknown): TranscriptPlanEntry['options'] {
  if (!Array.isArray(value)) return undefined;
  const options = value.map(fieldsOf).flatMap((option) => {
    const label = textOf(option['label']);
    return label === undefined ? [] : [present({ label, description: typeof option['description'] === 'string' ? option['description'] : undefined })];
  });
  return options.length ? options : undefined;
}

/** A plan as it is displayed for review; a blank one is none. */
function displayedPlan(display: unknown): PlanText | undefined {
  const { kind, plan, path, options } = fieldsOf(display);
  if (kind !== PLAN_REVIEW || typeof plan !== 'string' || plan.trim() === '') return undefined;
  return present({ plan, path: typeof path === 'string' ? path : undefined, options: optionsOf(options) });
}

const SAVED_TO = 'Plan saved to: ';
/** Headings behind which a result repeats the plan. */
const planHeadings = ['## Approved Plan:\n', '## Plan (auto-approved, not user-reviewed):\n'] as const;

function writtenPlan(output: unknown): PlanText | undefined {
  if (typeof output !== 'string') return undefined;
  const heading = planHeadings.find((each) => output.includes(each));
  const plan = heading === undefined ? '' : output.slice(output.indexOf(heading) + heading.length);
  if (plan.trim() === '') return undefined;
  return present({ plan, path: textOf(output.split('\n').find((line) => line.startsWith(SAVED_TO))?.slice(SAVED_TO.length)) });
}

function reviewOf({ state, response }: TranscriptInteraction): TranscriptPlanReview | undefined {
  if (state === 'answered' || state === 'dismissed') return undefined;
  const { selectedLabel, feedback } = fieldsOf(response);
  return present({ state, selected_option: textOf(selectedLabel), feedback: textOf(feedback) });
}

function planOf(frame: ToolCallFrame, of: { readonly turnId: TurnId; readonly approval: TranscriptInteraction | undefined }): TranscriptPlanEntry | undefined {
  const asked = displayedPlan(fieldsOf(of.approval?.request)['display']);
  const shown = asked ?? displayedPlan(frame.display);
  const found = shown ?? writtenPlan(frame.output);
  if (!found) return undefined;
  const source = asked ? 'interaction' : shown ? 'display' : 'output';
  return present<TranscriptPlanEntry>({ tool_call_id: frame.toolCallId, turn_id: of.turnId, source, ...found, review: of.approval && reviewOf(of.approval) });
}

/** Plans that were put before a person, in the order of the timeline, as `GET …/transcript/plan` gives them under `data`. `toolCallId`: that one alone. */
export function plansAnswer({ agentId, snapshot }: Pick<AnsweredAgent, 'agentId' | 'snapshot'>, toolCallId?: string): TranscriptPlanResponse {
  const approvals = new Map<string, TranscriptInteraction>();
  for (const each of snapshot.interactions) if (each.interactionKind === 'approval' && each.toolCallId !== undefined && !approvals.has(each.toolCallId)) approvals.set(each.toolCallId, each);
  const turns = snapshot.items.filter((item): item is TranscriptTurn => item.kind === 'turn');
  const plans = turns.flatMap(({ turnId, steps }) => steps.flatMap(({ frames }) => frames.flatMap((frame): TranscriptPlanEntry[] => {
    if (frame.kind !== 'tool' || (toolCallId !== undefined && frame.toolCallId !== toolCallId)) return [];
    if (frame.name !== PLAN_TOOL && fieldsOf(frame.display)['kind'] !== PLAN_REVIEW) return [];
    return [planOf(frame, { turnId, approval: approvals.get(frame.toolCallId) })].filter((plan) => plan !== undefined);
  })));
  return { agent_id: agentId, plans };
}
