import { type AgentTranscriptSnapshot, type TranscriptOperation, AgentTranscript, filterOpsForGrade, paginateTurns, redactSnapshotForGrade, turnId } from '@tapefold/transcript';
import type { FollowedGrade, SyncEvent, SyncRequest } from './sync-state.js';

interface LoggedBatch { readonly seq: number; readonly ops: readonly TranscriptOperation[] }

/** The obvious server of one agent: a state, all batches since its start, and how many of them it keeps. */
export class ModelServer {
  private readonly transcript = new AgentTranscript('main');
  private epoch = 1;
  private seq = 0;
  private log: LoggedBatch[] = [];

  constructor(private readonly kept: number, private readonly tailTurns: number) {}

  dispatch(ops: readonly TranscriptOperation[]): LoggedBatch {
    // All are sent, also those that change nothing here: the upsert that ends a stream tells readers below `delta` the text. A removal is handed on
    // with the interactions that went with it, since a reader may not hold the turn.
    const sent = ops.map((op) => { const { accepted } = this.transcript.apply([op]); return op.op === 'items.remove' ? accepted[0] ?? op : op; });
    this.seq += 1;
    const batch = { seq: this.seq, ops: sent };
    this.log = [...this.log, batch].slice(-this.kept);
    return batch;
  }

  /** Another life: what was logged is gone, and numbers go on above those that may have been sent. */
  restart(): void {
    this.epoch += 1;
    this.seq += 100;
    this.log = [];
  }

  batchEvent(batch: LoggedBatch, grade: FollowedGrade): SyncEvent | undefined {
    const ops = filterOpsForGrade(grade, batch.ops);
    return ops.length === 0 ? undefined : { type: 'batch', ops, seq: batch.seq, epoch: `e${this.epoch}` };
  }

  answer(request: SyncRequest): readonly SyncEvent[] {
    switch (request.kind) {
      case 'subscribe': return [...this.baseline(request), { type: 'subscribed', requestId: request.id }];
      case 'catchUp': {
        const batches = this.since(request.since);
        return [{ type: 'caughtUp', requestId: request.id, batches: (batches ?? []).map((batch) => ({ ...batch, epoch: `e${this.epoch}` })), isComplete: batches !== undefined, epoch: `e${this.epoch}` }];
      }
      case 'older': {
        const { items, hasMore } = paginateTurns(this.transcript.getItems(), { pageSize: request.pageSize, ...(request.beforeTurn === undefined ? {} : { beforeTurn: turnId(request.beforeTurn) }) });
        return [{ type: 'older', requestId: request.id, items, hasOlder: hasMore, seq: this.seq, epoch: `e${this.epoch}` }];
      }
    }
  }

  view(grade: FollowedGrade): AgentTranscriptSnapshot {
    return redactSnapshotForGrade(grade, this.transcript.snapshot());
  }

  private baseline(request: Extract<SyncRequest, { kind: 'subscribe' }>): readonly SyncEvent[] {
    const missed = request.since === undefined ? undefined : this.since(request.since);
    if (missed !== undefined) return missed.flatMap((batch) => this.batchEvent(batch, request.grade) ?? []);
    return [{ type: 'reset', snapshot: redactSnapshotForGrade(request.grade, this.transcript.snapshot({ tailTurns: this.tailTurns })), seq: this.seq, epoch: `e${this.epoch}` }];
  }

  private since(since: number): readonly LoggedBatch[] | undefined {
    if (since > this.seq || (since < this.seq && (this.log[0]?.seq ?? Infinity) > since + 1)) return undefined;
    return this.log.filter((batch) => batch.seq > since);
  }
}
