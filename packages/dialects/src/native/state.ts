import { type FactOf, type JsonValue, NATIVE_TAPE_VERSION, isJsonObject } from '@tapefold/facts';

/** A line that may have been a fact: why it is none, and how it begins. */
export type LostLine = Pick<FactOf<'record.damaged'>, 'reason' | 'excerpt'>;

/** What a native player remembers from line to line: which fact comes next, and what of the tape could not be read since the last one. */
export interface NativeState {
  /** Of the facts that follow; a tape whose header cannot be read is taken for one of the newest version. */
  version: number;
  /** As the header says it. */
  tape: string | undefined;
  /** The ordinal that the next fact has if nothing is lost. */
  next: number;
  /** Lines since the last fact that gave none, oldest first, as many as are kept: each may have been one. */
  lost: LostLine[];
  /** Facts that were lost without a line to show for it. */
  missing: number;
}

/** A new state each time, since a player changes it in place. */
export const initialState = (): NativeState => ({ version: NATIVE_TAPE_VERSION, tape: undefined, next: 0, lost: [], missing: 0 });

/** The state as a checkpoint carries it: JSON, with what is undefined left out. */
export function checkpointOf({ tape, ...state }: NativeState): JsonValue {
  return JSON.parse(JSON.stringify(tape === undefined ? state : { ...state, tape })) as JsonValue;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The state that a checkpoint holds; one of another player's starts anew. Never throws. */
export function stateOf(checkpoint: JsonValue | undefined): NativeState {
  if (!isJsonObject(checkpoint)) return initialState();
  const { version, tape, next, lost, missing } = checkpoint;
  if (typeof version !== 'number' || !isCount(next) || !isCount(missing) || !Array.isArray(lost)) return initialState();
  return { version, tape: typeof tape === 'string' ? tape : undefined, next, missing, lost: JSON.parse(JSON.stringify(lost)) as LostLine[] };
}
