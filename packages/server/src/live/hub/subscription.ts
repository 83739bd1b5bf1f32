import { type NumberedBatch, type TranscriptGrade, type TranscriptGradeSpec, gradeFor, isAppendOnly, needsResetOnTransition, redactSnapshotForGrade } from '@tapefold/transcript';
import { RESET_TURNS, WAITING_BATCHES } from '../../limits.js';
import type { Batch, EventCursor, Following, LiveSubscription, TranscriptSink } from '../live-source.js';
import type { AgentChannel } from './agent-channel.js';
import type { SharedBatches } from './shared-batches.js';

/** What a subscription sees of its session. */
export interface SubscribedSession {
  readonly channels: () => ReadonlyMap<string, AgentChannel>;
  readonly batches: SharedBatches;
  readonly cursor: () => EventCursor;
}

/** How one agent stands with one client. `isLost`: something but appends was left out for want of room, so a baseline has to come. */
interface Track { grade: TranscriptGrade; isSeeded: boolean; isLost: boolean; stop: (() => void) | undefined }

/**
 * One client's view of one session. Frames go out one after the other. While the client does not read, batches of appends only are left out: it sees the
 * hole in the numbers, and the next whole text says what it missed; where even that is too much, the agent's stream stops and begins again with a baseline.
 */
export class HubSubscription implements LiveSubscription {
  readonly cursor: () => EventCursor;
  readonly #session: SubscribedSession;
  readonly #sink: TranscriptSink;
  readonly #ended: () => void;
  readonly #tracks = new Map<string, Track>();
  #grades: TranscriptGradeSpec = {};
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;

  constructor(session: SubscribedSession, sink: TranscriptSink, ended: () => void) {
    this.#session = session;
    this.#sink = sink;
    this.#ended = ended;
    this.cursor = session.cursor;
  }

  change(next: Following): Promise<void> {
    this.#grades = next.grades;
    for (const channel of this.#session.channels().values()) this.#follow(channel, next);
    return this.#queue;
  }

  /** An agent joined the session. */
  joined(channel: AgentChannel): void { if (!this.#isClosed) this.#follow(channel, { grades: this.#grades }); }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const track of this.#tracks.values()) track.stop?.();
    this.#tracks.clear();
    this.#ended();
  }

  #follow(channel: AgentChannel, { grades, since: sinceOf, epoch }: Following): void {
    const { agentId } = channel.agent;
    const grade = gradeFor(grades, agentId);
    const track = this.#tracks.get(agentId) ?? { grade: 'off', isSeeded: false, isLost: false, stop: undefined };
    const before = track.grade;
    this.#tracks.set(agentId, track);
    track.grade = grade;
    if (grade === 'off') return this.#leave(track);
    const since = sinceOf?.[agentId] ?? sinceOf?.['*'];
    const missed = since === undefined ? undefined : channel.since(since, epoch);
    if (missed?.complete === true) for (const batch of missed.batches) this.#send(track, channel, batch);
    else if (since !== undefined || !track.isSeeded || needsResetOnTransition(before, grade)) this.#baseline(track, channel);
    track.isSeeded = true;
    track.stop ??= channel.listen((batch) => this.#take(track, channel, batch));
  }

  #leave(track: Track): void {
    track.stop?.();
    track.stop = undefined;
    track.isSeeded = false;
    track.isLost = false;
  }

  /** Made now, so that it and the batches behind it agree, whenever it is sent. */
  #baseline(track: Track, channel: AgentChannel): void {
    const { agentId } = channel.agent;
    const snapshot = channel.snapshot(agentId === 'main' ? { tailTurns: RESET_TURNS } : {});
    const baseline = { agentId, snapshot: redactSnapshotForGrade(track.grade, snapshot), hasMoreOlder: snapshot.hasMoreOlder === true, seq: channel.seq, epoch: channel.epoch };
    track.isLost = false;
    this.#enqueue(() => this.#sink.reset(baseline));
  }

  #take(track: Track, channel: AgentChannel, batch: NumberedBatch): void {
    if (this.#isClosed || track.isLost || track.grade === 'off') return;
    if (this.#waiting < WAITING_BATCHES) return this.#send(track, channel, batch);
    if (isAppendOnly(batch.ops)) return;
    track.isLost = true;
    // Only one frame waits for a reader who does not read: whatever happens meanwhile, its baseline is as new as the moment it reads again.
    void this.#queue.then(() => { if (!this.#isClosed && track.isLost && track.grade !== 'off') this.#baseline(track, channel); });
  }

  #send(track: Track, channel: AgentChannel, batch: NumberedBatch): void {
    const shared: Batch | undefined = this.#session.batches.of(channel, batch, track.grade);
    if (shared) this.#enqueue(() => this.#sink.ops(shared));
  }

  #enqueue(send: () => Promise<void>): void {
    this.#waiting += 1;
    this.#queue = this.#queue.then(() => (this.#isClosed ? undefined : send())).catch(() => this.close()).finally(() => { this.#waiting -= 1; });
  }
}
