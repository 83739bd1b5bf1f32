import { type Fact, type FactKey, type FactOf, type FactType, parseFactKey } from '@tapefold/facts';
import { mayShowPlan } from './plans.js';

/** Facts that fill turns: most of any tape. */
const filling: ReadonlySet<FactType> = new Set<FactType>(['item.started', 'item.changed', 'item.completed', 'step.started', 'step.ended', 'step.retried', 'context.appended']);

/** Facts that change nothing of a transcript, whatever else is there. */
const silent: ReadonlySet<FactType> = new Set<FactType>([
  'thread.based', 'thread.linked', 'agent.disposed', 'media.referenced', 'realtime.recorded', 'record.unknown', 'record.damaged', 'record.repaired',
]);

/** What a filter goes on from: the fact that began the newest turn, and the settings that were said last. */
export interface OutlineState {
  readonly turn: FactKey | null;
  readonly settings: string | null;
}

/** Before the first fact. */
export const outlineStart: OutlineState = { turn: null, settings: null };

/**
 * Tells the facts of a transcript's *outline* from those that fill its turns. Law: the outline and the facts between the beginning of a turn and the next one's
 * are all that the turn is made of, and the outline alone is all that entities, meta, and the turns' order, ids and opening words are made of. Facts that fill a turn other than the
 * newest are in the outline, and so is what may show a plan; of settings that are said again for every turn, those that differ. Takes the facts of one agent in order.
 */
export class OutlineFilter {
  #turn: FactKey | null;
  #settings: string | null;

  constructor({ turn, settings }: OutlineState = outlineStart) {
    this.#turn = turn;
    this.#settings = settings;
  }

  /** What the next filter goes on from. */
  get state(): OutlineState {
    return { turn: this.#turn, settings: this.#settings };
  }

  /** The next fact: whether it is in the outline. */
  take(fact: Fact, key: FactKey): boolean {
    if (fact.type === 'turn.started') this.#turn = key;
    if (silent.has(fact.type)) return false;
    if (fact.type === 'context.configured') return this.#isNews(fact);
    if (fact.type === 'thread.opened' || fact.type === 'thread.changed') this.#settings = null;
    return !filling.has(fact.type) || mayShowPlan(fact) || this.#isStray(fact);
  }

  /** Whether it says something else than what was said last. */
  #isNews({ model, effort, approvalPolicy }: FactOf<'context.configured'>): boolean {
    const settings = JSON.stringify([model, effort, approvalPolicy]);
    const isSame = settings === this.#settings;
    this.#settings = settings;
    return !isSame;
  }

  #isStray(fact: Fact): boolean {
    const { turn, step } = fact;
    if (fact.type === 'context.appended' && fact.item.kind !== 'call' && fact.item.kind !== 'result') return false;
    if (turn !== undefined && turn !== this.#turn) return true;
    if (step !== undefined && this.#isOlder(step)) return true;
    return turn === undefined && 'turnId' in fact && fact.turnId !== undefined;
  }

  #isOlder(step: FactKey): boolean {
    const [began, newest] = [parseFactKey(step), this.#turn === null ? undefined : parseFactKey(this.#turn)];
    return !began || !newest || began.tape !== newest.tape || began.ordinal < newest.ordinal;
  }
}
