import type { ModelItem } from '@tapefold/facts';
import type { Provider, RequestProfile } from '../normalise/profile.js';
import { plainProfile } from '../normalise/profile.js';
import type { RequestItem } from '../normalise/request-item.js';

const isOfModel = ({ item }: RequestItem): boolean => item.kind === 'reasoning' || item.kind === 'call' || item.kind === 'other' || (item.kind === 'message' && item.role === 'assistant');

/** What one line of the file holds goes or stays together. */
const lineOf = ({ entry }: RequestItem): string => (entry ? `${entry.tape} ${entry.offset}` : '');

/** Lines of the assistant in which no call got its result, and some did not. */
function unansweredLines(items: readonly RequestItem[]): Set<string> {
  const answered = new Set(items.flatMap(({ item }) => (item.kind === 'result' ? item.callId ?? [] : [])));
  const lines = new Map<string, boolean>();
  for (const one of items) {
    const { item } = one;
    if (item.kind !== 'call' || item.form === 'server') continue;
    lines.set(lineOf(one), (lines.get(lineOf(one)) ?? false) || (item.callId !== undefined && answered.has(item.callId)));
  }
  return new Set([...lines].filter(([, isAnswered]) => !isAnswered).map(([line]) => line));
}

/** What says nothing by itself. */
function isMute(item: ModelItem): boolean {
  if (item.kind === 'reasoning') return true;
  return item.kind === 'message' && item.content.every((part) => part.kind === 'text' && part.text.trim() === '');
}

/** Messages of the assistant (blocks of one step in a row) with nothing but thinking or white space. */
function withoutMute(items: readonly RequestItem[]): RequestItem[] {
  const kept: RequestItem[] = [];
  let run: RequestItem[] = [];
  const close = (): void => {
    if (!run.every(({ item }) => isMute(item))) kept.push(...run);
    run = [];
  };
  for (const one of items) {
    const isNext = isOfModel(one) && (run.length === 0 || run[0]?.entry?.step === one.entry?.step);
    if (!isNext) close();
    if (isOfModel(one)) run.push(one);
    else kept.push(one);
  }
  close();
  return kept;
}

/** What the program attached for the model, in a form that only it can word. Blocks of a message of the model's stand in a step. */
const isAttachment = ({ item, entry }: RequestItem): boolean => item.kind === 'other' && entry?.step === undefined;

function mended(items: readonly RequestItem[]): readonly RequestItem[] {
  const told = items.filter((one) => !isAttachment(one));
  const unanswered = unansweredLines(told);
  return withoutMute(told.filter((one) => !isOfModel(one) || !unanswered.has(lineOf(one))));
}

/**
 * How Claude Code asks: a call without result goes, and with it what stands in its line; so does a message of the assistant that holds only thinking or white
 * space. Over other wires than its own, calls without result are answered as unknown.
 */
export function claudeProfile(provider: Provider): RequestProfile {
  const plain = plainProfile(provider);
  return provider === 'anthropic' ? { ...plain, nativeDialect: 'claude', missingResult: { kind: 'dropCall' }, mend: mended } : plain;
}
