import type { Fact, FactType } from '@tapefold/facts';

/** Facts that change nothing of a transcript. */
const silent: ReadonlySet<FactType> = new Set<FactType>([
  'thread.based', 'thread.linked', 'agent.disposed', 'media.referenced', 'context.cleared', 'realtime.recorded', 'record.unknown', 'record.damaged', 'record.repaired', 'history.superseded', 'history.restored', 'turn.replaced',
]);

/** A line's place is of no use here. */
const nowhere = { offset: 0, length: 0 };

/**
 * What is kept of a fact in case the timeline must be laid anew; undefined for one that changes nothing of it. Of the model's history only calls and
 * answers, and of answers only that there was one.
 */
export function keptFact(fact: Fact): Fact | undefined {
  if (silent.has(fact.type)) return undefined;
  if (fact.type !== 'context.appended') return fact.line.length === 0 ? fact : { ...fact, line: nowhere };
  const { item, large: _, ...entry } = fact;
  if (item.kind === 'result') return { ...entry, line: nowhere, item: { kind: 'result', output: [] } };
  if (item.kind !== 'call') return undefined;
  const { native: _native, ...call } = item;
  return { ...entry, line: nowhere, item: call };
}
