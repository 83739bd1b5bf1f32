/** Ends what was begun; a second time does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Who is told of something. One that throws harms nobody: the others are told, and the one who told goes on. */
export class Listeners<Event> {
  private readonly all = new Set<{ readonly listener: (event: Event) => void }>();
  private readonly waiting: Event[] = [];
  private readonly onError: (error: unknown) => void;
  private isTelling = false;

  /** `onError` is given what a listener threw. What it throws itself is dropped. */
  constructor(onError: (error: unknown) => void) {
    this.onError = onError;
  }

  add(listener: (event: Event) => void): Disposable {
    const entry = { listener };
    this.all.add(entry);
    return { dispose: () => void this.all.delete(entry) };
  }

  /** Tells all who listen now. An event that a listener brings about is told after this one, so that all hear the same order. */
  tell(event: Event): void {
    if (this.all.size === 0) return;
    this.waiting.push(event);
    if (this.isTelling) return;
    this.isTelling = true;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) this.tellAll(next);
    this.isTelling = false;
  }

  private tellAll(event: Event): void {
    const listening = Array.from(this.all);
    for (const entry of listening) if (this.all.has(entry)) this.tellOne(entry.listener, event);
  }

  private tellOne(listener: (event: Event) => void, event: Event): void {
    try {
      listener(event);
    } catch (error) {
      this.report(error);
    }
  }

  private report(error: unknown): void {
    try {
      this.onError(error);
    } catch {
      // Who reports errors is a listener too: it may harm nobody.
    }
  }
}

/** How a store treats what its listeners throw. */
export interface ListenerOptions {
  /** Given what a listener threw; by default that is dropped. */
  readonly onListenerError?: ((error: unknown) => void) | undefined;
}

export const listenersOf = <Event>({ onListenerError }: ListenerOptions): Listeners<Event> => new Listeners<Event>(onListenerError ?? (() => undefined));
