import type { CallItem, RequestItem } from '../normalise/request-item.js';
import { safeId } from './parts.js';

/** What one side says in a row. A round of the model's ends with the results of all its calls. */
export interface Round {
  readonly side: 'model' | 'other';
  readonly items: readonly RequestItem[];
  readonly results: readonly RequestItem[];
}

/** What the model itself said. */
function isOfModel({ item }: RequestItem): boolean {
  switch (item.kind) {
    case 'message': return item.role === 'assistant';
    case 'reasoning': case 'call': case 'other': return true;
    case 'result': case 'agentMessage': case 'media': case 'summary': case 'compaction': return false;
    default: return false;
  }
}

function resultsByCall(items: readonly RequestItem[]): Map<CallItem, { readonly result: RequestItem; readonly at: number }> {
  return new Map(items.flatMap((result, at) => (result.answers ? [[result.answers, { result, at }] as const] : [])));
}

/**
 * The history as an exchange: what the model said up to the point where a result or somebody else's word comes in, then the results of its calls in the
 * order of the history (also those that came later), then the others. Rounds of one side may follow each other only where results stand between.
 */
export function roundsOf(items: readonly RequestItem[]): Round[] {
  const results = resultsByCall(items);
  const rounds: Round[] = [];
  let open: RequestItem[] = [];
  let side: Round['side'] = 'other';
  const close = (): void => {
    const found = open.flatMap(({ item }) => (item.kind === 'call' ? results.get(item) ?? [] : [])).sort((a, b) => a.at - b.at);
    if (open.length) rounds.push({ side, items: open, results: side === 'model' ? found.map(({ result }) => result) : [] });
    open = [];
  };
  for (const one of items) {
    if (one.item.kind === 'result') {
      // What was made up came at no time: calls of one answer stay together.
      if (side === 'model' && one.entry) close();
      continue;
    }
    const next = isOfModel(one) ? 'model' : 'other';
    if (next !== side) close();
    side = next;
    open.push(one);
  }
  close();
  return rounds;
}

/** An id for each call: its own in the form that the provider takes, or one made of it where another call has that already. */
export function callIds(items: readonly RequestItem[], form: (id: string) => string = safeId): Map<CallItem, string> {
  const used = new Set<string>();
  const ids = new Map<CallItem, string>();
  for (const { item, entry } of items) {
    if (item.kind !== 'call') continue;
    const own = form(item.callId ?? `call_${entry?.key ?? ''}`);
    let id = own;
    for (let n = 2; used.has(id); n += 1) id = `${own}-${n}`;
    used.add(id);
    ids.set(item, id);
  }
  return ids;
}
