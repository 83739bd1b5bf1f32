import type { TranscriptInteraction } from '../model/entities.js';
import type { Anchor, StoredState } from '../state/agent-state.js';
import type { EntityMap } from '../state/entity-map.js';
import type { KeyedList } from '../state/keyed-list.js';
import { isSameValue } from '../state/same-value.js';
import type { ItemsRemoveOp } from './operation.js';
import type { Reduced } from './result.js';

/** The map with an entity in the place of the one of its id; the same map where that says the same. */
export function upserted<T extends object>(map: EntityMap<T>, id: string, entity: T): EntityMap<T> {
  return isSameValue(map.get(id), entity) ? map : map.with(entity);
}

function withoutAnchor(anchors: KeyedList<Anchor>, { toolCallId, interactionId }: TranscriptInteraction): KeyedList<Anchor> {
  const anchor = toolCallId === undefined ? undefined : anchors.get(toolCallId);
  if (!anchor) return anchors;
  const interactionIds = anchor.interactionIds.filter((id) => id !== interactionId);
  return interactionIds.length ? anchors.with({ toolCallId: anchor.toolCallId, interactionIds }) : anchors.without(anchors.positionOf(anchor.toolCallId));
}

function withAnchor(anchors: KeyedList<Anchor>, { toolCallId, interactionId }: TranscriptInteraction): KeyedList<Anchor> {
  return toolCallId === undefined ? anchors : anchors.with({ toolCallId, interactionIds: [...(anchors.get(toolCallId)?.interactionIds ?? []), interactionId] });
}

export function applyInteraction(state: StoredState, interaction: TranscriptInteraction): StoredState {
  const { interactionId } = interaction;
  const known = state.interactions.get(interactionId);
  if (isSameValue(known, interaction)) return state;
  const hasMoved = known?.toolCallId !== interaction.toolCallId;
  return state.with({
    interactions: state.interactions.with(interaction),
    pendingInteractions: interaction.state === 'pending' ? state.pendingInteractions.with(interactionId) : state.pendingInteractions.without(interactionId),
    anchors: hasMoved ? withAnchor(known ? withoutAnchor(state.anchors, known) : state.anchors, interaction) : state.anchors,
  });
}

function withoutInteraction(state: StoredState, interactionId: string): StoredState {
  const known = state.interactions.get(interactionId);
  return known ? state.with({ interactions: state.interactions.without(interactionId), pendingInteractions: state.pendingInteractions.without(interactionId), anchors: withoutAnchor(state.anchors, known) }) : state;
}

/** Removes items; with a turn go the interactions of its calls, and with the operation those it names. */
export function applyRemoval(state: StoredState, op: ItemsRemoveOp): Reduced {
  const calls = op.ids.flatMap((id) => state.timeline.turn(id)?.toolCallIds() ?? []);
  const anchored = calls.flatMap((toolCallId) => state.anchors.get(toolCallId)?.interactionIds ?? []);
  const removed = [...new Set([...anchored, ...(op.interactionIds ?? [])])].filter((id) => state.interactions.has(id));
  const timeline = op.ids.reduce((left, id) => left.without(id), state.timeline);
  const withoutItems = timeline === state.timeline ? state : state.with({ timeline });
  return { next: removed.reduce(withoutInteraction, withoutItems), removedInteractions: removed };
}
