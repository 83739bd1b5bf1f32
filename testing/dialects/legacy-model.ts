import { type Fact, type FactKey, factKey } from '@tapefold/facts';
import type { CodexRecordLine } from './codex-records.js';

/*
 * What the original program makes of a legacy file, written once more and as slowly and plainly as it goes, from the specification (codex-history.md §3, §5)
 * alone: turns, ids of items, what a rollback drops. The player is held against it.
 */

export interface ModelTurn {
  readonly id: string;
  readonly items: string[];
}
export interface LegacyView {
  readonly turns: ModelTurn[];
  /** Ids of the turns that each rollback dropped. */
  readonly dropped: string[][];
}

interface OpenTurn extends ModelTurn {
  readonly isExplicit: boolean;
  /** Kind of each item, to know a reasoning that goes on. */
  readonly kinds: string[];
}

type Fields = Readonly<Record<string, unknown>>;

const numberedEvents: Readonly<Record<string, string>> = {
  context_compacted: 'compaction', entered_review_mode: 'review', exited_review_mode: 'review',
};
const namedEvents = new Set(['patch_apply_end', 'mcp_tool_call_end', 'web_search_end', 'image_generation_end', 'sub_agent_activity']);
const otherKept = new Set(['token_count', 'thread_settings_applied', 'thread_goal_updated', 'thread_rolled_back', 'task_started', 'turn_started', 'task_complete', 'turn_complete', 'turn_aborted', 'user_message', 'agent_reasoning', 'agent_reasoning_raw_content']);
const keptTypes = new Set(['session_meta', 'response_item', 'turn_context', 'compacted', 'world_state', 'inter_agent_communication', 'token_usage_record']);

/** Whether the original reads and keeps the record, and so numbers it. Knows the records that the generator makes, no others. */
function isKept(record: CodexRecordLine): boolean {
  const payload = record['payload'] as Fields;
  if (record['type'] !== 'event_msg') return keptTypes.has(record['type'] as string);
  const type = payload['type'] as string;
  if (type === 'agent_message') return typeof payload['message'] === 'string' && payload['phase'] !== 'weird';
  if (type === 'item_completed') return (payload['item'] as Fields)['type'] === 'Plan';
  return otherKept.has(type) || namedEvents.has(type) || Object.hasOwn(numberedEvents, type);
}

class LegacyModel {
  readonly dropped: string[][] = [];
  closed: OpenTurn[] = [];
  current: OpenTurn | undefined;
  nextItem = 1;
  index = 0;

  close(): void {
    if (this.current) this.closed.push(this.current);
    this.current = undefined;
  }

  ensure(): OpenTurn {
    this.current ??= { id: `rollout-${this.index}`, isExplicit: false, items: [], kinds: [] };
    return this.current;
  }

  addNumbered(kind: string): void {
    const turn = this.ensure();
    turn.items.push(`item-${this.nextItem}`);
    turn.kinds.push(kind);
    this.nextItem += 1;
  }

  addNamed(id: string, turnId: string | undefined): void {
    const turn = turnId === undefined ? this.ensure() : this.turnOf(turnId);
    if (!turn || turn.items.includes(id)) return;
    turn.items.push(id);
    turn.kinds.push('named');
  }

  /** The open turn if it has the id, else the first closed one that has it. */
  turnOf(id: string): OpenTurn | undefined {
    return this.current?.id === id ? this.current : this.closed.find((turn) => turn.id === id);
  }

  end(id: string | undefined): void {
    const turn = id === undefined ? undefined : this.turnOf(id);
    if (!turn || turn === this.current) this.close();
  }

  rollBack(count: number): void {
    this.close();
    const from = Math.max(0, this.closed.length - count);
    const gone = this.closed.slice(from);
    this.closed = this.closed.slice(0, from);
    if (count > 0) this.dropped.push(gone.map((turn) => turn.id));
    this.nextItem = this.closed.reduce((sum, turn) => sum + turn.items.length, 0) + 1;
  }

  event(type: string, payload: Fields): void {
    const turnId = typeof payload['turn_id'] === 'string' ? payload['turn_id'] : undefined;
    if (type === 'task_started' || type === 'turn_started') {
      this.close();
      this.current = { id: turnId ?? '', isExplicit: true, items: [], kinds: [] };
    } else if (type === 'task_complete' || type === 'turn_aborted') this.end(turnId);
    else if (type === 'user_message') {
      if (this.current && !this.current.isExplicit && this.current.items.length) this.close();
      this.addNumbered('user');
    } else if (type === 'agent_message') {
      if (payload['message'] !== '') this.addNumbered('agent');
    } else if (type.startsWith('agent_reasoning')) {
      if (payload['text'] !== '' && this.current?.kinds.at(-1) !== 'reasoning') this.addNumbered('reasoning');
    } else if (type === 'thread_rolled_back') this.rollBack(payload['num_turns'] as number);
    else if (type === 'item_completed') this.addNamed((payload['item'] as Fields)['id'] as string, turnId);
    else if (namedEvents.has(type)) this.addNamed((payload['call_id'] ?? payload['event_id']) as string, turnId);
    else if (Object.hasOwn(numberedEvents, type)) this.addNumbered(numberedEvents[type] ?? '');
  }

  record(record: CodexRecordLine): void {
    if (!isKept(record)) return;
    if (record['type'] === 'compacted') this.ensure();
    const payload = record['payload'] as Fields;
    if (record['type'] === 'event_msg') this.event(payload['type'] as string, payload);
    this.index += 1;
  }
}

/** What the original shows of a legacy file. */
export function legacyModel(records: readonly CodexRecordLine[]): LegacyView {
  const model = new LegacyModel();
  for (const record of records) model.record(record);
  model.close();
  return { turns: model.closed.map(({ id, items }) => ({ id, items })), dropped: model.dropped };
}

/** What the facts show of a file, as far as the original shows it: added items and inputs are left out. */
export function viewOfFacts(facts: readonly Fact[]): LegacyView {
  const turns = new Map<FactKey, ModelTurn>();
  const dropped: string[][] = [];
  const add = (turn: FactKey | undefined, id: string): void => {
    const items = turns.get(turn ?? '')?.items;
    if (items && !items.includes(id)) items.push(id);
  };
  for (const fact of facts) {
    if (fact.type === 'turn.started') turns.set(factKey(fact.tape, fact.ordinal), { id: fact.id, items: [] });
    else if ((fact.type === 'item.started' || fact.type === 'item.completed' || fact.type === 'input.received') && !fact.isAdded) add(fact.turn, fact.id);
    else if (fact.type === 'history.superseded') {
      if (fact.reason === 'rollback') dropped.push(fact.turns.map((key) => turns.get(key)?.id ?? '(gone)'));
      for (const key of fact.turns) turns.delete(key);
    }
  }
  return { turns: [...turns.values()], dropped };
}
