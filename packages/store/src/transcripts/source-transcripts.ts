import { type PieceReader, restoreLarge } from '@tapefold/facts';
import type { AgentDescriptor, TranscriptPlanResponse, TranscriptResponse, TranscriptUserMessagesResponse } from '@tapefold/transcript';
import { type AnsweredAgent, TranscriptFold, type TranscriptView, plansAnswer, settleTranscript, transcriptAnswer, userMessagesAnswer } from '@tapefold/transcript/fold';
import { KeptByBytes } from '../files/kept-by-bytes.js';
import type { SessionAgent, SessionAgents, ThreadSource } from '../thread-source.js';
import type { OpenedTranscript, PlansQuery, RunningThread, TranscriptQuery, TranscriptReader, TranscriptSessions } from './transcript-reader.js';

const nobody: RunningThread = () => undefined;

/** An agent of which nothing is known: neither that it is one, nor anything that it did. */
const unknownAgent = (agentId: string): AnsweredAgent => ({ agentId, snapshot: new TranscriptFold().snapshot(), hasModes: false });

/** Transcripts straight from the facts of a thread source. Between calls the histories asked for last are kept, as many as fit a budget. */
class SourceTranscripts implements TranscriptReader {
  readonly #source: ThreadSource;
  readonly #runs: RunningThread;
  readonly #kept = new KeptByBytes<TranscriptView>();

  constructor(source: ThreadSource, runs: RunningThread) {
    this.#source = source;
    this.#runs = runs;
  }

  async sessions(): Promise<TranscriptSessions> {
    const { rows, problems } = await this.#source.list({ archived: 'too' });
    return { sessions: rows.map((summary) => ({ sessionId: summary.kimi?.sessionId ?? summary.thread.id, summary })), problems };
  }

  async agents(sessionId: string): Promise<readonly AgentDescriptor[]> {
    return (await this.#source.agents(sessionId)).agents.map(({ agent }) => agent);
  }

  async transcript(sessionId: string, { agentId, ...page }: TranscriptQuery = {}): Promise<TranscriptResponse> {
    const session = await this.#source.agents(sessionId);
    return transcriptAnswer(await this.#answered(session, agentId ?? session.named), { page, agents: session.agents.map(({ agent }) => agent) });
  }

  async userMessages(sessionId: string, agentId?: string): Promise<TranscriptUserMessagesResponse> {
    const session = await this.#source.agents(sessionId);
    const wanted = agentId === undefined ? session.agents.map(({ agent }) => agent.agentId) : [agentId];
    const agents: AnsweredAgent[] = [];
    for (const each of wanted) agents.push(await this.#answered(session, each));
    return userMessagesAnswer(agents);
  }

  async plans(sessionId: string, { agentId, toolCallId }: PlansQuery = {}): Promise<TranscriptPlanResponse> {
    const session = await this.#source.agents(sessionId);
    return plansAnswer(await this.#answered(session, agentId ?? session.named), toolCallId);
  }

  async open(sessionId: string, agentId?: string): Promise<OpenedTranscript | undefined> {
    const session = await this.#source.agents(sessionId);
    const member = memberOf(session, agentId ?? session.named);
    if (!member) return undefined;
    const { fold, position } = await this.#fold(member);
    return { threadId: member.threadId, descriptor: member.agent, fold, position };
  }

  async #answered(session: SessionAgents, agentId: string): Promise<AnsweredAgent> {
    const member = memberOf(session, agentId);
    if (!member) return unknownAgent(agentId);
    const { stamp, sizeBytes } = member;
    const kept = this.#kept.get(member.threadId, stamp);
    const view = kept ?? (await this.#fold(member)).fold.view();
    if (!kept) this.#kept.keep(member.threadId, { stamp, value: view, sizeBytes });
    return { agentId, snapshot: settleTranscript(view, { running: this.#runs(member.threadId) }), hasModes: view.hasModes };
  }

  async #pieces(): Promise<PieceReader> {
    const values = await this.#source.values();
    return (piece) => {
      const value = values(piece);
      return typeof value === 'string' ? value : undefined;
    };
  }

  /** With the whole of its large texts, as the original's answers have them. */
  async #fold({ threadId, sessionId, agent, resolvePlanKey }: SessionAgent): Promise<{ readonly fold: TranscriptFold; readonly position: number }> {
    const fold = new TranscriptFold({ agentId: agent.agentId, sessionId, resolvePlanKey });
    let read: PieceReader | undefined;
    let next = 0;
    for await (const { position, fact } of this.#source.facts(threadId, { isOwn: true })) {
      if (fact.large) read ??= await this.#pieces();
      fold.load(read && fact.large ? restoreLarge(fact, { refs: fact.large, read }) : fact);
      next = position + 1;
    }
    return { fold, position: next };
  }
}

function memberOf({ agents }: SessionAgents, agentId: string): SessionAgent | undefined {
  return agents.find(({ agent }) => agent.agentId === agentId);
}

/** Transcripts over a thread source. `runs` says what the host knows of threads that run; without it nothing does. */
export function createTranscriptReader(source: ThreadSource, runs: RunningThread = nobody): TranscriptReader {
  return new SourceTranscripts(source, runs);
}
