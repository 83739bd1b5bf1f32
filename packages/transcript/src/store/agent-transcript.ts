import type { TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptTask, TranscriptTodo } from '../model/entities.js';
import type { AgentId, InteractionId, TurnId } from '../model/ids.js';
import type { TranscriptItem } from '../model/item.js';
import type { TranscriptMeta } from '../model/meta.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { TranscriptTurn } from '../model/turn.js';
import { applyOperation } from '../operations/apply.js';
import type { AppendGap, AppliedOps, TranscriptChangeEvent, TranscriptOperation } from '../operations/operation.js';
import { type AgentState, EMPTY_AGENT_STATE, snapshotOf, storedStateOf } from '../state/agent-state.js';
import { type Disposable, type ListenerOptions, type Listeners, listenersOf } from './listeners.js';
import { type SnapshotWindow, windowed } from './tail-window.js';

export type TranscriptListener = (event: TranscriptChangeEvent) => void;

/** One agent's transcript: a state that operations change, and listeners who are told of each batch. */
export class AgentTranscript {
  readonly agentId: AgentId;
  private current: AgentState = EMPTY_AGENT_STATE;
  private readonly listeners: Listeners<TranscriptChangeEvent>;

  constructor(agentId: AgentId, options: ListenerOptions = {}) {
    this.agentId = agentId;
    this.listeners = listenersOf(options);
  }

  /** The state as it is now; it stays as it is. */
  get state(): AgentState {
    return this.current;
  }

  /**
   * Applies a batch in order. An append that does not fit is left out, and the rest goes on; the last such gap is answered. Listeners are told once,
   * of the operations that changed something; never of none. Never throws.
   */
  apply(ops: readonly TranscriptOperation[]): AppliedOps {
    const accepted: TranscriptOperation[] = [];
    let gap: AppendGap | undefined;
    for (const op of ops) {
      const result = applyOperation(this.current, op);
      this.current = result.state;
      if (result.changed) accepted.push(op);
      if (result.gap && op.op === 'append') gap = { target: op.target, ...result.gap };
    }
    if (accepted.length) this.listeners.tell({ agentId: this.agentId, ops: accepted });
    return gap ? { accepted, gap } : { accepted };
  }

  /** The same as `apply`, said by one who receives. */
  receive(ops: readonly TranscriptOperation[]): AppliedOps {
    return this.apply(ops);
  }

  onChange(listener: TranscriptListener): Disposable {
    return this.listeners.add(listener);
  }

  getItems(): readonly TranscriptItem[] {
    return this.current.items;
  }

  /** A turn by its id, without looking at the others. */
  getTurn(id: TurnId): TranscriptTurn | undefined {
    return storedStateOf(this.current).timeline.turn(id)?.read();
  }

  getTasks(): ReadonlyMap<string, TranscriptTask> {
    return this.current.tasks;
  }

  getTask(id: string): TranscriptTask | undefined {
    return this.current.tasks.get(id);
  }

  getInteractions(): ReadonlyMap<string, TranscriptInteraction> {
    return this.current.interactions;
  }

  getInteraction(id: string): TranscriptInteraction | undefined {
    return this.current.interactions.get(id);
  }

  getAttachments(): ReadonlyMap<string, TranscriptAttachment> {
    return this.current.attachments;
  }

  getAttachment(id: string): TranscriptAttachment | undefined {
    return this.current.attachments.get(id);
  }

  getTodos(): ReadonlyMap<string, TranscriptTodo> {
    return this.current.todos;
  }

  getTodo(id: string): TranscriptTodo | undefined {
    return this.current.todos.get(id);
  }

  getPrompts(): ReadonlyMap<string, TranscriptPrompt> {
    return this.current.prompts;
  }

  getPrompt(id: string): TranscriptPrompt | undefined {
    return this.current.prompts.get(id);
  }

  getMeta(): TranscriptMeta {
    return this.current.meta;
  }

  /** Ids of the interactions that wait for the person, in order of arrival. */
  listPendingInteractions(): readonly InteractionId[] {
    return [...this.current.pendingInteractions];
  }

  /** Whether older turns exist which are not loaded. */
  get hasMoreOlder(): boolean {
    return this.current.hasMoreOlder;
  }

  /** All of it, or its newest turns: what a `reset` carries. */
  snapshot(window: SnapshotWindow = {}): AgentTranscriptSnapshot {
    return windowed(snapshotOf(this.current), window);
  }
}
