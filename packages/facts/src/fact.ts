import { z } from 'zod';
import { historyFactSchemas } from './families/history-facts.js';
import { itemFactSchemas } from './families/item-facts.js';
import { recordFactSchemas } from './families/record-facts.js';
import { threadFactSchemas } from './families/thread-facts.js';
import { turnFactSchemas } from './families/turn-facts.js';
import { workFactSchemas } from './families/work-facts.js';

/** Validates one fact. Players do not call it (they are tested against it); readers of native tapes and of ingest do. */
export const factSchema = z.discriminatedUnion('type', [...threadFactSchemas, ...turnFactSchemas, ...itemFactSchemas, ...workFactSchemas, ...historyFactSchemas, ...recordFactSchemas]);

/** One thing that happened, in no agent's dialect, immutable, at an ordinal of a tape. */
export type Fact = z.infer<typeof factSchema>;
/** Tag of a fact, `family.what`: a closed set. */
export type FactType = Fact['type'];
/** The facts of one tag, or of several. */
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

type WithoutEnvelope<F> = F extends Fact ? Omit<F, 'tape' | 'ordinal' | 'line'> : never;
/** A fact before the tape gave it its identity: what a player says of a record. `large` is set where a text of an earlier line is carried on. */
export type FactDraft = WithoutEnvelope<Fact>;

/** Makes the compiler demand every case of a switch over a closed union. */
export function assertNever(value: never): never {
  throw new Error(`a closed union has a value that no case handles: ${JSON.stringify(value)}`);
}
