import { type JsonObject, type ModelItem, isJsonObject } from '@tapefold/facts';
import type { CallItem, LeftOut, RequestItem, ResultItem } from './request-item.js';
import type { RequestProfile } from './profile.js';

function rawOf({ native }: ModelItem): JsonObject | undefined {
  return native && 'raw' in native && isJsonObject(native.raw) ? native.raw : undefined;
}

/** Calls that a provider answers itself, inside its own response: they wait for no result of ours. */
export const isOfServer = (item: CallItem): boolean => item.form === 'server' || item.callId === undefined || rawOf(item)?.['execution'] === 'server';

/** A search for tools that the provider's server made: its list goes back to it, and may stand without a call. */
function isServerList(item: ModelItem, { provider, nativeDialect }: RequestProfile): boolean {
  const raw = rawOf(item);
  return provider === 'responses' && item.native?.dialect === nativeDialect && raw?.['type'] === 'tool_search_output' && raw['execution'] === 'server';
}

/** Each result with the index of its call: the oldest open one of its id in front of it. */
function answersIn(items: readonly RequestItem[]): Map<number, number> {
  const open = new Map<string, number[]>();
  const answers = new Map<number, number>();
  items.forEach(({ item }, i) => {
    if ((item.kind !== 'call' && item.kind !== 'result') || item.callId === undefined) return;
    if (item.kind === 'call' && isOfServer(item)) return;
    const calls = open.get(item.callId) ?? [];
    const call = item.kind === 'result' ? calls.shift() : undefined;
    if (item.kind === 'call') calls.push(i);
    if (call !== undefined) answers.set(i, call);
    open.set(item.callId, calls);
  });
  return answers;
}

function madeUp(call: CallItem, text: string): RequestItem {
  const item: ResultItem = { kind: 'result', ...(call.callId === undefined ? {} : { callId: call.callId }), output: text === '' ? [] : [{ kind: 'text', text }] };
  return { item, answers: call };
}

/** Each call with its result, no result without its call. What has to be made up stands directly behind the call. */
export function paired(items: readonly RequestItem[], profile: RequestProfile): { readonly items: RequestItem[]; readonly leftOut: LeftOut[] } {
  const answers = answersIn(items);
  const answered = new Set(answers.values());
  const leftOut: LeftOut[] = [];
  const leave = ({ entry }: RequestItem, reason: LeftOut['reason']): RequestItem[] => {
    if (entry) leftOut.push({ entry, reason });
    return [];
  };
  const kept = items.flatMap((one, i): RequestItem[] => {
    const { item } = one;
    if (item.kind === 'result') {
      const call = items[answers.get(i) ?? -1]?.item;
      if (call?.kind === 'call') return [{ ...one, answers: call }];
      return isServerList(item, profile) ? [one] : leave(one, 'orphanResult');
    }
    if (item.kind !== 'call' || answered.has(i) || isOfServer(item)) return [one];
    return profile.missingResult.kind === 'dropCall' ? leave(one, 'unansweredCall') : [one, madeUp(item, profile.missingResult.text)];
  });
  return { items: kept, leftOut };
}
