import { type Caption, type DroppedText, type Fact, type Published, type TextDelta, restoreLarge } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { TapeError } from '../errors.js';
import { PUBLISH_ANSWER_MS, PUBLISH_BATCH_CHARS, PUBLISH_BEAT_MS, PUBLISH_CLOSE_MS, PUBLISH_LAST_RETRY_MS, PUBLISH_LINE_BYTES, PUBLISH_PAUSE_MS, PUBLISH_RETRY_MS } from '../limits.js';
import type { Recorder } from '../recorder/recorder.js';
import type { RecorderSinks } from '../recorder/sinks.js';
import { Outbox } from './outbox.js';
import { type Outcome, type Post, fetchPost, outcomeOf } from './post.js';

/** What of a recorder a publisher needs. */
export type PublishedTape = Pick<Recorder, 'threadId' | 'path' | 'openTurn' | 'value' | 'facts'>;

/** Where to publish. `url`: the server's, as `http://127.0.0.1:58627`; `token`: what it asks for. */
export interface PublisherOptions {
  readonly url: string;
  readonly token?: string | undefined;
  /** How a request is sent; `fetch` where absent. */
  readonly post?: Post | undefined;
  /** Hears why nothing gets through (`TapeError`, `notReached` or `notTaken`), once for each reason until something does. Absent: it is a warning of the process. */
  readonly failed?: ((error: TapeError) => void) | undefined;
}

type Sinks = Required<{ [K in 'onFact' | 'onDelta' | 'onDropped']: NonNullable<RecorderSinks[K]> }>;

/**
 * Lets a server's readers follow what a recorder records, over `POST /api/v1/ingest`:
 *
 *     start ──▶ beginning ──taken──▶ in step ◀──▶ posting        a request every 25 ms at most, a sign of life every 10 s
 *                  ▲    └──gap──▶ behind ──────────┘  ▲           facts are read back from the tape, then the outbox goes on
 *                  │                 └──── outbox full, or the server lost facts
 *                  └── the server knows nothing of the thread any more
 *     any ──no answer──▶ the same again, after a pause            any ──never taken──▶ stopped
 *
 * Law: the server gets every fact, each once and in order; text on its way it gets or not. What is recorded never waits for the server. Its methods do not throw.
 */
export class Publisher implements Sinks {
  readonly #options: PublisherOptions;
  readonly #outbox = new Outbox();
  #tape: PublishedTape | undefined;
  /** Facts that the recorder told: so many are on the tape. */
  #told = 0;
  /** Facts that the server has. */
  #arrived = 0;
  #hasBegun = false;
  #owesTurn = false;
  #isStopped = false;
  #isClosing = false;
  #retryMs = PUBLISH_RETRY_MS;
  #said: string | undefined;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Begins, with a tape that was opened with these sinks. */
  start(tape: PublishedTape): void {
    if (this.#running) return;
    this.#tape = tape;
    this.#running = this.#run(tape);
  }

  readonly onFact = (fact: Fact, ordinal: number): void => {
    this.#told = ordinal + 1;
    if (!this.#tape) return;
    this.#outbox.fact(fact);
    this.#wake?.();
  };

  readonly onDelta = (delta: TextDelta): void => this.#pass({ type: 'delta', delta });
  readonly onDropped = (dropped: DroppedText): void => this.#pass({ type: 'dropped', dropped });
  /** Words as they are heard; no tape keeps them. */
  readonly caption = (caption: Caption): void => this.#pass({ type: 'caption', caption });

  /** Says the rest, as far as that is quick, and that the recorder is gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake?.();
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.#running, new Promise<void>((resolve) => { timer = setTimeout(resolve, PUBLISH_CLOSE_MS); })]);
    clearTimeout(timer);
    this.#isStopped = true;
    this.#wake?.();
  }

  #pass(record: Exclude<Published, { type: 'fact' }>): void {
    if (!this.#tape || this.#isStopped) return;
    this.#outbox.passing(record);
    this.#wake?.();
  }

  async #run(tape: PublishedTape): Promise<void> {
    try {
      while (!this.#isStopped) {
        if (!this.#hasBegun) await this.#begin(tape);
        else if (this.#outbox.isBehind) await this.#catchUp(tape);
        else if (!this.#outbox.isEmpty || this.#owesTurn) await this.#sendNext(tape);
        else if (this.#isClosing) return void await this.#post(tape, [{ type: 'left' }]);
        else if (!await this.#news(PUBLISH_BEAT_MS)) this.#note((await this.#post(tape, []))?.next);
      }
    } catch (error) {
      // The tape could not be read back.
      this.#stop(error instanceof TapeError ? error : new TapeError('notTaken', { path: tape.path, cause: error }));
    }
  }

  /** From what waits on, where the server has a file that says the rest; else it is told all. */
  async #begin(tape: PublishedTape): Promise<void> {
    const from = this.#outbox.isBehind ? this.#told : this.#outbox.firstOrdinal ?? this.#told;
    this.#outbox.rejoin();
    let outcome = await this.#post(tape, [{ type: 'begin', from }]);
    if (outcome?.kind === 'gap') outcome = await this.#post(tape, [{ type: 'begin', from: 0 }]);
    if (outcome?.kind !== 'taken') return;
    this.#hasBegun = true;
    this.#owesTurn = true;
    this.#arrived = outcome.next;
    if (outcome.next < from) this.#outbox.fallBehind();
  }

  async #catchUp(tape: PublishedTape): Promise<void> {
    while (this.#arrived < this.#told && !this.#isStopped) {
      const before = this.#arrived;
      for await (const facts of tape.facts(this.#arrived)) {
        // What waits for its barrier is on the tape, and not to be told yet.
        for (const batch of batches(facts.filter(({ ordinal }) => ordinal < this.#told))) if (!await this.#sendUntil(tape, batch)) return;
      }
      if (this.#arrived === before) throw new TapeError('changedWhileReading', { path: tape.path });
    }
    this.#outbox.rejoin();
  }

  /** Sends facts until they arrive. False: another story begins, or none. */
  async #sendUntil(tape: PublishedTape, facts: readonly Fact[]): Promise<boolean> {
    const next = (facts.at(-1)?.ordinal ?? -1) + 1;
    while (!this.#isStopped && this.#hasBegun && this.#arrived < next) {
      const outcome = await this.#post(tape, facts.map((fact): Published => ({ type: 'fact', fact })));
      if (outcome?.kind === 'taken') this.#note(outcome.next);
      else if (outcome?.kind === 'gap') this.#hasBegun = false;
    }
    return !this.#isStopped && this.#hasBegun;
  }

  async #sendNext(tape: PublishedTape): Promise<void> {
    const taken = this.#outbox.take(PUBLISH_BATCH_CHARS);
    const turn: Published[] = this.#owesTurn ? [{ type: 'runs', turn: tape.openTurn?.key ?? null }] : [];
    const outcome = await this.#post(tape, [...taken, ...turn]);
    if (outcome?.kind === 'taken') {
      this.#outbox.arrived();
      this.#owesTurn = false;
      this.#note(outcome.next);
      await this.#pause(PUBLISH_PAUSE_MS);
    } else if (outcome?.kind === 'gap') {
      this.#arrived = outcome.next;
      this.#outbox.from(outcome.next);
      if (outcome.next === 0) this.#hasBegun = false;
    } else this.#outbox.returned();
  }

  /** A server that has fewer facts than it had was started anew. */
  #note(next: number | undefined): void {
    if (next === undefined) return;
    if (next < this.#arrived) this.#hasBegun = false;
    else this.#arrived = next;
  }

  /** One request. Undefined: nobody took it, and another try may help; then the pause before that is over, too. */
  async #post(tape: PublishedTape, records: readonly Published[]): Promise<Extract<Outcome, { next: number }> | undefined> {
    const outcome = await this.#answered(tape, records.map((record) => lineOf(record, tape)).join('\n'));
    switch (outcome.kind) {
      case 'taken': case 'gap':
        this.#retryMs = PUBLISH_RETRY_MS;
        this.#said = undefined;
        return outcome;
      case 'never': this.#stop(new TapeError('notTaken', { path: tape.path, why: outcome.why })); return undefined;
      case 'later':
        this.#say(new TapeError('notReached', { path: tape.path, why: outcome.why }));
        if (this.#isClosing) { this.#isStopped = true; return undefined; }
        await this.#pause(this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, PUBLISH_LAST_RETRY_MS);
        return undefined;
    }
  }

  async #answered(tape: PublishedTape, body: string): Promise<Outcome> {
    const { url, token, post = fetchPost } = this.#options;
    const headers = { 'content-type': 'application/x-ndjson', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    try {
      return outcomeOf(await post({ url: `${url.replace(/\/+$/, '')}/api/v1/ingest?thread_id=${encodeURIComponent(tape.threadId)}`, headers, body, signal: AbortSignal.timeout(PUBLISH_ANSWER_MS) }));
    } catch (error) {
      return { kind: 'later', why: reasonOf(error) };
    }
  }

  #stop(error: TapeError): void {
    this.#isStopped = true;
    this.#say(error);
  }

  #say(error: TapeError): void {
    if (this.#said === error.message) return;
    this.#said = error.message;
    const { failed = (told: TapeError) => process.emitWarning(told) } = this.#options;
    try { failed(error); } catch { /* whoever listens harms nobody */ }
  }

  /** Whether something came before the time was up. */
  #news(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (isNews: boolean): void => { clearTimeout(timer); this.#wake = undefined; resolve(isNews); };
      const timer = setTimeout(done, ms, false);
      timer.unref();
      this.#wake = () => done(true);
    });
  }

  async #pause(ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (!this.#isClosing && !this.#isStopped && Date.now() < until) await this.#news(until - Date.now());
  }
}

/** A publisher to a server. Give its sinks to `openTape`, and the tape to `start`. */
export function publishTo(options: PublisherOptions): Publisher {
  return new Publisher(options);
}

/** A fact with its large texts where that is not too long for one request. */
function lineOf(record: Published, { value }: PublishedTape): string {
  const line = JSON.stringify(record);
  if (record.type !== 'fact' || !record.fact.large) return line;
  const read = (piece: Parameters<PublishedTape['value']>[0]): string | undefined => { const text = value(piece); return typeof text === 'string' ? text : undefined; };
  const whole = JSON.stringify({ ...record, fact: restoreLarge(record.fact, { refs: record.fact.large, read }) });
  return Buffer.byteLength(whole) > PUBLISH_LINE_BYTES ? line : whole;
}

function* batches(facts: readonly Fact[]): Generator<readonly Fact[]> {
  let [from, size] = [0, 0];
  for (const [i, { line }] of facts.entries()) {
    if (i > from && size + line.length > PUBLISH_BATCH_CHARS) {
      yield facts.slice(from, i);
      [from, size] = [i, 0];
    }
    size += line.length;
  }
  if (from < facts.length) yield facts.slice(from);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
