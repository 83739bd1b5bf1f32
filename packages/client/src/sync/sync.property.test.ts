import { type AgentTranscriptSnapshot, type TranscriptOperation, AgentTranscript, redactSnapshotForGrade, turnId } from '@tapefold/transcript';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Deed, AgentLife, arbitraryDeed } from './agent-life.suite.js';
import { ModelServer } from './model-server.suite.js';
import type { FollowedGrade, SyncEvent, SyncState } from './sync-state.js';
import { advanceSync, createSync, syncRequests } from './sync.js';

type Move =
  | { readonly move: 'deed'; readonly deed: Deed }
  | { readonly move: 'deliver' | 'cut' | 'dropAppends' | 'repeat' | 'restart' | 'askOlder' | 'regrade'; readonly of: number };

const arbitraryMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: arbitraryDeed.map((deed): Move => ({ move: 'deed', deed })) },
  { weight: 8, arbitrary: fc.record({ move: fc.constant<'deliver'>('deliver'), of: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.constant<Move>({ move: 'dropAppends', of: 0 }) },
  { weight: 3, arbitrary: fc.record({ move: fc.constantFrom<'cut' | 'repeat' | 'restart' | 'askOlder' | 'regrade'>('cut', 'repeat', 'restart', 'askOlder', 'regrade'), of: fc.nat(3) }) },
);
const grades: readonly FollowedGrade[] = ['turn', 'block', 'delta'];

/** One client, one server, and a line between them that keeps order but loses, repeats and delays. */
class Line {
  state: SyncState;
  private queue: SyncEvent[] = [];
  private delivered: SyncEvent[] = [];
  private isSubscribed = false;
  readonly life = new AgentLife();
  readonly kinds = new Set<string>();

  constructor(readonly server: ModelServer, grade: FollowedGrade) {
    this.state = createSync(grade);
    this.feed({ type: 'connected' });
  }

  make(move: Move): void {
    switch (move.move) {
      case 'deed': return this.dispatch(this.life.do(move.deed));
      case 'deliver': for (let n = 0; n <= move.of; n += 1) this.deliver(); return undefined;
      case 'cut': this.cut(); return this.feed({ type: 'connected' });
      case 'restart': this.server.restart(); this.cut(); return this.feed({ type: 'connected' });
      // What a server may leave out for a slow reader.
      case 'dropAppends': this.queue = this.queue.filter((event) => event.type !== 'batch' || !event.ops.every(({ op }) => op === 'append')); return undefined;
      case 'repeat': { const event = this.delivered.at(-1 - move.of); if (event?.type === 'batch') this.queue.push(event); return undefined; }
      case 'askOlder': return this.feed({ type: 'askOlder' });
      case 'regrade': return this.feed({ type: 'regrade', grade: grades[move.of % 3] ?? 'delta' });
    }
  }

  /** Everything arrives, and the reader pages to the beginning. */
  settle(): void {
    this.dispatch(this.life.finish());
    this.make({ move: 'cut', of: 0 });
    for (let turns = 0; turns < 10_000; turns += 1) {
      if (this.deliver()) continue;
      this.feed({ type: 'askOlder' });
      if (this.queue.length === 0) return;
    }
    throw new Error('the client never comes to rest');
  }

  /** What the client shows, as JSON has it. */
  shown(): AgentTranscriptSnapshot {
    const copy = new AgentTranscript('main');
    const { items, tasks, interactions, attachments, todos, prompts, meta } = this.state.synced.transcript;
    copy.apply([{ op: 'reset', agentId: 'main', snapshot: { items: [...items], tasks: [...tasks.values()], interactions: [...interactions.values()], attachments: [...attachments.values()], todos: [...todos.values()], prompts: [...prompts.values()], meta } }]);
    return copy.snapshot();
  }

  private dispatch(ops: readonly TranscriptOperation[]): void {
    if (ops.length === 0) return;
    const event = this.server.batchEvent(this.server.dispatch(ops), this.state.synced.grade);
    if (this.isSubscribed && event !== undefined) this.queue.push(event);
  }

  private cut(): void {
    this.queue = [];
    this.isSubscribed = false;
    this.feed({ type: 'lost' });
  }

  private deliver(): boolean {
    const event = this.queue.shift();
    if (event === undefined) return false;
    this.delivered = [...this.delivered, event].slice(-4);
    this.feed(event);
    this.kinds.add(this.state.kind);
    return true;
  }

  private feed(event: SyncEvent): void {
    const before = this.state;
    this.state = advanceSync(before, event);
    for (const request of syncRequests(before, this.state)) {
      if (request.kind === 'subscribe') this.isSubscribed = true;
      this.queue.push(...this.server.answer(request));
    }
  }
}

const byId = (snapshot: AgentTranscriptSnapshot): unknown => JSON.parse(JSON.stringify({
  ...snapshot, hasMoreOlder: undefined,
  tasks: [...snapshot.tasks].sort((a, b) => a.taskId.localeCompare(b.taskId)), interactions: [...snapshot.interactions].sort((a, b) => a.interactionId.localeCompare(b.interactionId)),
}));

describe('a client kept in step', () => {
  it('[R-OPS-6] [R-LIVE-3] ends equal to the server, whatever the line loses, repeats and delays, across restarts', () => {
    const seen = new Set<string>();
    fc.assert(fc.property(
      fc.constantFrom<FollowedGrade>('turn', 'block', 'delta', 'delta'), fc.record({ kept: fc.constantFrom(1, 3, 50), tailTurns: fc.constantFrom(0, 1, 3, 100) }), fc.array(arbitraryMove, { maxLength: 120 }),
      (grade, { kept, tailTurns }, moves) => {
        const line = new Line(new ModelServer(kept, tailTurns), grade);
        for (const move of moves) line.make(move);
        line.settle();
        for (const kind of line.kinds) seen.add(kind);
        expect(line.state.kind).toBe('live');
        expect(byId(line.shown())).toEqual(byId(redactSnapshotForGrade(line.state.synced.grade, line.server.view('delta'))));
      },
    ), { numRuns: 400 });
    expect([...seen]).toEqual(expect.arrayContaining(['live', 'waiting']));
  });

  it('[R-OPS-6] asks for the batches behind a hole, and goes on where they came', () => {
    const marker = (n: number): TranscriptOperation => ({ op: 'marker.upsert', item: { kind: 'marker', markerId: `m${n}`, marker: 'notice' } });
    const events: readonly SyncEvent[] = [
      { type: 'connected' }, { type: 'reset', snapshot: new AgentTranscript('main').snapshot(), seq: 0 }, { type: 'batch', ops: [marker(2)], seq: 2 },
    ];
    const catching = events.reduce(advanceSync, createSync('delta'));
    expect(catching.kind).toBe('catching');
    const caught = advanceSync(catching, { type: 'caughtUp', requestId: catching.synced.lastRequestId, batches: [{ ops: [marker(1)], seq: 1 }], isComplete: true });
    expect([caught.kind, caught.synced.watermark.seq, caught.synced.transcript.items.length]).toEqual(['live', 2, 2]);
  });

  it('[R-LIVE-4] shows the next turn where more was taken back than was loaded', () => {
    const server = new ModelServer(50, 1);
    const upsert = (ordinal: number, prompt: string): TranscriptOperation => ({ op: 'turn.upsert', turn: { kind: 'turn', turnId: turnId(ordinal), ordinal, state: 'completed', origin: { kind: 'user' }, prompt } });
    server.dispatch([0, 1, 2].map((ordinal) => upsert(ordinal, 'old')));
    const loaded = server.answer({ kind: 'subscribe', id: 1, grade: 'delta' }).reduce(advanceSync, advanceSync(createSync('delta'), { type: 'connected' }));
    const removed = server.batchEvent(server.dispatch([{ op: 'items.remove', ids: [turnId(2), turnId(1)] }, upsert(1, 'new')]), 'delta') as SyncEvent;
    const { items } = advanceSync(loaded, removed).synced.transcript;
    expect([...items]).toMatchObject([{ turnId: 't1', prompt: 'new' }]);
  });
});
