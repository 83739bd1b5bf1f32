import { type Fact, type FactDraft, type FactKey, type FactOf, factKey, factSchema } from '@tapefold/facts';
import type { TranscriptItem, TranscriptOperation, TranscriptTurn } from '../index.js';
import { type FoldOptions, TranscriptFold } from './index.js';

/** Facts of one tape, written down one by one; each call hands back the key of its fact. */
export class Tape {
  readonly facts: Fact[] = [];
  readonly #name: string;

  constructor(name = 'a') {
    this.#name = name;
  }

  say(draft: FactDraft): FactKey {
    const ordinal = this.facts.length;
    this.facts.push(factSchema.parse({ at: new Date(1_760_000_000_000 + ordinal * 1000).toISOString(), ...draft, tape: this.#name, ordinal, line: { offset: ordinal, length: 1 } }));
    return factKey(this.#name, ordinal);
  }

  turn(id: string, fields: object = {}): FactKey {
    return this.say({ type: 'turn.started', id, isImplicit: false, replacesOlder: false, ...fields });
  }

  /** A turn that a person's words open. */
  asked(id: string, text: string): FactKey {
    const turn = this.turn(id);
    this.said(turn, text, { as: 'opens' });
    return turn;
  }

  said(turn: FactKey | undefined, text: string, placing: Pick<FactOf<'input.placed'>, 'as' | 'otherwise'>): FactKey {
    const input = this.say({ type: 'input.received', id: `in-${text}`, content: [{ kind: 'text', text }], visibility: 'shown', isAdded: false });
    this.say({ type: 'input.placed', input, ...placing, ...(turn === undefined ? {} : { turn }) });
    return input;
  }

  step(turn: FactKey): FactKey {
    return this.say({ type: 'step.started', turn });
  }

  /** An answer; its item is named by the text. */
  answered(turn: FactKey, text: string, step?: FactKey): FactKey {
    return this.say({ type: 'item.completed', turn, id: `m-${text}`, body: { kind: 'agentMessage', text }, visibility: 'shown', isAdded: false, ...(step === undefined ? {} : { step }) });
  }

  called(turn: FactKey, id: string, fields: object = {}): FactKey {
    return this.say({ type: 'item.started', turn, call: id, id, body: { kind: 'command', command: 'ls', source: 'agent', status: 'running', actions: [] }, visibility: 'shown', isAdded: false, ...fields });
  }

  finished(turn: FactKey, id: string, status: 'completed' | 'failed' | 'declined' = 'completed'): FactKey {
    return this.say({ type: 'item.completed', turn, call: id, id, body: { kind: 'command', command: 'ls', source: 'agent', status, actions: [], output: 'out' }, visibility: 'shown', isAdded: false });
  }

  ended(turn: FactKey, status: 'completed' | 'interrupted' = 'completed'): FactKey {
    return this.say({ type: 'turn.ended', turn, status });
  }

  marked(code: 'goal' | 'skill' | 'interruption'): FactKey {
    return this.say({ type: 'notice.posted', level: 'info', code, text: '', details: { code } });
  }

  undone(turns: FactKey[], type: 'history.superseded' | 'history.restored' = 'history.superseded'): FactKey {
    return this.say({ type, reason: 'branch', turns, context: [] } as FactDraft);
  }
}

/** The fold after the facts, and the operations of the last one. */
export function foldOf({ facts }: Tape, options: FoldOptions = {}): { readonly fold: TranscriptFold; readonly last: readonly TranscriptOperation[] } {
  const fold = new TranscriptFold(options);
  let last: readonly TranscriptOperation[] = [];
  for (const fact of facts) last = fold.fold(fact);
  return { fold, last };
}

const frameOf = (frame: TranscriptTurn['steps'][number]['frames'][number]): string => `${frame.frameId}=${frame.kind === 'tool' ? frame.state : frame.kind === 'notice' ? frame.message : frame.text}`;

/** A timeline as a test writes it down: turns with their state and prompt, frames by step, ids of all else. */
export function sketchOf(items: readonly TranscriptItem[]): string[] {
  return items.map((item) => {
    if (item.kind !== 'turn') return item.kind === 'marker' ? `${item.markerId} ${item.marker}` : item.refId;
    const steps = item.steps.map(({ state, frames }) => `${state}[${frames.map(frameOf).join(' ')}]`);
    return [item.turnId, item.state, item.prompt ?? '-', ...steps].join(' ');
  });
}
