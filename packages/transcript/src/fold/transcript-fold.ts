import { type Fact, type FactKey, type TapeId, factKey } from '@tapefold/facts';
import type { TranscriptFrame } from '../model/frame.js';
import type { FrameId, StepId, TurnId } from '../model/ids.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { TranscriptOperation } from '../operations/operation.js';
import { TranscriptDocument } from './document.js';
import { foldFact } from './fold-fact.js';
import { itemOf } from './fold-items.js';
import { stepOfKey } from './fold-steps.js';
import { tellUsage } from './fold-work.js';
import { type FoldOptions, type Folding, emptyFolding } from './folding.js';
import { keptFact } from './journal.js';
import { operationsBetween } from './difference/operations-between.js';
import { Scope, type ScopeState } from './scope.js';
import { type TranscriptView, viewOf } from './view.js';

/** A fold as JSON: the facts that it may need again, and what of them counts. */
export interface TranscriptFoldState {
  readonly version: 1;
  readonly facts: readonly Fact[];
  readonly scope: ScopeState;
}

/** Where an item stands, or would stand: its turn and step, and its frame if facts show one. `numbered`: frames of the step that have a number. */
export interface FramePlace {
  readonly turnId: TurnId;
  readonly stepId: StepId | undefined;
  readonly numbered: number;
  readonly frame: TranscriptFrame | undefined;
  /** Facts say the whole of it. */
  readonly isComplete: boolean;
}

const MAIN = 'main';
const none: readonly TranscriptOperation[] = [];

/**
 * Facts of one agent, folded into the operations of its transcript. Deterministic, and total over schema-valid facts in the order of their positions; never throws.
 * A fact costs the rows that it changes. A history fact costs the timeline: ordinals are dense, as the original program's cold answers number them, so what
 * follows a turn that goes or comes back gets other ids, and who watches gets the end removed or the whole anew.
 * Texts stand as the facts have them: who wants the whole of those that are carried by reference restores the facts before (`restoreLarge`).
 */
export class TranscriptFold {
  readonly #options: FoldOptions;
  readonly #agentId: string;
  readonly #scope: Scope;
  readonly #facts: Fact[] = [];
  /** Of each input the newest placing: earlier ones never were. */
  readonly #placings = new Map<FactKey, FactKey>();
  /** Turns by their own id: a newer copy closes those of earlier segments. */
  readonly #turnsById = new Map<string, { readonly tape: TapeId; readonly key: FactKey }[]>();
  #folding: Folding;
  /** Facts were noted that the timeline does not hold yet. */
  #isBehind = true;

  constructor(options: FoldOptions = {}, state?: TranscriptFoldState) {
    this.#options = options;
    this.#agentId = options.agentId ?? MAIN;
    this.#scope = new Scope(state?.scope);
    for (const fact of state?.facts ?? []) this.#note(fact);
    this.#folding = this.#empty();
  }

  /** Goes on from a state, also one that went through JSON. Costs the timeline. */
  static restore(state: TranscriptFoldState, options: FoldOptions = {}): TranscriptFold {
    return new TranscriptFold(options, state);
  }

  /** Takes the next fact without asking what it makes: for a history that is read whole, which is laid once, at the first question. */
  load(fact: Fact): void {
    this.#revises(fact);
    const kept = keptFact(fact);
    if (kept) this.#note(kept);
    this.#isBehind = true;
  }

  /** Takes the next fact; answers the operations that it makes, in order. They are one batch. */
  fold(fact: Fact): readonly TranscriptOperation[] {
    this.#catchUp();
    const isRevised = this.#revises(fact);
    const kept = keptFact(fact);
    const isPlacedAnew = kept?.type === 'input.placed' && this.#isPlaced(kept.input);
    if (kept) this.#note(kept);
    if (isRevised || isPlacedAnew) return this.#layAnew();
    if (!kept) return none;
    this.#take(kept);
    return this.#folding.doc.take();
  }

  /** Everything so far, unsettled: what a reader holds that applied all operations. Later facts do not change it. */
  snapshot(): AgentTranscriptSnapshot {
    this.#catchUp();
    return this.#folding.doc.snapshot();
  }

  /** What `settleTranscript` reads: the snapshot, and what the facts say of things that are open. */
  view(): TranscriptView {
    this.#catchUp();
    return viewOf(this.#folding);
  }

  /** Keys of the facts that began the turns of the timeline, in order: one for each ordinal. */
  turnKeys(): readonly FactKey[] {
    this.#catchUp();
    return this.#folding.doc.turns.map(({ key }) => key);
  }

  /** What `restore` goes on from. It shares structure with the fold, so write it down before more facts are folded. */
  state(): TranscriptFoldState {
    return { version: 1, facts: this.#facts, scope: this.#scope.state() };
  }

  /** The place of an item of a turn, by the keys of the facts that began turn and step; undefined where no fact did. */
  framePlace({ turn, step, item }: { readonly turn: FactKey; readonly step?: FactKey | undefined; readonly item: string }): FramePlace | undefined {
    this.#catchUp();
    const row = this.#folding.doc.turn(turn);
    if (!row) return undefined;
    const entry = itemOf(this.#folding, row, item);
    const at = entry?.step ?? stepOfKey(this.#folding, step) ?? row.steps.at(-1);
    return {
      turnId: row.header.turnId, stepId: at?.header.stepId, numbered: at?.numbered ?? 0, frame: entry?.frame?.frame,
      isComplete: row.isEnded || (entry !== undefined && entry.source === undefined && entry.frame !== undefined),
    };
  }

  /** Ids of the frames that facts show in a step, in order. */
  frameIds(step: StepId): readonly FrameId[] {
    this.#catchUp();
    const row = this.#folding.doc.turns.find(({ header }) => step.startsWith(`${header.turnId}.`))?.steps.find(({ header }) => header.stepId === step);
    return row?.frames.map(({ frame }) => frame.frameId) ?? [];
  }

  /** Whether the fact takes something of the timeline away or brings it back. */
  #revises(fact: Fact): boolean {
    if (fact.type === 'history.superseded' || fact.type === 'history.restored') return this.#scope.take(fact);
    if (fact.type === 'turn.replaced') return this.#scope.closeTurn(fact.turn);
    if (fact.type !== 'turn.started' || !fact.replacesOlder) return false;
    const older = (this.#turnsById.get(fact.id) ?? []).filter(({ tape }) => tape !== fact.tape);
    return older.map(({ key }) => this.#scope.closeTurn(key)).includes(true);
  }

  #isPlaced(input: FactKey): boolean {
    return this.#placings.has(input) && !this.#folding.inputs.has(input);
  }

  #note(fact: Fact): void {
    const key = factKey(fact.tape, fact.ordinal);
    this.#facts.push(fact);
    if (fact.type === 'input.placed') this.#placings.set(fact.input, key);
    if (fact.type !== 'turn.started') return;
    const others = this.#turnsById.get(fact.id);
    if (others) others.push({ tape: fact.tape, key }); else this.#turnsById.set(fact.id, [{ tape: fact.tape, key }]);
  }

  #layAnew(): readonly TranscriptOperation[] {
    const before = this.#folding.doc.snapshot();
    this.#isBehind = true;
    this.#catchUp();
    return operationsBetween(before, this.#folding.doc.snapshot(), this.#agentId);
  }

  #empty(): Folding {
    return emptyFolding(new TranscriptDocument(this.#agentId), this.#scope, this.#options);
  }

  /** Lays the timeline of the facts that count, as if no others had ever been. */
  #catchUp(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#folding = this.#empty();
    this.#folding.doc.isWatched = false;
    for (const fact of this.#facts) if (!this.#isOldPlacing(fact)) this.#take(fact);
    tellUsage(this.#folding);
    this.#folding.doc.isWatched = true;
  }

  /** Folds a fact if it counts. An input whose place is gone is gone with it: it waits for no other. */
  #take(fact: Fact): void {
    if (this.#scope.counts(fact)) foldFact(this.#folding, fact);
    else if (fact.type === 'input.placed') this.#folding.inputs.delete(fact.input);
  }

  #isOldPlacing(fact: Fact): boolean {
    return fact.type === 'input.placed' && this.#placings.get(fact.input) !== factKey(fact.tape, fact.ordinal);
  }
}
