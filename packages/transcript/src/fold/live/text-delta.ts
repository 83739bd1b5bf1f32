import type { FactKey } from '@tapefold/facts';

/**
 * Text on its way, of an item whose facts are still to come or are not complete. `offset` counts UTF-16 units of the field's own text. It is no fact: what it
 * says is over when a fact says the whole.
 */
export interface TextDelta {
  readonly turn: FactKey;
  readonly step?: FactKey | undefined;
  /** The item's id inside its turn, as its facts have it. */
  readonly item: string;
  readonly kind: 'agentMessage' | 'reasoning' | 'call';
  /** Which text grows: a message's, one part of a reasoning's (`index`), a call's input or its output. */
  readonly field: 'text' | 'summary' | 'content' | 'input' | 'output';
  readonly index?: number | undefined;
  readonly offset: number;
  readonly text: string;
}

/** Text that will never be complete: a failed attempt, which is made again. */
export interface DroppedText {
  readonly turn: FactKey;
  readonly item: string;
}
