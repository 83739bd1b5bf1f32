import { type DroppedText, type Fact, type FactDraft, type TextDelta, factKey } from '@tapefold/facts';

/** What an agent of our recorder says while it runs: facts for its tape, and text on its way. */
export type Said = { readonly fact: Fact } | { readonly delta: TextDelta } | { readonly dropped: DroppedText };

/** One thing to do; `of` picks among the streams that are open. */
export interface Act {
  readonly act: 'turn' | 'step' | 'message' | 'reasoning' | 'summary' | 'call' | 'grow' | 'complete' | 'drop' | 'whole' | 'result' | 'endStep' | 'endTurn' | 'undo';
  readonly of: number;
  readonly text: string;
}

interface Open { readonly id: string; readonly kind: TextDelta['kind']; field: TextDelta['field']; text: string; index: number; started: boolean }

const TAPE = 'native/live';

/** A recorder as far as its readers see it. */
export class RunningAgent {
  #ordinal = 0;
  #count = 0;
  #turn: string | undefined;
  #step: string | undefined;
  #turns: string[] = [];
  #open: Open[] = [];

  do({ act, of, text }: Act): readonly Said[] {
    switch (act) {
      case 'turn': return this.#turn === undefined ? this.#begin() : [];
      case 'step': return this.#beginStep();
      case 'message': return this.#stream({ kind: 'agentMessage', field: 'text' }, text);
      case 'reasoning': return this.#stream({ kind: 'reasoning', field: 'content' }, text);
      case 'summary': return this.#stream({ kind: 'reasoning', field: 'summary' }, text);
      case 'call': return this.#stream({ kind: 'call', field: 'input' }, text);
      case 'grow': return this.#grow(of, text);
      case 'complete': return this.#complete(of);
      case 'drop': return this.#drop(of);
      case 'whole': return [...this.#inStep(), this.#fact({ type: 'item.completed', ...this.#at(), id: this.#id(), body: { kind: 'agentMessage', text }, visibility: 'shown', isAdded: false })];
      case 'result': return this.#result(of, text);
      case 'endStep': return this.#endStep();
      case 'endTurn': return this.#endTurn();
      case 'undo': return this.#undo();
    }
  }

  #fact(draft: FactDraft): Said {
    const fact = { ...draft, tape: TAPE, ordinal: this.#ordinal, line: { offset: this.#ordinal * 10, length: 9 } } as Fact;
    this.#ordinal += 1;
    return { fact };
  }

  get #nextKey(): string { return factKey(TAPE, this.#ordinal); }
  #id(): string { this.#count += 1; return `i${this.#count}`; }
  #at(): { readonly turn: string; readonly step: string } { return { turn: this.#turn ?? '', step: this.#step ?? '' }; }

  #begin(): readonly Said[] {
    this.#turn = this.#nextKey;
    this.#turns.push(this.#turn);
    return [this.#fact({ type: 'turn.started', id: `n${this.#turns.length}`, isImplicit: false, replacesOlder: false })];
  }

  #beginStep(): readonly Said[] {
    const before = this.#turn === undefined ? this.#begin() : [];
    const ended = this.#endStep();
    const turn = this.#turn ?? '';
    this.#step = this.#nextKey;
    return [...before, ...ended, this.#fact({ type: 'step.started', turn })];
  }

  #inStep(): readonly Said[] { return this.#step === undefined ? this.#beginStep() : []; }

  #stream({ kind, field }: { readonly kind: TextDelta['kind']; readonly field: TextDelta['field'] }, text: string): readonly Said[] {
    const before = this.#inStep();
    this.#open.push({ id: this.#id(), kind, field, text: '', index: 0, started: false });
    return [...before, ...this.#grow(this.#open.length - 1, text)];
  }

  #grow(of: number, text: string): readonly Said[] {
    const open = this.#open[of % Math.max(1, this.#open.length)];
    if (!open) return [];
    if (open.kind === 'reasoning' && text.length % 3 === 0 && open.text !== '') { open.index += 1; open.text = ''; }
    const field = open.started && open.kind === 'call' ? 'output' : open.field;
    const offset = open.text.length;
    open.text += text;
    return [{ delta: { ...this.#at(), item: open.id, kind: open.kind, field, index: open.index, offset, text } }];
  }

  #complete(of: number): readonly Said[] {
    const at = of % Math.max(1, this.#open.length);
    const open = this.#open[at];
    if (!open) return [];
    if (open.kind === 'call' && !open.started) {
      open.started = true;
      open.text = '';
      return [this.#fact({ type: 'item.started', ...this.#at(), id: open.id, call: open.id, body: { kind: 'toolCall', tool: 'run', arguments: {}, status: 'running' }, visibility: 'shown', isAdded: false })];
    }
    this.#open.splice(at, 1);
    if (open.kind === 'call') return [this.#fact({ type: 'item.completed', ...this.#at(), id: open.id, call: open.id, body: { kind: 'toolCall', tool: 'run', arguments: {}, status: 'completed' }, visibility: 'shown', isAdded: false })];
    const body = open.kind === 'agentMessage' ? { kind: 'agentMessage' as const, text: open.text } : { kind: 'reasoning' as const, summary: open.field === 'summary' ? [open.text] : [], content: open.field === 'content' ? [open.text] : [] };
    return [this.#fact({ type: 'item.completed', ...this.#at(), id: open.id, body, visibility: 'shown', isAdded: false })];
  }

  #drop(of: number): readonly Said[] {
    const at = of % Math.max(1, this.#open.length);
    const open = this.#open[at];
    if (!open || open.started) return [];
    this.#open.splice(at, 1);
    return [{ dropped: { turn: this.#turn ?? '', item: open.id } }];
  }

  #result(of: number, text: string): readonly Said[] {
    const calls = this.#open.filter((open) => open.started);
    const open = calls[of % Math.max(1, calls.length)];
    return open ? this.#grow(this.#open.indexOf(open), text) : [];
  }

  #endStep(): readonly Said[] {
    if (this.#step === undefined) return [];
    const step = this.#step;
    const turn = this.#turn ?? '';
    this.#step = undefined;
    this.#open = [];
    return [this.#fact({ type: 'step.ended', turn, step, status: 'completed' })];
  }

  #endTurn(): readonly Said[] {
    if (this.#turn === undefined) return [];
    const ended = this.#endStep();
    const turn = this.#turn;
    this.#turn = undefined;
    return [...ended, this.#fact({ type: 'turn.ended', turn, status: 'completed' })];
  }

  #undo(): readonly Said[] {
    const ended = this.#endTurn();
    const turn = this.#turns.pop();
    return turn === undefined ? ended : [...ended, this.#fact({ type: 'history.superseded', reason: 'undo', turns: [turn], context: [] })];
  }
}
