import { type Interval, type TurnRow, type Word, isEffective, newestWord } from '@tapefold/threads';
import { longTime, shortTime } from './iso-time.js';
import type { Positions } from './positions.js';
import { orUndefined, unlessEmpty, unlessSince, unlessZero } from './sparse.js';

/** A turn as columns. `lastWord`: the highest position of what was said of it; `endedAt`: that of the end that counts; `state`: all else, as JSON. */
export interface TurnColumns {
  readonly position: number;
  readonly turnId: string;
  readonly isLive: boolean;
  readonly lastWord: number | null;
  readonly endedAt: number | null;
  readonly state: string;
}

/** A word, told from its turn on: its key is that of the fact at its position. */
type WordCells<W extends Word> = Omit<W, 'key' | 'effective' | 'at'> & { readonly effective?: readonly Interval[] | undefined; readonly at?: number | string | undefined };
type Timed = Word & { readonly at?: string | undefined };

interface TurnState extends Omit<TurnRow, 'key' | 'id' | 'tape' | 'position' | 'effective' | 'ends' | 'outlooks' | 'compactions' | 'isImplicit' | 'usage' | 'touched' | 'at'> {
  readonly at?: number | string | undefined;
  readonly isImplicit?: true | undefined;
  readonly effective?: readonly Interval[] | undefined;
  readonly ends?: readonly WordCells<TurnRow['ends'][number]>[] | undefined;
  readonly outlooks?: readonly WordCells<TurnRow['outlooks'][number]>[] | undefined;
  readonly compactions?: readonly WordCells<Word>[] | undefined;
  readonly usage?: TurnRow['usage'] | undefined;
  readonly touched?: number | undefined;
}

/** Where a turn's words are told from. */
interface From { readonly position: number; readonly ms: number }

const fromOf = (position: number, at: number | string | undefined): From => ({ position, ms: typeof at === 'number' ? at : 0 });

function cellsOf<W extends Timed>(word: W, from: From): WordCells<W> {
  const { key: _, effective, at, position, ...rest } = word;
  return { ...rest, position: position - from.position, effective: unlessSince(effective, position), at: shortTime(at, from.ms) } as unknown as WordCells<W>;
}

/** A turn as its columns. */
export function encodeTurn(row: TurnRow): TurnColumns {
  const { key: _key, id, tape: _tape, position, effective, ends, outlooks, compactions, usage, touched, isImplicit, at: recordedAt, ...header } = row;
  const words = [...ends, ...outlooks, ...compactions].map((word) => word.position);
  const at = shortTime(recordedAt);
  const from = fromOf(position, at);
  const state: TurnState = {
    ...header, at, isImplicit: isImplicit ? true : undefined, effective: unlessSince(effective, position), ends: unlessEmpty(ends.map((word) => cellsOf(word, from))), outlooks: unlessEmpty(outlooks.map((word) => cellsOf(word, from))),
    compactions: unlessEmpty(compactions.map((word) => cellsOf(word, from))), usage: orUndefined(usage), touched: unlessZero(touched - position),
  };
  return { position, turnId: id, isLive: isEffective(effective), lastWord: words.length === 0 ? null : Math.max(...words), endedAt: newestWord(ends)?.position ?? null, state: JSON.stringify(state) };
}

/** Words again, out of their cells, which are nobody else's. */
function wordsOf<W extends Timed>(list: readonly WordCells<W>[] | undefined, from: From, positions: Positions): W[] {
  for (const cells of list ?? []) {
    const word = cells as { position: number; key?: string; effective?: readonly Interval[] | undefined; at?: number | string | undefined };
    word.position += from.position;
    word.key = positions.key(word.position);
    word.effective ??= [[word.position, null]];
    if (word.at !== undefined) word.at = longTime(word.at, from.ms);
  }
  return (list ?? []) as unknown as W[];
}

/** A turn from its columns. */
export function decodeTurn({ position, turnId, state }: Pick<TurnColumns, 'position' | 'turnId' | 'state'>, positions: Positions): TurnRow {
  const { at, rootTurnId, startedAt, origin, settlesAs, isImplicit, effective, ends, outlooks, compactions, usage, touched } = JSON.parse(state) as TurnState;
  const from = fromOf(position, at);
  return {
    key: positions.key(position), id: turnId, tape: positions.tape(position), position, isImplicit: isImplicit === true, at: longTime(at), rootTurnId, startedAt, origin, settlesAs, effective: effective ?? [[position, null]],
    ends: wordsOf(ends, from, positions), outlooks: wordsOf(outlooks, from, positions), compactions: wordsOf(compactions, from, positions), usage: usage ?? null, touched: position + (touched ?? 0),
  };
}
