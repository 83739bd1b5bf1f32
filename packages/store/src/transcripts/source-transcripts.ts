import { type Fact, type PieceReader, restoreLarge } from '@tapefold/facts';
import type { AgentDescriptor, TranscriptPlanResponse, TranscriptResponse, TranscriptUserMessagesResponse } from '@tapefold/transcript';
import { type AnsweredAgent, TranscriptFold, type TranscriptView, plansAnswer, settleTranscript, transcriptAnswer, userMessagesAnswer } from '@tapefold/transcript/fold';
import { KeptByBytes } from '../files/kept-by-bytes.js';
import type { SessionAgent, SessionAgents, ThreadSource } from '../thread-source.js';
import type { FollowedTranscript, PlansQuery, RunningThread, TranscriptGrowth, TranscriptQuery, TranscriptReader, TranscriptSessions } from './transcript-reader.js';

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

  async transcript(sessionId: string, { agentId, asOf, ...page }: TranscriptQuery = {}): Promise<TranscriptResponse> {
    const session = await this.#source.agents(sessionId);
    return transcriptAnswer(await this.#answered(session, agentId ?? session.named, asOf), { page, agents: session.agents.map(({ agent }) => agent) });
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

  async follow(sessionId: string, agentId?: string): Promise<FollowedTranscript | undefined> {
    const session = await this.#source.agents(sessionId);
    const member = memberOf(session, agentId ?? session.named);
    if (!member) return undefined;
    return { threadId: member.threadId, descriptor: member.agent, newFold: () => foldOf(member), growth: (signal) => this.#growth(member, signal) };
  }

  async *#growth({ threadId }: SessionAgent, signal: AbortSignal): AsyncGenerator<TranscriptGrowth, void> {
    const whole = this.#wholeFacts();
    for await (const growth of this.#source.follow(threadId, { isOwn: true, signal })) {
      if (growth.kind !== 'facts') { yield growth; continue; }
      const facts: Fact[] = [];
      for (const { fact } of growth.facts) {
        const made = whole(fact);
        facts.push(made instanceof Promise ? await made : made);
      }
      yield { kind: 'facts', facts };
    }
  }

  async #answered(session: SessionAgents, agentId: string, asOf?: number): Promise<AnsweredAgent> {
    const member = memberOf(session, agentId);
    if (!member) return unknownAgent(agentId);
    if (asOf !== undefined) return answeredAs(agentId, (await this.#fold(member, asOf)).view());
    const { stamp, sizeBytes } = member;
    const kept = this.#kept.get(member.threadId, stamp);
    const view = kept ?? (await this.#fold(member)).view();
    if (!kept) this.#kept.keep(member.threadId, { stamp, value: view, sizeBytes });
    return answeredAs(agentId, view, this.#runs(member.threadId));
  }

  async #pieces(): Promise<PieceReader> {
    const values = await this.#source.values();
    return (piece) => {
      const value = values(piece);
      return typeof value === 'string' ? value : undefined;
    };
  }

  /** Makes facts whole: with their large texts, as the original's answers have them. Looks for files only when a fact needs one. */
  #wholeFacts(): (fact: Fact) => Fact | Promise<Fact> {
    let pieces: Promise<PieceReader> | undefined;
    return (fact) => {
      const { large } = fact;
      if (!large) return fact;
      pieces ??= this.#pieces();
      return pieces.then((read) => restoreLarge(fact, { refs: large, read }));
    };
  }

  async #fold(member: SessionAgent, asOf?: number): Promise<TranscriptFold> {
    const fold = foldOf(member);
    const whole = this.#wholeFacts();
    for await (const { fact } of this.#source.facts(member.threadId, { isOwn: true, asOf })) {
      const made = whole(fact);
      fold.load(made instanceof Promise ? await made : made);
    }
    return fold;
  }
}

/** A fold that knows what no fact says. */
const foldOf = ({ sessionId, agent, resolvePlanKey }: SessionAgent): TranscriptFold => new TranscriptFold({ agentId: agent.agentId, sessionId, resolvePlanKey });
const answeredAs = (agentId: string, view: TranscriptView, running?: ReturnType<RunningThread>): AnsweredAgent => ({ agentId, snapshot: settleTranscript(view, { running }), hasModes: view.hasModes });

function memberOf({ agents }: SessionAgents, agentId: string): SessionAgent | undefined {
  return agents.find(({ agent }) => agent.agentId === agentId);
}

/** Transcripts over a thread source. `runs` says what the host knows of threads that run; without it nothing does. */
export function createTranscriptReader(source: ThreadSource, runs: RunningThread = nobody): TranscriptReader {
  return new SourceTranscripts(source, runs);
}
