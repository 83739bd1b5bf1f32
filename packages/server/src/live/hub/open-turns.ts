import { type Fact, type FactKey, factKey } from '@tapefold/facts';

/** A review is made by an agent of its own. */
const agentItems: ReadonlySet<string> = new Set(['agentCall', 'agentActivity', 'reviewEntered']);
const mentionsAgent = (fact: Fact): boolean =>
  fact.type === 'agent.described' || (fact.type === 'task.started' && fact.task.kind === 'subagent') || ((fact.type === 'item.started' || fact.type === 'item.completed') && agentItems.has(fact.body.kind));

/** What a feed keeps of the facts that it passes on: whether a turn is open, when the last one was written, and whether an agent may have begun. */
export class OpenTurns {
  #newest: FactKey | undefined;
  #lastAtMs: number | undefined;
  #openedAtMs: number | undefined;
  #isExpectingAgent = false;
  #nextOrdinal = 0;

  take(facts: readonly Fact[]): void {
    for (const fact of facts) {
      this.#nextOrdinal = fact.ordinal + 1;
      const atMs = timeOf(fact);
      this.#lastAtMs = atMs ?? this.#lastAtMs;
      if (fact.type === 'turn.started') [this.#newest, this.#openedAtMs] = [factKey(fact.tape, fact.ordinal), atMs];
      if (fact.type === 'turn.ended' && (fact.turn === this.#newest || fact.turnId !== undefined)) this.#newest = undefined;
      this.#isExpectingAgent ||= mentionsAgent(fact);
    }
  }

  /** Somebody knows which turn runs, or that none does. */
  runs(turn: FactKey | null): void { this.#newest = turn ?? undefined; }

  get nextOrdinal(): number { return this.#nextOrdinal; }
  /** The turn that is open. */
  get openTurn(): FactKey | undefined { return this.#newest; }
  get isOpen(): boolean { return this.#newest !== undefined; }
  /** When the newest turn began (Unix ms); undefined where no fact says. */
  get openedAtMs(): number | undefined { return this.#openedAtMs; }
  /** Unix milliseconds; undefined where no fact says. */
  get lastAtMs(): number | undefined { return this.#lastAtMs; }
  /** An agent was spoken of that may have a file by now. */
  get isExpectingAgent(): boolean { return this.#isExpectingAgent; }
  agentsSeen(): void { this.#isExpectingAgent = false; }
}

function timeOf({ at }: Fact): number | undefined {
  const atMs = at === undefined ? NaN : Date.parse(at);
  return Number.isFinite(atMs) ? atMs : undefined;
}
