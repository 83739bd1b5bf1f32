import { FIRST_RETRY_MS, LAST_RETRY_MS } from '../limits.js';
import type { FollowedGrade, NumberedBatch, SyncEvent, SyncRequest, SyncState } from '../sync/sync-state.js';
import { advanceSync, createSync, syncRequests } from '../sync/sync.js';
import type { TranscriptOpsCatchupResponse } from '@tapefold/transcript';
import { decodeCatchUp, decodePage } from '../wire/server-frames.js';
import type { Ack } from './link.js';

/** How much of which agent: by id, `*` for all others. An agent that no key names is not followed. */
export type FollowedGrades = Readonly<Record<string, FollowedGrade>>;

/** Told after each change. */
export type SyncListener = (agentId: string, state: SyncState) => void;

/** What a session needs of its client. */
export interface SessionPort {
  readonly request: (type: string, payload: object, answered: (ack: Ack) => void) => void;
  readonly get: (path: string) => Promise<unknown>;
  /** Runs something once, later; the answer takes it back. */
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  /** A listener threw: it harms nobody else, and its owner hears of it. */
  readonly failed: (error: unknown) => void;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const numbered = (data: TranscriptOpsCatchupResponse): readonly NumberedBatch[] => data.batches.map((batch) => ({ ...batch, ...(data.epoch === undefined ? {} : { epoch: data.epoch }) }));

/** One session as a client follows it: a state for each agent, kept in step with the server. */
export class SessionFollow {
  private readonly states = new Map<string, SyncState>();
  private readonly listeners = new Set<SyncListener>();
  private isConnected = false;
  private retryMs = FIRST_RETRY_MS;
  private stopRetry: (() => void) | undefined;

  constructor(readonly sessionId: string, private grades: FollowedGrades, private readonly port: SessionPort) {
    for (const agentId of Object.keys(grades)) if (agentId !== '*') this.states.set(agentId, createSync(this.gradeOf(agentId)));
  }

  /** Ids of the agents that are followed and known so far. */
  agents(): readonly string[] { return [...this.states.keys()]; }

  /** How the client stands with an agent; undefined where it is not followed, or not heard of yet. */
  state(agentId: string): SyncState | undefined { return this.states.get(agentId); }

  onChange(listener: SyncListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Loads the next older turns; the answer says nothing, the change does. */
  askOlder(agentId: string): void { this.feed(agentId, { type: 'askOlder' }); }

  /** Another grade for an agent. */
  regrade(agentId: string, grade: FollowedGrade): void {
    this.grades = { ...this.grades, [agentId]: grade };
    this.feed(agentId, { type: 'regrade', grade });
  }

  /** The connection stands, or is gone. */
  connected(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    this.stopRetry?.();
    this.stopRetry = undefined;
    if (isConnected) this.ask();
    else this.subscribeAll(false);
  }

  /** Of a session of which no agent is known yet, whoever there is is asked for. */
  private ask(): void {
    if (this.subscribeAll(true) || !('*' in this.grades)) return;
    this.port.request('subscribe_v2', { session_id: this.sessionId, transcript: this.grades }, (ack) => {
      if (this.isConnected && ack.type !== 'lost' && this.refusalIn(ack) !== undefined) this.retryLater();
    });
  }

  /** Every agent asks at once, so that one frame carries them all. */
  private subscribeAll(isConnected: boolean): boolean {
    const requests = [...this.states.keys()].flatMap((agentId) => this.step(agentId, { type: isConnected ? 'connected' : 'lost' }));
    for (const agentId of this.states.keys()) this.tell(agentId);
    this.send(requests);
    return requests.length > 0;
  }

  /** A frame of this session. An agent that joined later begins with its first one. */
  feed(agentId: string, event: SyncEvent): void {
    if (!this.states.has(agentId)) {
      if (!('*' in this.grades) && !(agentId in this.grades)) return;
      // The subscription that this state would ask for stands already: it is the wildcard's.
      this.states.set(agentId, advanceSync(createSync(this.gradeOf(agentId)), { type: 'connected' }));
    }
    const before = this.states.get(agentId);
    const requests = this.step(agentId, event);
    if (this.states.get(agentId) !== before) this.tell(agentId);
    this.send(requests);
  }

  private gradeOf(agentId: string): FollowedGrade { return this.grades[agentId] ?? this.grades['*'] ?? 'delta'; }

  private step(agentId: string, event: SyncEvent): readonly { readonly agentId: string; readonly request: SyncRequest }[] {
    const before = this.states.get(agentId);
    if (before === undefined) return [];
    const after = advanceSync(before, event);
    this.states.set(agentId, after);
    if (after.kind === 'live' && before.kind !== 'live') this.retryMs = FIRST_RETRY_MS;
    if (after.kind === 'refused') this.retryLater();
    return syncRequests(before, after).map((request) => ({ agentId, request }));
  }

  /** A server that just started may not know yet of a session that is only recorded, and says nothing when it does. */
  private retryLater(): void {
    this.stopRetry ??= this.port.schedule(this.retryMs, () => {
      this.stopRetry = undefined;
      this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
      this.ask();
    });
  }

  private tell(agentId: string): void {
    const state = this.states.get(agentId);
    if (state === undefined) return;
    for (const listener of this.listeners) try { listener(agentId, state); } catch (error) { this.port.failed(error); }
  }

  private send(asked: readonly { readonly agentId: string; readonly request: SyncRequest }[]): void {
    const subscriptions = new Map<string, { readonly id: number; readonly since: number | undefined }>();
    for (const { agentId, request } of asked) {
      switch (request.kind) {
        case 'subscribe': subscriptions.set(agentId, { id: request.id, since: request.since }); break;
        case 'catchUp': this.load(agentId, request.id, this.catchUp(agentId, request.since)); break;
        case 'older': this.load(agentId, request.id, this.older(agentId, request)); break;
      }
    }
    if (subscriptions.size > 0) this.subscribe(subscriptions);
  }

  /** A subscription names all agents of the session, since it replaces the one before; a baseline comes only for an agent that was not subscribed. */
  private subscribe(subscriptions: ReadonlyMap<string, { readonly id: number; readonly since: number | undefined }>): void {
    const anew = [...subscriptions].filter(([, { since }]) => since === undefined).map(([agentId]) => agentId);
    if (anew.length > 0) this.port.request('unsubscribe_v2', { session_id: this.sessionId, agent_ids: anew }, () => undefined);
    const since = Object.fromEntries([...subscriptions].flatMap(([agentId, asked]) => (asked.since === undefined ? [] : [[agentId, asked.since] as const])));
    const payload = { session_id: this.sessionId, transcript: this.grades, ...(Object.keys(since).length === 0 ? {} : { transcript_since: since }) };
    this.port.request('subscribe_v2', payload, (ack) => {
      // The connection's end tells every state by itself.
      if (ack.type === 'lost') return;
      const reason = this.refusalIn(ack);
      for (const [agentId, { id }] of subscriptions) this.feed(agentId, reason === undefined ? { type: 'subscribed', requestId: id } : { type: 'failure', requestId: id, reason });
    });
  }

  /** Why a subscription was refused; undefined where it stands. */
  private refusalIn({ code, msg, payload }: Exclude<Ack, { type: 'lost' }>): string | undefined {
    if (code !== 0) return msg ?? `code ${code}`;
    return (payload.not_found ?? []).includes(this.sessionId) ? `session not found: ${this.sessionId}` : undefined;
  }

  private load(agentId: string, requestId: number, answer: Promise<(requestId: number) => SyncEvent>): void {
    answer.then((event) => this.feed(agentId, event(requestId)), (error: unknown) => this.feed(agentId, { type: 'failure', requestId, reason: reasonOf(error) }));
  }

  private path(route: string, query: Readonly<Record<string, string | number>>): string {
    const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return `/sessions/${encodeURIComponent(this.sessionId)}/${route}?${pairs.join('&')}`;
  }

  private async catchUp(agentId: string, since: number): Promise<(requestId: number) => SyncEvent> {
    const data = decodeCatchUp(await this.port.get(this.path('transcript/ops', { agent_id: agentId, since_seq: since })));
    return (requestId) => ({ type: 'caughtUp', requestId, batches: numbered(data), isComplete: data.complete, ...(data.epoch === undefined ? {} : { epoch: data.epoch }) });
  }

  private async older(agentId: string, request: Extract<SyncRequest, { kind: 'older' }>): Promise<(requestId: number) => SyncEvent> {
    const before = request.beforeTurn === undefined ? {} : { before_turn: `t${request.beforeTurn}` };
    const data = decodePage(await this.port.get(this.path('transcript', { agent_id: agentId, ...before, page_size: request.pageSize })));
    return (requestId) => ({ type: 'older', requestId, items: data.items, hasOlder: data.has_more, seq: data.seq, epoch: data.epoch });
  }
}
