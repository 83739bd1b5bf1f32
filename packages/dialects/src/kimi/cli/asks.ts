import type { JsonObject } from '@tapefold/facts';
import { lookUp, put, remove } from '../../id-table.js';
import { present, stringAt } from '../../shape.js';
import { type Play, type Played, here, say } from './play.js';

function without(payload: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
}

/** What asks and where: an approval and a question belong to a call of the model's. */
function ask(play: Play, kind: 'approval' | 'question' | 'tool'): { id: string; key: string; callId: string | undefined } {
  const { payload, state } = play;
  const id = stringAt(payload, 'id') ?? `${kind}.${state.nextOrdinal}`;
  const callId = stringAt(payload, 'tool_call_id');
  const call = callId === undefined ? undefined : lookUp(state.calls, callId);
  const own = call ? present({ turn: call.turn ?? undefined, step: call.step ?? undefined }) : here(play);
  return { id, callId, key: say(play, present({ type: 'interaction.requested' as const, ...own, call: callId, id, kind, request: without(payload, 'id') })) };
}

export function askApproval(play: Play): Played {
  const { id, key, callId } = ask(play, 'approval');
  put(play.state.approvals, id, { key, call: callId ?? null });
  return 'played';
}

const outcomes = { approve: 'approved', approve_for_session: 'approved', reject: 'rejected' } as const;

/** A call that was rejected is declined, whatever its result says. */
export function answerApproval(play: Play): Played {
  const { payload, state } = play;
  const id = stringAt(payload, 'request_id') ?? '';
  const request = lookUp(state.approvals, id);
  const response = stringAt(payload, 'response') ?? '';
  const outcome = Object.hasOwn(outcomes, response) ? outcomes[response as keyof typeof outcomes] : ('cancelled' as const);
  const callId = request?.call ?? undefined;
  const call = callId === undefined ? undefined : lookUp(state.calls, callId);
  if (call && outcome === 'rejected') call.isRejected = true;
  say(play, present({ type: 'interaction.resolved' as const, ...here(play), call: callId, id, request: request?.key, outcome, response: without(payload, 'request_id') }));
  remove(state.approvals, id);
  return 'played';
}

/** The answer to a question is the result of its call. */
export function askQuestion(play: Play): Played {
  const { id, key, callId } = ask(play, 'question');
  const call = callId === undefined ? undefined : lookUp(play.state.calls, callId);
  if (call) call.question = { id, key };
  return 'played';
}

/** A tool of the client's own is asked to run: it is answered by the result of the call of that id. */
export function askClient(play: Play): Played {
  const { id, key } = ask(play, 'tool');
  const call = lookUp(play.state.calls, id);
  if (call) call.question = { id, key };
  return 'played';
}
