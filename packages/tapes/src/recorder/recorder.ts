import { type Fact, type FactDraft, type FactKey, type FactOf, type JsonValue, type LineSpan, type ModelItem, type Player, type RecordPath, type TapeIdentity, type TextDelta, type ThreadDetails, type Usage, textOfParts, valueAtPath } from '@tapefold/facts';
import { dirname } from 'node:path';
import { readLines } from '../read-lines.js';
import { readSpan } from '../read-span.js';
import { type BlobRef, writeBlob } from '../writer/blobs.js';
import type { TapeWriter } from '../writer/tape-writer.js';
import { type Content, partsOf } from './content.js';
import type { RecorderPen } from './recorder-pen.js';
import { type Compaction, addCompaction, bringBack, takeBack } from './rewriting.js';
import { TaskHandle, type TaskStart } from './task-handle.js';
import { type InputOptions, TurnHandle, addInput } from './turn-handle.js';

/** Settings that the next request is made with; what is absent stays as it was said last. */
export type ContextSettings = Pick<FactOf<'context.configured'>, 'cwd' | 'model' | 'effort' | 'approvalPolicy' | 'sandboxPolicy' | 'instructions' | 'native'>;

/** Context for the model that no person said. `system`, `developer`: instructions. */
export interface InjectedContext {
  readonly role: Extract<ModelItem, { kind: 'message' }>['role'];
  readonly content: Content;
}

/** What it is, for a document beside the tape. */
export interface DocumentOptions {
  readonly mediaType?: string | undefined;
}

interface RecorderParts { readonly writer: TapeWriter; readonly pen: RecorderPen; readonly threadId: string; readonly isNew: boolean; readonly createPlayer: (identity: TapeIdentity) => Player }

/** Longest beginning of a first prompt that becomes the thread's preview. */
const PREVIEW_CHARS = 4_000;

/**
 * Records one thread on its native tape. Ids come from here and are stable. Everything but `document`, `plan`, `barrier`, `close` and completions with a barrier is synchronous: when a call
 * returns, its facts are on the tape and a killed process loses none of them. Throws `TapeError`: `outOfOrder`, `badFact` and `tooLarge` write nothing and leave all as it was; after `diskFull`, `notWritable`,
 * `writeFailed` and `replacedWhileWriting` the tape takes nothing more until it is opened again.
 */
export class Recorder {
  readonly threadId: string;
  /** Whether the tape was begun by this recorder; else it goes on with it. */
  readonly isNew: boolean;
  readonly #writer: TapeWriter;
  readonly #pen: RecorderPen;
  readonly #createPlayer: RecorderParts['createPlayer'];
  #turn: TurnHandle | undefined;

  constructor({ writer, pen, threadId, isNew, createPlayer }: RecorderParts) {
    this.#writer = writer;
    this.#pen = pen;
    this.#createPlayer = createPlayer;
    this.threadId = threadId;
    this.isNew = isNew;
  }

  /** Name of the tape, as keys of its facts begin. */
  get tape(): string { return this.#writer.tape; }
  get path(): string { return this.#writer.path; }
  /** Facts on the tape. */
  get factCount(): number { return this.#writer.nextOrdinal; }
  /** The turn that runs; undefined between turns. */
  get openTurn(): TurnHandle | undefined { return this.#turn; }

  /** A turn begins, with what opened it. At most one runs at a time. */
  turn(input?: Content, options: InputOptions = {}): TurnHandle {
    this.#demandNoTurn('begin another');
    const id = `t${this.#pen.state.nextTurn}`;
    let key = '';
    this.#pen.write((add) => {
      const prompt = input === undefined || this.#pen.state.hasFirstPrompt || (options.visibility ?? 'shown') !== 'shown' ? '' : textOfParts(partsOf(input));
      if (prompt !== '') add({ type: 'thread.changed', details: { firstPrompt: prompt.slice(0, PREVIEW_CHARS) } });
      key = add({ type: 'turn.started', id, origin: options.origin ?? (input === undefined ? undefined : { kind: 'user' }), isImplicit: false, replacesOlder: false });
      if (input !== undefined) addInput(add, { turn: key, id: `${id}.u0`, content: input, as: 'opens', options });
    });
    this.#turn = new TurnHandle({ pen: this.#pen, key, id, onEnd: () => (this.#turn = undefined) });
    return this.#turn;
  }

  /** Takes back the newest turn that counts. Returns its key, or nothing where there is none. */
  undo(): FactKey[] { return this.#takeBack(1, 'undo'); }
  /** Takes back the newest turns that count; all, where there are fewer. */
  rollback(turns: number): FactKey[] { return this.#takeBack(turns, 'rollback'); }
  /** Brings back what was taken last, as long as no turn began since. */
  redo(): FactKey[] {
    this.#demandNoTurn('bring one back');
    return bringBack(this.#pen);
  }

  #takeBack(turns: number, reason: 'undo' | 'rollback'): FactKey[] {
    this.#demandNoTurn('take one back');
    return takeBack(this.#pen, turns, reason);
  }

  #demandNoTurn(what: string): void {
    if (this.#turn) this.#pen.refuse(`turn ${this.#turn.id} still runs, end it before you ${what}`);
  }

  /** The model's history becomes a summary; the tape and what a person sees stay. */
  compact(compaction: Compaction): void { this.#pen.write((add) => addCompaction(add, this.#pen, compaction)); }
  /** The model's history becomes empty. */
  clearContext(): void { this.append({ type: 'context.cleared' }); }
  /** Context that the program puts in front of the model; a person does not see it. */
  inject({ role, content }: InjectedContext): void {
    this.append({ type: 'context.appended', turn: this.#turn?.key, item: { kind: 'message', role, content: partsOf(content), visibility: 'injected' } });
  }

  /** What requests are made with from now on. */
  configure(settings: ContextSettings): void {
    const { cwd, model, effort } = settings;
    this.#pen.write((add) => {
      add({ type: 'context.configured', turn: this.#turn?.key, ...settings });
      if (cwd !== undefined || model !== undefined || effort !== undefined) add({ type: 'thread.changed', details: { cwd, model, effort } });
    });
  }

  /** What the thread is called, where it runs, whether it is archived. */
  describe(details: ThreadDetails): void { this.append({ type: 'thread.changed', details }); }
  /** The whole list of things to do, as it now is. */
  todos(entries: FactOf<'todo.replaced'>['entries'], explanation?: string): void { this.append({ type: 'todo.replaced', turn: this.#turn?.key, entries, explanation }); }
  /** Tokens that no step says. */
  usage(usage: Usage, about: { readonly model?: string | undefined; readonly responseId?: string | undefined } = {}): void { this.append({ type: 'usage.recorded', turn: this.#turn?.key, usage, ...about }); }
  /** Something that the program tells the person. */
  notice(level: FactOf<'notice.posted'>['level'], code: string, text: string): void { this.append({ type: 'notice.posted', turn: this.#turn?.key, level, code, text }); }

  /** A task begins beside the turns. */
  task({ call, taskId, ...start }: TaskStart): TaskHandle {
    const references = { ...(this.#turn ? { turn: this.#turn.key } : {}), ...(call === undefined ? {} : { call }) };
    return new TaskHandle({ pen: this.#pen, references, task: { ...start, taskId: taskId ?? `task-${this.#pen.nextOrdinal}`, startedAtMs: this.#pen.nowMs() } });
  }

  /** Stores a document beside the tape, and says so on it. It is on the disk before the fact that names it is written. */
  async document(content: Uint8Array | string, { mediaType }: DocumentOptions = {}): Promise<BlobRef> {
    const blob = await writeBlob(dirname(this.path), content);
    this.append({ type: 'media.referenced', turn: this.#turn?.key, ...blob, mediaType, ownerTape: this.tape });
    return blob;
  }

  /** A revision of a plan, as a document beside the tape. */
  async plan(text: string, { planId = 'plan', version }: { readonly planId?: string | undefined; readonly version?: number | undefined } = {}): Promise<BlobRef> {
    const blob = await writeBlob(dirname(this.path), text);
    this.append({ type: 'plan.revised', turn: this.#turn?.key, planId, version, ...blob });
    return blob;
  }

  /** Any fact, for what this recorder has no word for. Returns its key. */
  append(draft: FactDraft): FactKey {
    let key = '';
    this.#pen.write((add) => (key = add(draft)));
    return key;
  }

  /** Text on its way that no handle of this recorder streams: the arguments of a call that is still being written. */
  delta(delta: TextDelta): void { this.#pen.delta(delta); }

  /** Reads back what a fact of this tape only points to: a string over 32 KiB, of which the fact has head and tail. Undefined where it is not on the tape. Never throws. */
  readonly value = ({ tape, line, record, path }: { readonly tape: string; readonly line: LineSpan; readonly record: number; readonly path: RecordPath }): JsonValue | undefined => {
    if (tape !== this.tape || record !== 0) return undefined;
    try {
      return valueAtPath(JSON.parse(readSpan(this.path, line).toString('utf8')), path);
    } catch {
      return undefined;
    }
  };

  /** Reads back the facts from an ordinal on that are on the tape by now, a batch of about one chunk of it at a time. Throws `TapeError`, as reading does. */
  async *facts(from = 0): AsyncGenerator<readonly Fact[], void> {
    const player = this.#createPlayer({ tape: this.tape });
    for await (const lines of readLines(this.path, { to: this.#writer.endOffset })) {
      const facts = lines.flatMap((line) => player.play(line).facts).filter(({ ordinal }) => ordinal >= from);
      if (facts.length > 0) yield facts;
    }
  }

  /** Resolves when all that was recorded is on the disk. */
  barrier(): Promise<void> { return this.#writer.barrier(); }

  /** Waits for the disk, and lets the tape go. A turn that is open stays so: readers settle it as interrupted. */
  close(): Promise<void> { return this.#writer.close(); }
}

