import type { ContextEntry } from './arrange.js';

/** Whether an entry is the program's own word to the model: injected context, interruption notes, metering. */
export function isControl({ item }: ContextEntry): boolean {
  return item.kind === 'message' && item.visibility !== 'shown';
}

/** For readers that only look: the conversation without control items. The request view is the history as it is. */
export function readOnlyView(entries: readonly ContextEntry[]): ContextEntry[] {
  return entries.filter((entry) => !isControl(entry));
}
