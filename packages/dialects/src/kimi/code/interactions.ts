import type { JsonObject, LineVerdict } from '@tapefold/facts';
import { isJsonObject } from '@tapefold/facts';
import { lookUp, put, remove } from '../../id-table.js';
import { objectAt, present, stringAt } from '../../shape.js';
import { type Play, refs, runningTurn, sayWord } from './play.js';

/* What the agent asked a person: approvals and questions, and tools that the client runs. */

const kinds = { approval: 'approval', question: 'question', user_tool: 'tool' } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** The call's turn and step where the call is known, else the running turn. */
function placeOf(play: Play, call: string | undefined) {
  const known = call === undefined ? undefined : lookUp(play.state.calls, call);
  return known ? refs(play, { step: known.step }) : runningTurn(play);
}

export function playRequest(play: Play): LineVerdict {
  const { raw, state } = play;
  const id = stringAt(raw, 'id');
  const kind = stringAt(raw, 'kind') ?? '';
  const request = raw['request'] ?? null;
  if (id === undefined || !Object.hasOwn(kinds, kind)) return 'unknown';
  const call = stringAt(raw, 'toolCallId') ?? (isJsonObject(request) ? stringAt(request, 'toolCallId') : undefined);
  const key = sayWord(play, present({ type: 'interaction.requested' as const, ...placeOf(play, call), call, id, kind: kinds[kind as keyof typeof kinds], request }));
  put(state.interactions, id, present({ key, kind: kinds[kind as keyof typeof kinds], call }));
  return 'played';
}

const decisions = { approved: 'approved', rejected: 'rejected', cancelled: 'cancelled' } as const;

function outcomeOf(kind: Kind, raw: JsonObject) {
  const { response } = raw;
  if (kind !== 'approval') return response === null ? ('dismissed' as const) : ('answered' as const);
  const decision = isJsonObject(response) ? stringAt(response, 'decision') ?? '' : '';
  return Object.hasOwn(decisions, decision) ? decisions[decision as keyof typeof decisions] : ('cancelled' as const);
}

/** A refused call did not run: its error is the refusal. */
function noteDecision(play: Play, call: string | undefined, isRefused: boolean): void {
  const { state } = play;
  if (call === undefined) return;
  state.refused = state.refused.filter((id) => id !== call);
  if (isRefused) state.refused.push(call);
}

export function playResolved(play: Play): LineVerdict {
  const { raw, state } = play;
  const id = stringAt(raw, 'id') ?? '';
  const asked = lookUp(state.interactions, id);
  if (!asked) return 'ignored';
  const outcome = outcomeOf(asked.kind, raw);
  noteDecision(play, asked.call, outcome === 'rejected');
  remove(state.interactions, id);
  sayWord(play, present({ type: 'interaction.resolved' as const, ...placeOf(play, asked.call), call: asked.call, id, request: asked.key, outcome, response: raw['response'] }));
  return 'played';
}

/** `permission.record_approval_result`: the only word of an approval in older files; what was asked they do not say. */
export function playApproval(play: Play): LineVerdict {
  const result = objectAt(play.raw, 'result') ?? {};
  noteDecision(play, stringAt(play.raw, 'toolCallId'), stringAt(result, 'decision') === 'rejected');
  return 'played';
}
