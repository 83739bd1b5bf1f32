import type { JsonValue } from '@tapefold/facts';
import type { ThreadItem, Turn } from '@tapefold/threads';
import type { OpenedThread } from '../thread-source.js';

type WholeOutput = NonNullable<OpenedThread['wholeOutput']>;

function wholeBlock(block: JsonValue, whole: (text: string) => string): JsonValue {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return block;
  const { text } = block;
  return typeof text === 'string' ? { ...block, text: whole(text) } : block;
}

function wholeItem(item: ThreadItem, wholeOutput: WholeOutput): ThreadItem {
  const whole = (text: string): string => wholeOutput({ itemId: item.id, text }) ?? text;
  switch (item.type) {
    case 'commandExecution': return item.aggregatedOutput === null ? item : { ...item, aggregatedOutput: whole(item.aggregatedOutput) };
    case 'mcpToolCall': return item.result === null ? item : { ...item, result: { ...item.result, content: item.result.content.map((block) => wholeBlock(block, whole)) } };
    case 'dynamicToolCall': return item.contentItems === null ? item : { ...item, contentItems: item.contentItems.map((part) => (part.type === 'inputText' ? { ...part, text: whole(part.text) } : part)) };
    default: return item;
  }
}

/** Turns with the whole texts of outputs that session files hold only a beginning of, where the agent kept them beside. */
export function withWholeOutputs(turns: readonly Turn[], { wholeOutput }: OpenedThread): Turn[] {
  if (!wholeOutput) return [...turns];
  return turns.map((turn) => ({ ...turn, items: turn.items.map((item) => wholeItem(item, wholeOutput)) }));
}
