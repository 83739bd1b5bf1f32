import type { FactKey, JsonValue, ModelItem } from '@tapefold/facts';
import { changeCallFrame } from './fold-items.js';
import type { CalledTool } from './frame-of.js';
import type { Folding } from './folding.js';

/** Calls that are remembered until an item shows them; more are never open at once. */
const CALL_LIMIT = 256;

/** Arguments as sent; a text that is no JSON stays a text. */
function inputOf({ form, input }: Extract<ModelItem, { kind: 'call' }>): JsonValue {
  if (form !== 'json') return input;
  try { return JSON.parse(input) as JsonValue; } catch { return input; }
}

/** Remembers what was called for the item that shows it; an item that stands already and does not say itself gets the name. */
export function nameCall(folding: Folding, { callId, shows, item }: { readonly callId: string | undefined; readonly shows: FactKey | undefined; readonly item: Extract<ModelItem, { kind: 'call' }> }): void {
  const shown = shows === undefined ? undefined : folding.itemsByKey.get(shows);
  if (shown?.source?.tool || callId === undefined) return;
  const called: CalledTool = { name: item.name, namespace: item.namespace, input: inputOf(item) };
  if (shown) {
    if (shown.source) shown.source = { ...shown.source, called };
    return changeCallFrame(folding, callId, { name: (item.namespace ?? '') + item.name, input: called.input });
  }
  folding.called.set(callId, called);
  const [oldest] = folding.called.keys();
  if (folding.called.size > CALL_LIMIT && oldest !== undefined) folding.called.delete(oldest);
}
