import { type TranscriptSubscribeV2Payload, transcriptSubscribeV2PayloadSchema, transcriptUnsubscribeV2PayloadSchema } from '@tapefold/transcript';
import type { WebSocket } from 'ws';
import type { TokenCheck } from '../guard/token.js';
import { FOLLOWED_SESSIONS, WAITING_FRAMES } from '../limits.js';
import { newUlid } from '../rest/request-id.js';
import { CODES } from '../rest/codes.js';
import { closeSocket } from '../sockets/heartbeat.js';
import { TextMessages } from '../messages/text-messages.js';
import { Followed } from './followed.js';
import { type ClientFrame, ackFrame, clientFrameSchema, helloFrame, helloPayloadSchema, opsFrame, pingFrame, resetFrame, subscribePayloadSchema, unsubscribePayloadSchema } from './frames.js';
import type { Batch, EventCursor, LiveSource, TranscriptSink } from './live-source.js';

/** What a connection needs from its host. */
export interface TranscriptHost {
  readonly live: LiveSource;
  /** Undefined: no token is asked for. */
  readonly token: TokenCheck | undefined;
  readonly heartbeatMs: number;
  readonly nowMs: () => number;
  readonly log: (text: string) => void;
}

/** Batches written out, in UTF-8. */
const writtenBatches = new WeakMap<Batch, Promise<Buffer>>();

type Cursors = Readonly<Record<string, { readonly seq: number; readonly epoch?: string | undefined }>>;
interface Taken { readonly accepted: string[]; readonly notFound: string[]; readonly resync: string[]; readonly cursors: Record<string, EventCursor> }

/** Whether events of a client's cursor and ours are of one row; a client that is ahead, or of another epoch, has to load the session anew. */
function isBehind(given: Cursors[string] | undefined, cursor: EventCursor): boolean {
  return given === undefined || ((given.epoch === undefined || given.epoch === cursor.epoch) && given.seq <= cursor.seq);
}

/**
 * One client of the transcript WebSocket:
 *
 *     server_hello ──▶ client_hello? ──▶ subscribe · subscribe_v2 · unsubscribe · unsubscribe_v2, each acked, strictly in order of arrival
 *     ping ──▶ pong, for ever; silence for two pings ends the connection
 *
 * What a subscription has to send (baselines, batches that were missed) goes before its ack.
 */
export class TranscriptSocket {
  readonly #socket: WebSocket;
  readonly #host: TranscriptHost;
  readonly #messages: TextMessages;
  readonly #followed: Followed;
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isHeard = true;

  constructor(socket: WebSocket, host: TranscriptHost) {
    this.#socket = socket;
    this.#host = host;
    this.#messages = new TextMessages(socket);
    this.#followed = new Followed(host.live, { sinkOf: (sessionId) => this.#sink(sessionId), limit: FOLLOWED_SESSIONS });
    const beat = setInterval(() => this.#beat(), host.heartbeatMs);
    beat.unref();
    socket.on('message', (data: Buffer, isBinary) => { if (!isBinary) this.#take(data.toString('utf8')); });
    socket.on('error', (error) => host.log(`a WebSocket was closed: ${error.message}`));
    socket.on('close', () => {
      clearInterval(beat);
      this.#followed.dropAll();
    });
    void this.#send(helloFrame({ connectionId: `conn_${newUlid(host.nowMs())}`, heartbeatMs: host.heartbeatMs, at: this.#at }));
  }

  /** Lets frames that were taken be answered, then says goodbye. */
  async stop(graceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.#turn, new Promise<void>((resolve) => { timer = setTimeout(resolve, graceMs); })]);
    clearTimeout(timer);
    await closeSocket(this.#socket, Math.min(graceMs, 1_000));
  }

  get #at(): string {
    return new Date(this.#host.nowMs()).toISOString();
  }

  #send(frame: object): Promise<void> {
    return this.#messages.send([JSON.stringify(frame)]);
  }

  /** All readers of a batch at one grade get the same bytes, so it is written out once. */
  async #sendBatch(batch: Batch, around: () => Promise<Parameters<typeof opsFrame>[1]>): Promise<void> {
    const written = writtenBatches.get(batch) ?? around().then((at) => Buffer.from(JSON.stringify(opsFrame(batch, at))));
    writtenBatches.set(batch, written);
    return this.#messages.sendWhole(await written);
  }

  #sink(sessionId: string): TranscriptSink {
    const around = async () => ({ sessionId, at: this.#at, cursor: (await this.#host.live.cursorOf(sessionId)) ?? { seq: 0, epoch: '' } });
    return {
      reset: async (baseline) => this.#send(resetFrame(baseline, await around())),
      ops: (batch) => this.#sendBatch(batch, around),
    };
  }

  #beat(): void {
    if (!this.#isHeard) return this.#socket.close(1001, 'heartbeat timeout');
    this.#isHeard = false;
    void this.#send(pingFrame(newUlid(this.#host.nowMs()), this.#at));
  }

  #take(text: string): void {
    this.#isHeard = true;
    const frame = readFrame(text);
    if (!frame) return;
    if (this.#waiting >= WAITING_FRAMES) return this.#socket.close(1008, 'too many frames at once');
    this.#waiting += 1;
    this.#turn = this.#turn.then(() => this.#answer(frame)).catch((error: unknown) => {
      this.#host.log(`${frame.type} failed: ${error instanceof Error ? error.message : String(error)}`);
      return this.#send(ackFrame(frame.id, {}, { code: CODES.internal, msg: 'internal error' }));
    }).finally(() => { this.#waiting -= 1; });
  }

  async #answer(frame: ClientFrame): Promise<void> {
    switch (frame.type) {
      case 'client_hello': return this.#hello(frame);
      case 'subscribe': return this.#subscribe(frame);
      case 'unsubscribe': return this.#unsubscribe(frame);
      case 'subscribe_v2': return this.#subscribeV2(frame);
      case 'unsubscribe_v2': return this.#unsubscribeV2(frame);
      // Pongs, and what newer clients say.
      default: return undefined;
    }
  }

  async #hello({ id, payload }: ClientFrame): Promise<void> {
    const hello = helloPayloadSchema.safeParse(payload);
    if (!hello.success) return this.#refuse(id, 'client_hello');
    const { subscriptions, cursors, token } = hello.data;
    if (token !== undefined && this.#host.token?.(token) === false) {
      await this.#send(ackFrame(id, {}, { code: CODES.tokenUnauthorized, msg: 'unauthorized' }));
      return this.#socket.close(1008, 'unauthorized');
    }
    const taken = await this.#events(subscriptions, cursors);
    await this.#send(ackFrame(id, { accepted_subscriptions: taken.accepted, resync_required: taken.resync, cursors: taken.cursors }));
  }

  async #subscribe({ id, payload }: ClientFrame): Promise<void> {
    const asked = subscribePayloadSchema.safeParse(payload);
    if (!asked.success) return this.#refuse(id, 'subscribe');
    const { accepted, notFound, resync, cursors } = await this.#events(asked.data.session_ids, asked.data.cursors);
    await this.#send(ackFrame(id, { accepted, not_found: notFound, resync_required: resync, cursors }));
  }

  async #unsubscribe({ id, payload }: ClientFrame): Promise<void> {
    const asked = unsubscribePayloadSchema.safeParse(payload);
    if (!asked.success) return this.#refuse(id, 'unsubscribe');
    for (const sessionId of asked.data.session_ids) this.#followed.drop(sessionId);
    await this.#send(ackFrame(id, { accepted: [], not_found: [], resync_required: [] }));
  }

  async #subscribeV2({ id, payload }: ClientFrame): Promise<void> {
    const asked = transcriptSubscribeV2PayloadSchema.safeParse(payload);
    if (!asked.success) return this.#refuse(id, 'subscribe_v2');
    const { session_id: sessionId, transcript: grades, transcript_since: since, transcript_epoch: epoch }: TranscriptSubscribeV2Payload = asked.data;
    const cursor = await this.#followed.transcripts(sessionId, { grades, since, epoch });
    const [accepted, notFound] = cursor ? [[sessionId], []] : [[], [sessionId]];
    await this.#send(ackFrame(id, { accepted, not_found: notFound, resync_required: [], cursors: cursor ? { [sessionId]: cursor } : {} }));
  }

  async #unsubscribeV2({ id, payload }: ClientFrame): Promise<void> {
    const asked = transcriptUnsubscribeV2PayloadSchema.safeParse(payload);
    if (!asked.success) return this.#refuse(id, 'unsubscribe_v2');
    await this.#followed.detach(asked.data.session_id, asked.data.agent_ids);
    await this.#send(ackFrame(id, { accepted: [asked.data.session_id], not_found: [], resync_required: [] }));
  }

  #refuse(id: string | undefined, type: string): Promise<void> {
    return this.#send(ackFrame(id, {}, { code: 1, msg: `invalid ${type} payload` }));
  }

  async #events(sessionIds: readonly string[], given: Cursors): Promise<Taken> {
    const taken: Taken = { accepted: [], notFound: [], resync: [], cursors: {} };
    for (const sessionId of sessionIds) {
      const cursor = await this.#followed.events(sessionId);
      (cursor ? taken.accepted : taken.notFound).push(sessionId);
      if (!cursor) continue;
      taken.cursors[sessionId] = cursor;
      if (!isBehind(given[sessionId], cursor)) taken.resync.push(sessionId);
    }
    return taken;
  }
}

function readFrame(text: string): ClientFrame | undefined {
  try {
    return clientFrameSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
