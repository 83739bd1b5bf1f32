import { type AgentTranscriptSnapshot, type TranscriptGradeSpec, TURN_PAGE_SIZE, gradeFor, needsResetOnTransition, redactSnapshotForGrade } from '@tapefold/transcript';
import { type SessionSources, findSession } from '../sessions.js';
import type { Baseline, EventCursor, Following, LiveSource, LiveSubscription, TranscriptSink } from './live-source.js';

/** The number that answers about a session that does not run carry: no batch was ever dispatched, and they hold everything. */
export const COLD_SEQ = 0;

/** Whether the client has everything already: what does not run has no batches, so only the number before the first one says so. */
function isCovered({ since, epoch }: Following, agentId: string): boolean {
  return epoch === undefined && (since?.[agentId] ?? since?.['*']) === COLD_SEQ;
}

interface ColdOptions {
  readonly sources: SessionSources;
  readonly sink: TranscriptSink;
  readonly cursor: EventCursor;
}

class ColdSubscription implements LiveSubscription {
  readonly #sessionId: string;
  readonly #options: ColdOptions;
  #grades: TranscriptGradeSpec | undefined;
  #isClosed = false;

  constructor(sessionId: string, options: ColdOptions) {
    this.#sessionId = sessionId;
    this.#options = options;
  }

  cursor(): EventCursor {
    return this.#options.cursor;
  }

  async change(next: Following): Promise<void> {
    const before = this.#grades;
    this.#grades = next.grades;
    for (const { agentId } of await this.#options.sources.transcripts.agents(this.#sessionId)) {
      if (!this.#needsBaseline(agentId, before, next)) continue;
      const baseline = await this.#baseline(agentId);
      if (this.#isClosed) return;
      await this.#options.sink.reset(baseline);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  #needsBaseline(agentId: string, before: TranscriptGradeSpec | undefined, next: Following): boolean {
    const grade = gradeFor(next.grades, agentId);
    if (grade === 'off' || isCovered(next, agentId)) return false;
    return (next.since?.[agentId] ?? next.since?.['*']) !== undefined || needsResetOnTransition(gradeFor(before, agentId), grade);
  }

  /** The newest turns of the main agent; a sub-agent whole, since clients ask for no pages of it. */
  async #baseline(agentId: string): Promise<Baseline> {
    const pageSize = agentId === 'main' ? TURN_PAGE_SIZE.default : Number.MAX_SAFE_INTEGER;
    const { items, tasks, interactions, attachments, todos, prompts, meta, has_more } = await this.#options.sources.transcripts.transcript(this.#sessionId, { agentId, pageSize });
    const snapshot: AgentTranscriptSnapshot = { items, tasks, interactions, attachments, todos, prompts, meta, ...(has_more && { hasMoreOlder: true }) };
    return { agentId, snapshot: redactSnapshotForGrade(gradeFor(this.#grades, agentId), snapshot), hasMoreOlder: has_more, seq: COLD_SEQ };
  }
}

/** Transcripts of sessions of which nothing is known but their files: one baseline, and then nothing. `epoch`: of their (empty) event journals. */
export function coldSource(sources: SessionSources, epoch: string): LiveSource {
  const cursor: EventCursor = { seq: 0, epoch };
  return {
    stateOf: async () => undefined,
    cursorOf: async (sessionId) => ((await findSession(sources.source, sessionId)) ? cursor : undefined),
    subscribe: async (sessionId, following, sink) => {
      if (!(await findSession(sources.source, sessionId))) return undefined;
      const subscription = new ColdSubscription(sessionId, { sources, sink, cursor });
      await subscription.change(following);
      return subscription;
    },
  };
}
