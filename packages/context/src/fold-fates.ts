import { type Fact, type FactKey, type FactOf, factKey, textOfParts } from '@tapefold/facts';
import { type Vector, elements, emptyVector, pushed } from './container/vector.js';
import { foldContext } from './fold-context.js';
import { type ContextState, emptyContext } from './state.js';

/** One fact that showed something to a person. Facts of one item share its turn and native id. */
export interface ShownFact {
  readonly key: FactKey;
  readonly position: number;
  readonly turn?: FactKey | undefined;
  readonly id: string;
  /** The kind of the item's body; `input` for what was put in. */
  readonly kind: string;
  readonly text: string;
  readonly context?: FactKey | undefined;
}
/** An item or input that a person saw at some time. */
export type EverShown = Omit<ShownFact, 'context'>;

/** The model's history, and all that was ever shown to a person. Immutable plain data, as the history. */
export interface FateState {
  readonly context: ContextState;
  readonly shown: Vector<ShownFact>;
}

/** Before the first fact. */
export const emptyFates: FateState = { context: emptyContext, shown: emptyVector() };

/** Enough to recognise an item by. */
const TEXT_CHARS = 200;

function textOf(fact: FactOf<'item.started'> | FactOf<'item.completed'>): string {
  const { body } = fact;
  const texts: Readonly<Record<string, unknown>> = body;
  const text = texts['text'] ?? texts['command'] ?? texts['name'] ?? texts['tool'];
  return typeof text === 'string' ? text.slice(0, TEXT_CHARS) : '';
}

function shownBy(fact: Fact, position: number): ShownFact | undefined {
  if (fact.type !== 'item.started' && fact.type !== 'item.completed' && fact.type !== 'input.received') return undefined;
  const key = factKey(fact.tape, fact.ordinal);
  const about = fact.type === 'input.received' ? { kind: 'input', text: textOfParts(fact.content).slice(0, TEXT_CHARS) } : { kind: fact.body.kind, text: textOf(fact) };
  return { key, position, id: fact.id, ...about, ...(fact.turn === undefined ? {} : { turn: fact.turn }), ...(fact.context === undefined ? {} : { context: fact.context }) };
}

/** Folds one fact into the history and what was shown. Pure, total, O(log n) for facts that append. */
export function foldFates(state: FateState, fact: Fact, position: number): FateState {
  const context = foldContext(state.context, fact, position);
  const shown = fact.agent === state.context.agent ? shownBy(fact, position) : undefined;
  return shown || context !== state.context ? { context, shown: shown ? pushed(state.shown, shown) : state.shown } : state;
}

/** Items and inputs by the keys of all their facts, and by the entries of the model's history that say the same. */
export function everShownOf({ shown }: FateState): { readonly byKey: ReadonlyMap<FactKey, EverShown>; readonly byContext: ReadonlyMap<FactKey, EverShown> } {
  const byAddress = new Map<string, EverShown>();
  const byKey = new Map<FactKey, EverShown>();
  const byContext = new Map<FactKey, EverShown>();
  for (const { context, ...fact } of elements(shown)) {
    const address = `${fact.kind === 'input' ? 'input' : 'item'}\u0000${fact.turn ?? ''}\u0000${fact.id}`;
    const first = byAddress.get(address) ?? fact;
    byAddress.set(address, first);
    byKey.set(fact.key, first);
    if (context !== undefined) byContext.set(context, first);
  }
  return { byKey, byContext };
}
