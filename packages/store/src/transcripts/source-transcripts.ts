import { type Fact, type PieceReader, restoreLarge } from '@tapefold/facts';
import type { AgentDescriptor, TranscriptPlanResponse, TranscriptResponse, TranscriptUserMessagesResponse, TurnPageQuery } from '@tapefold/transcript';
import { type AnsweredAgent, type TimelinePart, TranscriptFold, type TranscriptView, plansAnswer, settleTranscript, transcriptAnswer, userMessagesAnswer } from '@tapefold/transcript/fold';
import { KeptByBytes } from '../files/kept-by-bytes.js';
import type { AsOf, FactOutline, SessionAgent, SessionAgents, ThreadSource } from '../thread-source.js';
import { OutlinedTranscript } from './outlined-transcript.js';
import type { FollowedTranscript, PlansQuery, RunningThread, TranscriptGrowth, TranscriptQuery, TranscriptReader, TranscriptSessions } from './transcript-reader.js';

const nobody: RunningThread = () => undefined;

/** An agent of which nothing is known: neither that it is one, nor anything that it did. */
const unknownAgent = (agentId: string): AnsweredAgent => ({ agentId, snapshot: new TranscriptFold().snapshot(), hasModes: false });

/** Transcripts from a thread source: from the outlines that its index has, else straight from all facts. Between calls what was asked for last is kept, as much as fits a budget. */
class SourceTranscripts implements TranscriptReader {
  readonly #source: ThreadSource;
  readonly #runs: RunningThread;
  readonly #kept = new KeptByBytes<TranscriptView>();
  readonly #keptOutlines = new KeptByBytes<OutlinedTranscript>();

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
    return transcriptAnswer(await this.#answered(session, agentId ?? session.named, { kind: 'page', page, asOf }), { page, agents: session.agents.map(({ agent }) => agent) });
  }

  async userMessages(sessionId: string, agentId?: string): Promise<TranscriptUserMessagesResponse> {
    const session = await this.#source.agents(sessionId);
    const wanted = agentId === undefined ? session.agents.map(({ agent }) => agent.agentId) : [agentId];
    const agents: AnsweredAgent[] = [];
    for (const each of wanted) agents.push(await this.#answered(session, each, { kind: 'openings' }));
    return userMessagesAnswer(agents);
  }

  async plans(sessionId: string, { agentId, toolCallId }: PlansQuery = {}): Promise<TranscriptPlanResponse> {
    const session = await this.#source.agents(sessionId);
    return plansAnswer(await this.#answered(session, agentId ?? session.named, { kind: 'plans' }), toolCallId);
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

  async #answered(session: SessionAgents, agentId: string, part: Part): Promise<AnsweredAgent> {
    const member = memberOf(session, agentId);
    if (!member) return unknownAgent(agentId);
    const { asOf } = part;
    const running = asOf === undefined ? this.#runs(member.threadId) : undefined;
    const outline = await this.#source.outline?.(member.threadId, { asOf });
    const view = outline ? await partOf(this.#outlined(member, outline), part, running) : await this.#whole(member, asOf);
    return { agentId, snapshot: settleTranscript(view, { running }), hasModes: view.hasModes };
  }

  #outlined(member: SessionAgent, outline: FactOutline): OutlinedTranscript {
    const { stamp } = outline;
    const kept = this.#keptOutlines.get(member.threadId, stamp);
    if (kept) return kept;
    const value = new OutlinedTranscript(outline, { newFold: (part) => foldOf(member, part), whole: this.#wholeFacts() });
    this.#keptOutlines.keep(member.threadId, { stamp, value, sizeBytes: member.sizeBytes });
    return value;
  }

  async #whole(member: SessionAgent, asOf: number | undefined): Promise<TranscriptView> {
    if (asOf !== undefined) return (await this.#fold(member, asOf)).view();
    const { stamp, sizeBytes } = member;
    const kept = this.#kept.get(member.threadId, stamp);
    if (kept) return kept;
    const value = (await this.#fold(member)).view();
    this.#kept.keep(member.threadId, { stamp, value, sizeBytes });
    return value;
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
const foldOf = ({ sessionId, agent, resolvePlanKey }: SessionAgent, part?: TimelinePart): TranscriptFold => new TranscriptFold({ agentId: agent.agentId, sessionId, resolvePlanKey, part });

/** What an answer is about: a page of turns, the words that opened turns, or plans. */
type Part = AsOf & ({ readonly kind: 'page'; readonly page: TurnPageQuery } | { readonly kind: 'openings' } | { readonly kind: 'plans' });

function partOf(outlined: OutlinedTranscript, part: Part, running: ReturnType<RunningThread>): Promise<TranscriptView> {
  switch (part.kind) {
    case 'page': return outlined.page(part.page, running);
    case 'openings': return outlined.openings();
    case 'plans': return outlined.plans();
  }
}

function memberOf({ agents }: SessionAgents, agentId: string): SessionAgent | undefined {
  return agents.find(({ agent }) => agent.agentId === agentId);
}

/** Transcripts over a thread source. `runs` says what the host knows of threads that run; without it nothing does. */
export function createTranscriptReader(source: ThreadSource, runs: RunningThread = nobody): TranscriptReader {
  return new SourceTranscripts(source, runs);
}
