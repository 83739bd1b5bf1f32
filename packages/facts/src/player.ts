import type { LineSpan } from './envelope.js';
import type { Fact } from './fact.js';
import type { JsonValue } from './json.js';
import type { TapeId } from './keys.js';
import type { LineAccount } from './ledger.js';

/**
 * One line of a tape as a reader of bytes hands it over. `text` has no terminator. Where the line holds a byte that is no UTF-8 (`invalidUtf8`) it is the
 * text before that byte, since a whole record may stand there; a line over the reader's limit (`tooLong`) comes without text. `length` counts the newline,
 * which the lines of facts leave out.
 */
export interface TapeLine extends LineSpan {
  readonly text: string | undefined;
  readonly flaw?: 'invalidUtf8' | 'tooLong' | undefined;
  /** False only for a last line without a newline (in a document, for a torn value). */
  readonly isTerminated: boolean;
  /** Bytes of `length` that are the newline: absent, 1 for a terminated line. Values of a document have none. */
  readonly newlineBytes?: 0 | 1 | undefined;
}

/** What `play` made of a line: its facts (dense ordinals, in order) and its place in the ledger. */
export interface PlayedLine {
  readonly facts: readonly Fact[];
  readonly account: LineAccount;
}

/**
 * The state machine that turns the lines of one tape into facts. Laws: never throws; the facts of a prefix of lines are a prefix of the facts;
 * `checkpoint()` after any line, through JSON and given to a new player, goes on as if it had never stopped
 * (a checkpoint to go on from is never kept behind an unterminated line: that line is read again when the file grows).
 */
export interface Player {
  play(line: TapeLine): PlayedLine;
  checkpoint(): JsonValue;
}

/** What a player is told of its tape before the first line. */
export interface TapeIdentity {
  readonly tape: TapeId;
  /** Native thread id and time as the file's name says them, where it does. */
  readonly namedThreadId?: string | undefined;
  readonly namedCreatedAt?: string | undefined;
}
