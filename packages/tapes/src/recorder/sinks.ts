import type { DroppedText, Fact, TextDelta } from '@tapefold/facts';

/**
 * Where a recorder tells what it records. All of it is told in order and synchronously; one that throws harms neither the tape nor the others.
 * `onFact` gets each fact with its ordinal when it is on the tape (behind the barrier, where one was asked for); first those that an opened tape holds already.
 */
export interface RecorderSinks {
  readonly onFact?: ((fact: Fact, ordinal: number) => void) | undefined;
  readonly onDelta?: ((delta: TextDelta) => void) | undefined;
  readonly onDropped?: ((dropped: DroppedText) => void) | undefined;
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
