import type { AgentDescriptor } from '../model/entities.js';
import type { AgentId } from '../model/ids.js';
import { AgentTranscript } from './agent-transcript.js';
import { type Disposable, type ListenerOptions, type Listeners, listenersOf } from './listeners.js';

/** Told the whole roster after each of its changes. */
export type RosterListener = (agents: readonly AgentDescriptor[]) => void;

/** The transcripts of a session's agents, and the roster of those that are described. */
export class TranscriptStore {
  readonly sessionId: string;
  private readonly options: ListenerOptions;
  private readonly transcripts = new Map<AgentId, AgentTranscript>();
  private readonly descriptors = new Map<AgentId, AgentDescriptor>();
  private readonly listeners: Listeners<readonly AgentDescriptor[]>;

  constructor(sessionId = '', options: ListenerOptions = {}) {
    this.sessionId = sessionId;
    this.options = options;
    this.listeners = listenersOf(options);
  }

  /** The agent's transcript, made when it is asked for first. A descriptor enters the roster; without one the agent is in none. */
  ensureAgent(agentId: AgentId, descriptor?: AgentDescriptor): AgentTranscript {
    const transcript = this.transcripts.get(agentId) ?? new AgentTranscript(agentId, this.options);
    this.transcripts.set(agentId, transcript);
    if (descriptor) this.describeAgent(descriptor);
    return transcript;
  }

  getAgent(agentId: AgentId): AgentTranscript | undefined {
    return this.transcripts.get(agentId);
  }

  /** Forgets an agent, transcript and descriptor. */
  removeAgent(agentId: AgentId): void {
    const hadTranscript = this.transcripts.delete(agentId);
    const hadDescriptor = this.descriptors.delete(agentId);
    if (hadTranscript || hadDescriptor) this.announce();
  }

  /** Puts a descriptor in the place of the agent's older one. The same object again is no change. */
  describeAgent(descriptor: AgentDescriptor): void {
    if (this.descriptors.get(descriptor.agentId) === descriptor) return;
    this.descriptors.set(descriptor.agentId, descriptor);
    this.announce();
  }

  /** Notes when a described agent was disposed, once. Its transcript stays readable. */
  markDisposed(agentId: AgentId, disposedAt: string): void {
    const descriptor = this.descriptors.get(agentId);
    if (!descriptor || descriptor.disposedAt !== undefined) return;
    this.describeAgent({ ...descriptor, disposedAt });
  }

  /** The described agents in the order in which they came. */
  agents(): readonly AgentDescriptor[] {
    return [...this.descriptors.values()];
  }

  onRosterChange(listener: RosterListener): Disposable {
    return this.listeners.add(listener);
  }

  private announce(): void {
    this.listeners.tell(this.agents());
  }
}
