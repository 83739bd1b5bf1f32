import type { DroppedText, Fact, FactKey, TextDelta } from '@tapefold/facts';
import type { TranscriptFrame } from '../../model/frame.js';
import { frameId, toolFrameId } from '../../model/ids.js';
import type { AgentTranscriptSnapshot } from '../../model/snapshot.js';
import type { TranscriptTurn } from '../../model/turn.js';
import type { TranscriptOperation } from '../../operations/operation.js';
import { present } from '../present.js';
import type { FramePlace, TranscriptFold } from '../transcript-fold.js';
import { TextStream } from './text-stream.js';

/** Items that stream at once, at most: each is held until a fact completes it. The oldest goes first. */
const MOST_STREAMS = 256;

type Located = FramePlace & { readonly stepId: string };

const none: readonly TranscriptOperation[] = [];
const addressOf = ({ turn, item }: DroppedText): string => `${turn}\n${item}`;

/**
 * A transcript while its agent runs: the fold of its facts, and behind it the text that is still streaming. Law: without open streams it is the fold, and
 * whoever applied all operations has `snapshot()`. Streams stand behind what their step holds by facts, in the order in which they began; a fact that
 * moves them tells them anew.
 */
export class LiveTranscript {
  readonly #agentId: string;
  readonly #fold: TranscriptFold;
  readonly #streams = new Map<string, TextStream>();
  /** Of steps with streams: the frames that a reader heard of, in order. */
  readonly #heard = new Map<string, string[]>();

  constructor(fold: TranscriptFold, agentId: string) {
    this.#fold = fold;
    this.#agentId = agentId;
  }

  /** Text is on its way that no fact holds yet. */
  get isStreaming(): boolean { return this.#streams.size > 0; }

  /** Takes the next fact; answers what it changes, streams that it moves or completes included. */
  fact(fact: Fact): readonly TranscriptOperation[] {
    const ops = this.#fold.fold(fact);
    if (this.#streams.size === 0) return ops;
    const ended = this.#endedBy(fact);
    for (const stream of ended) this.#streams.delete(addressOf(stream));
    return ops.length === 0 && ended.length === 0 ? ops : this.#laidBehind(ops, ended);
  }

  /** Takes text on its way. Nothing where its place is not known (a turn or step without a fact), or it does not fit what came before: the fact brings the whole. */
  delta(delta: TextDelta): readonly TranscriptOperation[] {
    const place = this.#place(delta);
    if (!place || place.isComplete) return none;
    const address = addressOf(delta);
    const stream = this.#streams.get(address) ?? new TextStream(delta);
    const taken = stream.take(delta);
    if (taken === 'refused' || taken === 'unseen') return none;
    // Not an end that grew: only the whole says it.
    if (taken === 'changed' && stream.kind !== 'call') stream.shown = undefined;
    if (!this.#heard.has(place.stepId)) this.#heard.set(place.stepId, [...this.#fold.frameIds(place.stepId)]);
    if (!this.#streams.has(address)) this.#begin(address, stream);
    const ops = this.#told(stream, this.#located(stream, place), taken === 'changed' ? undefined : taken.more);
    for (const op of ops) this.#hear(op);
    return ops;
  }

  /** Text that will never be complete goes. */
  drop(dropped: DroppedText): readonly TranscriptOperation[] {
    const stream = this.#streams.get(addressOf(dropped));
    if (!stream) return none;
    this.#streams.delete(addressOf(dropped));
    return this.#laidBehind(none, [stream]);
  }

  /** What a reader holds that applied all operations. */
  snapshot(): AgentTranscriptSnapshot {
    const snapshot = this.#fold.snapshot();
    if (this.#streams.size === 0) return snapshot;
    const bySteps = new Map<string, Map<string, TranscriptFrame>>();
    for (const { shown } of this.#streams.values()) {
      if (!shown) continue;
      const frames = bySteps.get(shown.stepId) ?? new Map<string, TranscriptFrame>();
      bySteps.set(shown.stepId, frames.set(shown.frame.frameId, shown.frame));
    }
    return { ...snapshot, items: snapshot.items.map((item) => (item.kind === 'turn' ? withStreams(item, bySteps) : item)) };
  }

  #begin(address: string, stream: TextStream): void {
    const oldest = this.#streams.keys().next();
    if (this.#streams.size >= MOST_STREAMS && oldest.done === false) this.#streams.delete(oldest.value);
    this.#streams.set(address, stream);
  }

  /** Streams that a fact says the whole of, or the end: the item is complete, or its turn or step is over or gone. */
  #endedBy(fact: Fact): TextStream[] {
    const completed = fact.type === 'item.completed' && fact.turn !== undefined ? this.#streams.get(addressOf({ turn: fact.turn, item: fact.id })) : undefined;
    const over = [...this.#streams.values()].filter((stream) => {
      const place = this.#place(stream);
      return !place || place.isComplete || isOver(fact, stream);
    });
    return completed && !over.includes(completed) ? [...over, completed] : over;
  }

  #place({ turn, step, item }: { readonly turn: FactKey; readonly step?: FactKey | undefined; readonly item: string }): Located | undefined {
    const place = this.#fold.framePlace({ turn, step, item });
    return place?.stepId === undefined ? undefined : { ...place, stepId: place.stepId };
  }

  /** The frame of a stream: its item's own where facts showed it, else the next number behind the step's and those of streams that began before. */
  #located(stream: TextStream, place: Located): TranscriptFrame {
    if (place.frame) return this.#over(stream, place.frame);
    if (stream.kind === 'call') {
      return present<TranscriptFrame>({ kind: 'tool', frameId: toolFrameId(place.stepId, stream.item), toolCallId: stream.item, name: '', state: 'running', inputText: stream.input || undefined, progress: stream.progress });
    }
    let number = place.numbered + 1;
    for (const other of this.#streams.values()) {
      if (other === stream) break;
      const at = other.kind === 'call' ? undefined : this.#place(other);
      if (at && !at.frame && at.stepId === place.stepId) number += 1;
    }
    const id = frameId(place.stepId, number);
    return stream.kind === 'agentMessage' ? { kind: 'text', frameId: id, role: 'assistant', text: stream.text } : { kind: 'thinking', frameId: id, text: stream.text };
  }

  /** A frame that facts show, with what streamed on top. */
  #over(stream: TextStream, frame: TranscriptFrame): TranscriptFrame {
    switch (frame.kind) {
      case 'text': case 'thinking': return stream.text.length > frame.text.length ? { ...frame, text: stream.text } : frame;
      case 'tool': return present<TranscriptFrame>({ ...frame, inputText: stream.input || frame.inputText, progress: stream.progress ?? frame.progress });
      case 'notice': return frame;
    }
  }

  /** What a reader has to hear so that the stream's frame is as it should be. `more`: all that it has more than before, so that n units cost O(n) in all. */
  #told(stream: TextStream, frame: TranscriptFrame, more?: string): readonly TranscriptOperation[] {
    const place = this.#place(stream);
    if (!place) return none;
    const at = { turnId: place.turnId, stepId: place.stepId };
    const before = stream.shown?.stepId === place.stepId && stream.shown.frame.frameId === frame.frameId ? stream.shown.frame : undefined;
    if (frame.kind === 'tool' && before?.kind === 'tool' && before.progress === frame.progress && !stream.isInputDue()) return none;
    stream.shown = { stepId: place.stepId, frame };
    if (frame.kind !== 'text' && frame.kind !== 'thinking') return [{ op: 'frame.upsert', ...at, frame }];
    // Never cut out of the whole: that would write out all that streamed before for every piece.
    if (more !== undefined && before?.kind === frame.kind && frame.text.length === before.text.length + more.length) return appended(at, { frame, offset: before.text.length, text: more });
    return [{ op: 'frame.upsert', ...at, frame: { ...frame, text: '' } }, ...appended(at, { frame, offset: 0, text: frame.text })];
  }

  /**
   * Operations of facts, and then the streams again that they moved or wrote over. Frames stand in a reader's step in the order in which it heard of them;
   * where that is not the order of facts first and streams behind, or one is left over that is nobody's, only a `reset` puts it right.
   */
  #laidBehind(ops: readonly TranscriptOperation[], ended: readonly TextStream[]): readonly TranscriptOperation[] {
    const again: TranscriptOperation[] = [];
    for (const stream of ended) again.push(...this.#withoutStream(ops, stream));
    for (const stream of this.#streams.values()) {
      const place = this.#place(stream);
      if (!place) continue;
      const frame = this.#located(stream, place);
      if (stream.shown?.frame.frameId === frame.frameId && !touches(ops, frame.frameId)) continue;
      // Told whole: an operation of the facts may have written over it.
      stream.shown = undefined;
      again.push(...this.#told(stream, frame));
    }
    const all = [...ops, ...again];
    for (const op of all) this.#hear(op);
    const isInOrder = [...this.#heard].every(([stepId, heard]) => isSame(heard, this.#expected(stepId)));
    if (this.#streams.size === 0) this.#heard.clear();
    if (isInOrder && !ops.some(({ op }) => op === 'reset' || op === 'items.remove')) return all;
    for (const stepId of this.#heard.keys()) this.#heard.set(stepId, [...this.#expected(stepId)]);
    return [{ op: 'reset', agentId: this.#agentId, snapshot: this.snapshot() }];
  }

  /** A stream that ends leaves its frame as facts have it, where no operation of theirs says so. */
  #withoutStream(ops: readonly TranscriptOperation[], stream: TextStream): readonly TranscriptOperation[] {
    const { shown } = stream;
    const place = shown && this.#place(stream);
    if (!shown || !place?.frame || place.frame.frameId !== shown.frame.frameId || touches(ops, place.frame.frameId)) return none;
    return [{ op: 'frame.upsert', turnId: place.turnId, stepId: place.stepId, frame: place.frame }];
  }

  /** Frames of a step as they should stand: what facts show, then streams. */
  #expected(stepId: string): readonly string[] {
    const byFacts = this.#fold.frameIds(stepId);
    const known = new Set(byFacts);
    return [...byFacts, ...[...this.#streams.values()].flatMap(({ shown }) => (shown?.stepId === stepId && !known.has(shown.frame.frameId) ? [shown.frame.frameId] : []))];
  }

  #hear(op: TranscriptOperation): void {
    const heard = op.op === 'frame.upsert' ? this.#heard.get(op.stepId) : undefined;
    if (op.op === 'frame.upsert' && heard && !heard.includes(op.frame.frameId)) heard.push(op.frame.frameId);
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, at) => each === b[at]);

const appended = (at: { readonly turnId: string; readonly stepId: string }, { frame, offset, text }: { readonly frame: Extract<TranscriptFrame, { text: string }>; readonly offset: number; readonly text: string }): readonly TranscriptOperation[] =>
  (text === '' ? none : [{ op: 'append', target: { type: 'frame', ...at, frameId: frame.frameId }, offset, text }]);

const touches = (ops: readonly TranscriptOperation[], id: string): boolean => ops.some((op) => op.op === 'frame.upsert' && op.frame.frameId === id);

/** A turn or step that ends takes its open text with it: what its facts hold is what remains. */
const isOver = (fact: Fact, { turn, step }: TextStream): boolean => (fact.type === 'turn.ended' && fact.turn === turn) || (fact.type === 'step.ended' && fact.step === step);

function withStreams(turn: TranscriptTurn, bySteps: ReadonlyMap<string, ReadonlyMap<string, TranscriptFrame>>): TranscriptTurn {
  if (!turn.steps.some(({ stepId }) => bySteps.has(stepId))) return turn;
  return {
    ...turn, steps: turn.steps.map((step) => {
      const streams = bySteps.get(step.stepId);
      if (!streams) return step;
      const known = new Set(step.frames.map(({ frameId: id }) => id));
      return { ...step, frames: [...step.frames.map((frame) => streams.get(frame.frameId) ?? frame), ...[...streams].flatMap(([id, frame]) => (known.has(id) ? [] : [frame]))] };
    }),
  };
}
