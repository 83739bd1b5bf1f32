import { FIRST_RETRY_MS, LAST_RETRY_MS, SILENT_HEARTBEATS } from '../limits.js';
import { type ServerFrame, decodeFrame } from '../wire/server-frames.js';
import type { Connection, TranscriptTransport } from './transport.js';

/** `connecting`: not yet, or again; `why` says what ended the last connection. */
export type LinkState = { readonly kind: 'connecting'; readonly why?: string | undefined } | { readonly kind: 'open' } | { readonly kind: 'closed' };

/** The answer to a control frame. `lost`: the connection ended before it came. */
export type Ack = Extract<ServerFrame, { type: 'ack' }> | { readonly type: 'lost' };
type TranscriptFrame = Extract<ServerFrame, { type: 'transcript.reset' | 'transcript.ops' }>;

/** What the owner of a link hears. */
export interface LinkEvents {
  readonly changed: (state: LinkState) => void;
  readonly frame: (frame: TranscriptFrame) => void;
}

/** One connection that is made again whenever it ends: hello, pings, acks, and longer pauses while nobody answers. */
export class Link {
  private state: LinkState = { kind: 'connecting' };
  private connection: Connection | undefined;
  private readonly acks = new Map<string, (ack: Ack) => void>();
  private lastId = 0;
  private retryMs = FIRST_RETRY_MS;
  private stopRetry: (() => void) | undefined;
  private stopWatch: (() => void) | undefined;
  private heartbeatMs: number | undefined;

  constructor(private readonly transport: TranscriptTransport, private readonly clientId: string, private readonly events: LinkEvents) {
    this.connect();
  }

  /** Sends a control frame; the answer comes once, `lost` at the latest when the connection ends. */
  request(type: string, payload: object, answered: (ack: Ack) => void): void {
    if (this.connection === undefined) return answered({ type: 'lost' });
    this.lastId += 1;
    const id = String(this.lastId);
    this.acks.set(id, answered);
    this.connection.send(JSON.stringify({ type, id, payload }));
  }

  close(): void {
    if (this.state.kind === 'closed') return;
    this.stopRetry?.();
    const { connection } = this;
    this.drop();
    this.enter({ kind: 'closed' });
    connection?.close();
  }

  private enter(state: LinkState): void {
    this.state = state;
    this.events.changed(state);
  }

  private connect(): void {
    const connection: Connection = this.transport.connect({
      opened: () => undefined,
      frame: (text) => { if (this.connection === connection) this.take(text, connection); },
      closed: (reason) => { if (this.connection === connection) this.lose(reason); },
    });
    this.connection = connection;
  }

  private take(text: string, connection: Connection): void {
    this.watch(connection);
    const frame = decodeFrame(text);
    switch (frame.type) {
      case 'server_hello': this.heartbeatMs = frame.payload.heartbeat_ms; return this.greet();
      case 'ping': return connection.send(JSON.stringify({ type: 'pong', payload: { nonce: frame.payload.nonce } }));
      case 'ack': return this.answer(frame);
      case 'transcript.reset':
      case 'transcript.ops': return this.events.frame(frame);
      // What this client does not know it cannot miss; what it should know and cannot read leaves a hole, so the connection is made anew.
      case 'unknown': return undefined;
      case 'broken': connection.close(); return this.lose(frame.reason);
    }
  }

  private greet(): void {
    this.request('client_hello', { client_id: this.clientId }, (ack) => {
      if (ack.type === 'lost') return;
      if (ack.code === 0) { this.retryMs = FIRST_RETRY_MS; return this.enter({ kind: 'open' }); }
      this.connection?.close();
      this.lose(ack.msg ?? `the server refused the connection (code ${ack.code})`);
    });
  }

  private answer(ack: Extract<Ack, { type: 'ack' }>): void {
    const answered = this.acks.get(ack.id);
    this.acks.delete(ack.id);
    answered?.(ack);
  }

  /** A server that says how often it pings and then does not is gone, though the connection may not know it. */
  private watch(connection: Connection): void {
    this.stopWatch?.();
    this.stopWatch = undefined;
    if (this.heartbeatMs === undefined) return;
    this.stopWatch = this.transport.schedule(this.heartbeatMs * SILENT_HEARTBEATS, () => {
      if (this.connection !== connection) return;
      connection.close();
      this.lose('the server fell silent');
    });
  }

  private drop(): void {
    this.connection = undefined;
    this.stopWatch?.();
    this.stopWatch = undefined;
    const waiting = [...this.acks.values()];
    this.acks.clear();
    for (const answered of waiting) answered({ type: 'lost' });
  }

  private lose(why: string): void {
    this.drop();
    this.enter({ kind: 'connecting', why });
    this.stopRetry = this.transport.schedule(this.retryMs, () => this.connect());
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }
}
