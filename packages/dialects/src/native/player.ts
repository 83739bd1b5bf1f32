import { type Fact, type JsonObject, type JsonValue, LARGE_TEXT_CHARS, type NativeLineError, type PlayedLine, type Player, type TapeIdentity, type TapeLine, carryLarge, decodeNativeRecord } from '@tapefold/facts';
import { type RecordAccount, accountOf } from '../line-account.js';
import { type LineRecords, recordsOf } from '../records.js';
import { countAt, present, stringAt } from '../shape.js';
import { type LostLine, type NativeState, checkpointOf, stateOf } from './state.js';

/*
 * A native tape: a header, then one fact a line, each with its ordinal.
 *
 *   ordinal = next       the fact, as it was written
 *   ordinal > next       facts were lost in between: a `record.damaged` for each, then the fact; but where no line before it shows damage,
 *                        the ordinal itself may be what is damaged: no fact, and the next line decides
 *   ordinal < next       written twice, or damaged: no fact, so that none is there twice
 *   no ordinal, damaged  no fact by itself: a lost one shows when the next ordinal comes
 *
 * Facts name each other by ordinal, so an ordinal is the one that was written, whatever happened to the lines around it.
 */

/** Lost facts that stand for nothing but a jump in the ordinals; a tape that jumps further is not one that a writer wrote, and its jumps are not believed. */
const MISSING_LIMIT = 100_000;
/** Lines without a fact whose reason and beginning are kept until the next fact. */
const LOST_LIMIT = 100;
const EXCERPT_CHARS = 200;

/** Where the facts of one line go. */
interface Output { readonly line: TapeLine; readonly span: { readonly offset: number; readonly length: number }; readonly facts: Fact[] }

/** Plays native tapes of every version ever written. A checkpoint that is none of its own starts anew. */
class NativePlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state: NativeState;

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    this.#state = stateOf(checkpoint);
  }

  checkpoint(): JsonValue {
    return checkpointOf(this.#state);
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const output: Output = { line, span: { offset: line.offset, length: line.length - (line.newlineBytes ?? (line.isTerminated ? 1 : 0)) }, facts: [] };
    const accounts = found.records.map((raw, record) => this.#record(raw, record, output));
    if (line.isTerminated) this.#noteLoss(found, line);
    return { facts: output.facts, account: accountOf(found, accounts) };
  }

  /** No writer leaves a line blank, so that too may have been a fact. */
  #noteLoss({ damage, isBlank }: LineRecords, { text = '' }: TapeLine): void {
    if (damage !== undefined && damage !== 'tornTail') this.#lose(damage, text);
    else if (isBlank) this.#lose('missing', text);
  }

  #record(raw: JsonObject, record: number, output: Output): RecordAccount {
    if (raw['tapefold'] !== undefined) return this.#header(raw, output);
    const ordinal = countAt(raw, 'ordinal');
    const name = stringAt(raw, 'type') ?? '(no type)';
    if (ordinal === undefined || ordinal < this.#state.next || !this.#isBelievable(ordinal)) {
      this.#lose('missing', output.line.text ?? '');
      return ordinal !== undefined && ordinal < this.#state.next ? { verdict: 'ignored', name: `${name} (ordinal again)` } : { verdict: 'unknown', name };
    }
    this.#fill(ordinal, output);
    const read = decodeNativeRecord(raw, { tape: this.#tape, version: this.#state.version, line: output.span });
    const fact: Fact = 'fact' in read ? read.fact : this.#unknown(raw, { ordinal, output, error: 'error' in read ? read.error : undefined });
    output.facts.push(output.line.length > LARGE_TEXT_CHARS ? carryLarge(fact, { tape: this.#tape, line: output.span, record, value: raw }) : fact);
    this.#state.next = ordinal + 1;
    return { verdict: 'fact' in read ? 'played' : 'unknown', name };
  }

  get #tape(): string {
    return this.#state.tape ?? this.#identity.tape;
  }

  #header(raw: JsonObject, { span }: Output): RecordAccount {
    const read = decodeNativeRecord(raw, { tape: this.#tape, version: this.#state.version, line: span });
    // The tape's name is in every key, so it cannot change once a fact was told.
    if ('header' in read && this.#state.next === 0) this.#state.tape ??= read.header.tape;
    const version = countAt(raw, 'version');
    const isUsable = 'header' in read || ('error' in read && read.error.code === 'newerVersion');
    if (isUsable && version !== undefined) this.#state.version = version;
    return { verdict: 'header' in read ? 'played' : 'unknown', name: 'header' };
  }

  #isBelievable(ordinal: number): boolean {
    const { next, missing, lost } = this.#state;
    return ordinal === next || (lost.length > 0 && ordinal - next - lost.length + missing <= MISSING_LIMIT);
  }

  /** Something stands for each fact that is lost, so that ordinals stay dense and as they were written. */
  #fill(ordinal: number, { facts, span }: Output): void {
    const { next, lost } = this.#state;
    this.#state.missing += Math.max(0, ordinal - next - lost.length);
    for (let at = next; at < ordinal; at += 1) {
      const { reason, excerpt } = lost[at - next] ?? { reason: 'missing' as const, excerpt: '' };
      facts.push({ type: 'record.damaged', tape: this.#tape, ordinal: at, line: span, reason, excerpt });
    }
    this.#state.lost = [];
  }

  #lose(reason: LostLine['reason'], text: string): void {
    if (this.#state.lost.length < LOST_LIMIT) this.#state.lost.push({ reason, excerpt: text.slice(0, EXCERPT_CHARS) });
  }

  /** A fact of tomorrow, or one with a field that is wrong: kept as it stands, at its ordinal. */
  #unknown(raw: JsonObject, { ordinal, output, error }: { ordinal: number; output: Output; error: NativeLineError | undefined }): Fact {
    const field = error?.code === 'newerVersion' ? 'version' : error?.message.split(':', 1)[0];
    const kept = output.line.length > LARGE_TEXT_CHARS ? undefined : raw;
    return present({
      type: 'record.unknown' as const, tape: this.#tape, ordinal, line: output.span, recordType: stringAt(raw, 'type') ?? '', why: field === 'type' ? ('type' as const) : ('shape' as const),
      field: field === 'type' ? undefined : field, raw: kept,
    });
  }
}

/** Names a native tape by its thread's id. */
export const nativeTape = (threadId: string): string => `native/${threadId}`;

/** A player for one native tape. The header's own name of the tape goes before the identity's: facts name each other by it. */
export function createNativePlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new NativePlayer(identity, checkpoint);
}

/** A checkpoint for playing a tape from the line of one of its facts on: nothing before it is needed, since facts say themselves what they touch. */
export function nativeCheckpoint({ tape, ordinal }: { readonly tape: string; readonly ordinal: number }): JsonValue {
  return checkpointOf({ ...stateOf(undefined), tape, next: ordinal });
}
