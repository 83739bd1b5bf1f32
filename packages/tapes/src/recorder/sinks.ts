import type { Fact, FactKey, TapeId } from '@tapefold/facts';

/**
 * Text that is still streaming, for whoever watches. It is no fact: it is never stored, and means nothing once its item is complete. `offset` counts UTF-16
 * units of the field's text, so that a watcher appends where it fits and notices when it missed something. An item whose deltas have no fact yet is shown as running.
 */
export interface Delta {
  readonly tape: TapeId;
  readonly turn: FactKey;
  readonly step?: FactKey | undefined;
  /** The item's id inside its turn, as its facts will have it. */
  readonly item: string;
  readonly kind: 'agentMessage' | 'reasoning' | 'call';
  /** Which text grows: a message's, one part of a reasoning's (`index`), a call's input or its output. */
  readonly field: 'text' | 'summary' | 'content' | 'input' | 'output';
  readonly index?: number | undefined;
  readonly offset: number;
  readonly text: string;
}

/** The text that was streamed under an id will never be complete: a failed attempt, which is made again. */
export interface DroppedItem {
  readonly tape: TapeId;
  readonly turn: FactKey;
  readonly item: string;
}

/**
 * Where a recorder tells what it records. All of it is told in order and synchronously; one that throws harms neither the tape nor the others.
 * `onFact` gets each fact with its ordinal when it is on the tape (behind the barrier, where one was asked for); first those that an opened tape holds already.
 */
export interface RecorderSinks {
  readonly onFact?: ((fact: Fact, ordinal: number) => void) | undefined;
  readonly onDelta?: ((delta: Delta) => void) | undefined;
  readonly onDropped?: ((item: DroppedItem) => void) | undefined;
  /** What one of the others threw. Absent: it becomes a warning of the process. */
  readonly onSinkError?: ((error: unknown) => void) | undefined;
}

/** Calls a sink; what it throws is its own matter. */
export function tell<T extends readonly unknown[]>(sinks: RecorderSinks, sink: ((...args: T) => void) | undefined, ...args: T): void {
  try {
    sink?.(...args);
  } catch (error) {
    if (sinks.onSinkError) sinks.onSinkError(error);
    else process.emitWarning(error instanceof Error ? error : String(error));
  }
}

