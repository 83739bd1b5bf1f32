import { type AgentTranscriptSnapshot, type TranscriptItem, type TranscriptOperation, type TranscriptTurn, turnId, turnOrdinal } from '@tapefold/transcript';

/** Ordinal of the oldest turn that a baseline holds; -Infinity where it holds all, Infinity where older turns exist and it holds none. */
export function firstTurnOf(snapshot: AgentTranscriptSnapshot): number {
  if (snapshot.hasMoreOlder !== true) return -Infinity;
  const first = snapshot.items.find((item) => item.kind === 'turn');
  return first === undefined ? Infinity : turnOrdinal(first.turnId);
}

/** Where the loaded turns begin after a removal: a turn that is gone just before them makes room for another of its number, which is then one of theirs. */
export function firstTurnWithout(ids: readonly string[], firstTurn: number): number {
  const gone = new Set(ids);
  let first = firstTurn;
  while (first > 0 && first < Infinity && gone.has(turnId(first - 1))) first -= 1;
  return first;
}

/** An item placed before the oldest loaded turn stands behind a turn that is not loaded, and comes with that one's page. */
const isPlacedOutside = (beforeTurn: number | undefined, firstTurn: number): boolean => (beforeTurn === undefined ? firstTurn === Infinity : beforeTurn <= firstTurn);

/** Where an operation belongs: among what is loaded, among the turns that are not, or (a removal) in both. */
export function sideOf(op: TranscriptOperation, firstTurn: number): 'loaded' | 'unloaded' | 'both' {
  if (firstTurn === -Infinity) return 'loaded';
  const ofTurn = (id: string): 'loaded' | 'unloaded' => (turnOrdinal(id) < firstTurn ? 'unloaded' : 'loaded');
  switch (op.op) {
    case 'turn.upsert': return op.turn.ordinal < firstTurn ? 'unloaded' : 'loaded';
    case 'step.upsert':
    case 'frame.upsert': return ofTurn(op.turnId);
    case 'append': return op.target.type === 'frame' ? ofTurn(op.target.turnId) : 'loaded';
    case 'marker.upsert':
    case 'taskref.upsert': return isPlacedOutside(op.beforeTurn, firstTurn) ? 'unloaded' : 'loaded';
    case 'items.remove': return 'both';
    case 'reset':
    case 'task.upsert':
    case 'interaction.upsert':
    case 'attachment.upsert':
    case 'todo.upsert':
    case 'prompt.upsert':
    case 'meta.merge': return 'loaded';
  }
}

/** At grade `turn` a reader has no steps, wherever the turn came from. */
function turnOps(turn: TranscriptTurn, hasSteps: boolean): readonly TranscriptOperation[] {
  const { steps: recorded, ...header } = turn;
  const steps = hasSteps ? recorded : [];
  return [
    { op: 'turn.upsert', turn: header },
    ...steps.flatMap(({ frames, ...step }): TranscriptOperation[] => [
      { op: 'step.upsert', turnId: turn.turnId, step },
      ...frames.map((frame): TranscriptOperation => ({ op: 'frame.upsert', turnId: turn.turnId, stepId: step.stepId, frame })),
    ]),
  ];
}

/**
 * A page of older items, oldest first, as operations on what is loaded from `firstTurn` on. A turn that is loaded already is left out: the live
 * connection knows it better.
 */
export function pageOps(items: readonly TranscriptItem[], { firstTurn, hasSteps }: { readonly firstTurn: number; readonly hasSteps: boolean }): readonly TranscriptOperation[] {
  let next = firstTurn === Infinity ? undefined : firstTurn;
  const groups: (readonly TranscriptOperation[])[] = [];
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item === undefined) continue;
    if (item.kind === 'turn') {
      if (item.ordinal >= firstTurn) return pageOps(items.slice(0, at), { firstTurn, hasSteps });
      groups.push(turnOps(item, hasSteps));
      next = item.ordinal;
    } else groups.push([item.kind === 'marker' ? { op: 'marker.upsert', item, beforeTurn: next } : { op: 'taskref.upsert', item, beforeTurn: next }]);
  }
  return groups.reverse().flat();
}
