import type { ThreadItem, UserContent } from '@tapefold/threads';
import { type VisibleTextOptions, visibleText } from './visible-text.js';

/** What an item says to a person, and who says it. */
export interface ItemText {
  readonly role: 'user' | 'agent';
  readonly text: string;
}

const placeholders: Readonly<Partial<Record<UserContent['type'], string>>> = { image: '[Image]', localImage: '[Image]', audio: '[Audio]', localAudio: '[Audio]' };

/** The words of a message; where there are none, what it holds instead. */
function wordsOf(content: readonly UserContent[]): string {
  const words = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return words.trim() === '' ? content.flatMap((part) => placeholders[part.type] ?? []).join(' ') : words;
}

/** The visible text of a message of a person or an agent; undefined for other items and for messages without any. */
export function visibleTextOfItem(item: ThreadItem, options: Omit<VisibleTextOptions, 'kind'> = {}): ItemText | undefined {
  if (item.type !== 'userMessage' && item.type !== 'agentMessage') return undefined;
  const role = item.type === 'userMessage' ? 'user' : 'agent';
  const text = visibleText(item.type === 'userMessage' ? wordsOf(item.content) : item.text, { ...options, kind: role });
  return text === undefined ? undefined : { role, text };
}
