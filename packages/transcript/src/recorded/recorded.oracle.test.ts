import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  AgentTranscript, type AgentTranscriptSnapshot, OpLog, type TranscriptEvent, type TranscriptResponse, filterOpsForGrade, paginateTurns, redactSnapshotForGrade, transcriptEventSchema,
  transcriptOperationSchema, transcriptOpsCatchupResponseSchema, transcriptResponseSchema, transcriptSubscribeV2PayloadSchema,
} from '../index.js';
import { catchUpOf, liveTrace, recordedSessions, resumeTrace, transcriptAnswerOf, transcriptEventOf } from './recordings.suite.js';

/** A page with all turns says what a snapshot says. */
function snapshotOf({ items, tasks, interactions, attachments, todos, prompts, meta }: TranscriptResponse): AgentTranscriptSnapshot {
  return { items, tasks, interactions, attachments, todos, prompts, meta, hasMoreOlder: false };
}

/** A client of the protocol: it takes a baseline, and from there on the batches that are newer. */
class Client {
  readonly transcript = new AgentTranscript('main');
  readonly gaps: unknown[] = [];
  seq = 0;

  take(event: TranscriptEvent): void {
    if (event.type === 'transcript.reset') this.transcript.apply([{ op: 'reset', agentId: event.agent_id, snapshot: event.snapshot }]);
    else if ((event.seq ?? 0) > this.seq) this.gaps.push(...[this.transcript.apply(event.ops).gap].filter(Boolean));
    this.seq = event.seq ?? this.seq;
  }
}

const trace = liveTrace();
const deltaEvents = (conn: string): TranscriptEvent[] => trace.flatMap((line) => (line.kind === 'ws' && line.conn === conn ? (transcriptEventOf(line) ?? []) : []));

describe('[R-OPS-8] operations that the real server sent', () => {
  it('end in the state that it answers at their watermark: a reader of every delta', () => {
    const client = new Client();
    const checked: number[] = [];
    const answers = trace.flatMap((line) => transcriptAnswerOf(line) ?? []);
    const check = () => {
      for (const answer of answers.filter(({ seq }) => seq === client.seq)) {
        expect(client.transcript.snapshot()).toEqual(snapshotOf(answer));
        expect(client.transcript.listPendingInteractions()).toEqual(answer.pending_interactions);
        checked.push(client.seq);
      }
    };
    for (const event of deltaEvents('delta')) {
      client.take(event);
      check();
    }
    expect(checked).toEqual([53, 68, 71, 84]);
    expect(client.gaps).toEqual([]);
  });

  it.each([['block', 'block', 68], ['turn', 'turn', 84]] as const)('end in the redacted state: the reader of grade %s', (grade, conn, until) => {
    const [client, whole] = [new Client(), new Client()];
    for (const event of deltaEvents(conn)) client.take(event);
    for (const event of deltaEvents('delta')) if ((event.seq ?? 0) <= until) whole.take(event);
    const mine = client.transcript.snapshot();
    expect(client.seq).toBe(until);
    if (grade === 'block') expect(mine).toEqual(whole.transcript.snapshot());
    // It raised its grade for a while: its second baseline held no items, and an undo then brought all that was left.
    else expect(redactSnapshotForGrade('turn', mine)).toEqual(redactSnapshotForGrade('turn', whole.transcript.snapshot()));
  });

  it('pass our filter as they passed its: but for the reset of an undo, which it lets through with all steps (D-9)', () => {
    const sent = new Map(deltaEvents('delta').flatMap((event) => (event.type === 'transcript.ops' ? [[event.seq, event.ops] as const] : [])));
    let compared = 0;
    for (const conn of ['block', 'turn'] as const) {
      for (const event of deltaEvents(conn)) {
        if (event.type !== 'transcript.ops' || event.ops.some(({ op }) => op === 'reset')) continue;
        expect(filterOpsForGrade(conn, sent.get(event.seq) ?? [])).toEqual(event.ops);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(100);
    const undo = [...sent.values()].find((ops) => ops.some(({ op }) => op === 'reset')) ?? [];
    const [reset] = filterOpsForGrade('turn', undo);
    expect(reset?.op === 'reset' && reset.snapshot.items.every((item) => item.kind !== 'turn' || item.steps.length === 0)).toBe(true);
  });

  it('[R-OPS-6] are caught up with as it does it, number by number', () => {
    const log = new OpLog();
    const catchUps = trace.flatMap((line) => catchUpOf(line) ?? []);
    const all = catchUps.find(({ since }) => since === 0)?.answer.batches ?? [];
    for (const { seq, ops } of all) expect(log.add(ops).seq).toBe(seq);
    expect(catchUps.map(({ since }) => since)).toEqual([0, 66, 99_999]);
    for (const { since, answer } of catchUps) {
      const { batches, latest, complete } = log.since(since);
      expect({ batches, latest_seq: latest, complete }).toEqual({ batches: answer.batches, latest_seq: answer.latest_seq, complete: answer.complete });
    }
  });

  it('come again from a cursor: the reader who resumes has what one has who stayed', () => {
    const [client, whole] = [new Client(), new Client()];
    const [resumed, live] = [deltaEvents('resume'), deltaEvents('delta')];
    for (const event of live.filter(({ seq = 0 }) => seq <= 65)) client.take(event);
    for (const event of resumed) client.take(event);
    for (const event of live) whole.take(event);
    expect(client.transcript.snapshot()).toEqual(whole.transcript.snapshot());
  });

  it('a session that was loaded from disk ends in the state that is answered', () => {
    const client = new Client();
    const frames = resumeTrace().map((line) => z.object({ frame: z.looseObject({ payload: z.unknown() }).optional(), path: z.string().optional(), response: z.unknown() }).partial().parse(line));
    const events = frames.flatMap(({ frame }) => { const parsed = transcriptEventSchema.safeParse(frame?.payload); return parsed.success ? [parsed.data] : []; });
    for (const event of events) client.take(event);
    const at = (path: RegExp) => z.object({ data: z.unknown() }).parse(frames.find((line) => path.test(line.path ?? ''))?.response).data;
    const answer = transcriptResponseSchema.parse(at(/\/transcript\?/));
    const ops = transcriptOpsCatchupResponseSchema.parse(at(/\/transcript\/ops\?/));
    const replayed = new AgentTranscript('main');
    for (const batch of ops.batches) replayed.apply(batch.ops);
    expect(ops.latest_seq).toBe(answer.seq);
    expect(replayed.snapshot()).toEqual(snapshotOf(answer));
    expect(client.seq).toBe(answer.seq);
    expect(events.length).toBeGreaterThan(3);
  });
});

describe('sessions that the real server held', () => {
  const sessions = recordedSessions();

  it('are there', () => expect(sessions.length).toBe(14));

  it.each(sessions)('[R-OPS-8] $id: its batches end in its state', ({ ops, transcript }) => {
    const replayed = new AgentTranscript('main');
    for (const { ops: batch } of ops.batches) expect(replayed.apply(batch).gap).toBeUndefined();
    if (ops.complete) expect(replayed.snapshot()).toEqual(snapshotOf(transcript));
    // A session that was not loaded has no batches: what it answers stands alone.
    else expect(ops.batches).toEqual([]);
  });

  it.each(sessions)('[R-OPS-10] $id: its pages of one turn, from the newest to the oldest', ({ transcript, pages }) => {
    let beforeTurn: string | undefined;
    for (const page of pages) {
      expect(paginateTurns(transcript.items, { beforeTurn, pageSize: 1 })).toEqual({ items: page.items, hasMore: page.has_more });
      beforeTurn = page.items.flatMap((item) => (item.kind === 'turn' ? [item.turnId] : []))[0];
    }
  });
});

describe('[R-OPS-11] the wire contract', () => {
  it('accepts every operation of the trace and gives it back as it is', () => {
    const raw = trace.flatMap((line) => (line.kind === 'ws' && line.frame.type === 'transcript.ops' ? z.object({ ops: z.array(z.unknown()) }).parse(line.frame.payload).ops : []));
    for (const op of raw) expect(transcriptOperationSchema.parse(op)).toEqual(op);
    expect(raw.length).toBeGreaterThan(300);
  });

  it('accepts the subscriptions that the real server accepts, and refuses those it refuses', () => {
    const sent = trace.flatMap((line) => (line.kind === 'ws' && line.dir === 'out' && line.frame.type === 'subscribe_v2' ? [line.frame] : []));
    expect(sent.filter(({ payload }) => !transcriptSubscribeV2PayloadSchema.safeParse(payload).success).map(({ id }) => id)).toEqual(['bad']);
    expect(sent.length).toBeGreaterThan(8);
  });
});
