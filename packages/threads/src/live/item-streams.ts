import type { TextDelta } from '@tapefold/facts';
import type { ThreadNotification } from './notifications.js';

/** Texts that stream at once, at most; what comes of others waits for the whole. */
const MOST_STREAMS = 1_024;

/** Where a delta goes: ids as the protocol has them. `isCommand`: the item is a command, whose output the protocol can tell. */
export interface StreamPlace {
  readonly threadId: string;
  readonly turnId: string;
  readonly isCommand: boolean;
}

/**
 * Text on its way as notifications that a client can only append: each unit once, in order. What comes twice is passed over; where something is missing no more of that
 * text is told, since the whole will be.
 */
export class ItemStreams {
  /** How far each text was told; undefined: something is missing. */
  readonly #told = new Map<string, number | undefined>();
  readonly #parts = new Set<string>();
  readonly #items = new Set<string>();

  take(delta: TextDelta, place: StreamPlace): readonly ThreadNotification[] {
    const address = addressOf(delta);
    const told = this.#told.has(address) ? this.#told.get(address) : 0;
    if (told === undefined || this.#told.size >= MOST_STREAMS) return [];
    if (delta.offset > told) { this.#told.set(address, undefined); return []; }
    const text = delta.text.slice(told - delta.offset);
    if (text === '') return [];
    this.#told.set(address, told + text.length);
    const [first, ...rest] = notificationsOf(delta, text, { ...place, isNewPart: this.#isNewPart(delta) });
    const item = itemOf(delta);
    if (!first || this.#items.has(item)) return first ? [first, ...rest] : [];
    this.#items.add(item);
    return [{ ...first, isStart: true }, ...rest];
  }

  /** The item is complete, or will never be. */
  end(of: Pick<TextDelta, 'turn' | 'item'>): void {
    const prefix = `${itemOf(of)}\n`;
    this.#items.delete(itemOf(of));
    for (const address of this.#told.keys()) if (address.startsWith(prefix)) this.#told.delete(address);
    for (const part of this.#parts) if (part.startsWith(prefix)) this.#parts.delete(part);
  }

  clear(): void {
    this.#told.clear();
    this.#parts.clear();
    this.#items.clear();
  }

  #isNewPart(delta: TextDelta): boolean {
    if (delta.field !== 'summary' || this.#parts.has(addressOf(delta))) return false;
    this.#parts.add(addressOf(delta));
    return true;
  }
}

const itemOf = ({ turn, item }: Pick<TextDelta, 'turn' | 'item'>): string => `${turn}\n${item}`;
const addressOf = ({ field, index = 0, ...of }: TextDelta): string => `${itemOf(of)}\n${field} ${index}`;

function notificationsOf({ item: itemId, field, index = 0 }: TextDelta, delta: string, { threadId, turnId, isCommand, isNewPart }: StreamPlace & { readonly isNewPart: boolean }): readonly ThreadNotification[] {
  const at = { threadId, turnId, itemId };
  switch (field) {
    case 'text': return [{ method: 'item/agentMessage/delta', params: { ...at, delta } }];
    case 'summary': return [...(isNewPart ? [{ method: 'item/reasoning/summaryPartAdded' as const, params: { ...at, summaryIndex: index } }] : []), { method: 'item/reasoning/summaryTextDelta', params: { ...at, delta, summaryIndex: index } }];
    case 'content': return [{ method: 'item/reasoning/textDelta', params: { ...at, delta, contentIndex: index } }];
    case 'output': return isCommand ? [{ method: 'item/commandExecution/outputDelta', params: { ...at, delta } }] : [];
    // The protocol has no word for a call that is still being written.
    case 'input': return [];
  }
}
