/** What a connection tells. `opened` comes once, `closed` once and last; both never from inside `connect`. */
export interface ConnectionEvents {
  readonly opened: () => void;
  readonly frame: (text: string) => void;
  readonly closed: (reason: string) => void;
}

/** One connection: texts out, and an end. Sending on a closed one does nothing. */
export interface Connection {
  send(text: string): void;
  close(): void;
}

/**
 * How the client reaches a server, and the only way in which it touches the world: the WebSocket at `/api/v1/ws`, `GET` below `/api/v1` (`path` begins
 * with `/sessions/…`; gives the envelope's `data`, rejects with a sentence), and a clock.
 */
export interface TranscriptTransport {
  connect(events: ConnectionEvents): Connection;
  get(path: string): Promise<unknown>;
  /** Runs `run` once after `delayMs`; the answer takes it back. */
  schedule(delayMs: number, run: () => void): () => void;
}
