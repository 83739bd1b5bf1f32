import type { TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptTask, TranscriptTodo } from '../model/entities.js';
import type { TranscriptItem } from '../model/item.js';
import type { TranscriptMeta } from '../model/meta.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import { EntityMap, IdSet } from './entity-map.js';
import { KeyedList } from './keyed-list.js';
import { Timeline } from './timeline.js';

/** The state of one agent's transcript. Immutable: a state that was handed out stays as it was. Maps are in order of arrival. */
export interface AgentState {
  readonly items: readonly TranscriptItem[];
  readonly tasks: ReadonlyMap<string, TranscriptTask>;
  readonly interactions: ReadonlyMap<string, TranscriptInteraction>;
  readonly attachments: ReadonlyMap<string, TranscriptAttachment>;
  readonly todos: ReadonlyMap<string, TranscriptTodo>;
  readonly prompts: ReadonlyMap<string, TranscriptPrompt>;
  readonly meta: TranscriptMeta;
  /** Ids of the interactions that are pending. */
  readonly pendingInteractions: ReadonlySet<string>;
  readonly hasMoreOlder: boolean;
}

/** The interactions that belong to one tool call. */
export interface Anchor {
  readonly toolCallId: string;
  readonly interactionIds: readonly string[];
}

/** What a state is made of. */
export interface StateParts {
  readonly timeline: Timeline;
  readonly tasks: EntityMap<TranscriptTask>;
  readonly interactions: EntityMap<TranscriptInteraction>;
  readonly attachments: EntityMap<TranscriptAttachment>;
  readonly todos: EntityMap<TranscriptTodo>;
  readonly prompts: EntityMap<TranscriptPrompt>;
  readonly meta: TranscriptMeta;
  readonly pendingInteractions: IdSet;
  readonly anchors: KeyedList<Anchor>;
  readonly hasMoreOlder: boolean;
}

const ITEMS = { enumerable: true, get(this: StoredState) { return this.timeline.read(); } };

/** A state whose parts share what did not change. `items` is an array of its own, made when it is read first. */
export class StoredState implements AgentState {
  declare readonly items: readonly TranscriptItem[];
  readonly tasks: EntityMap<TranscriptTask>;
  readonly interactions: EntityMap<TranscriptInteraction>;
  readonly attachments: EntityMap<TranscriptAttachment>;
  readonly todos: EntityMap<TranscriptTodo>;
  readonly prompts: EntityMap<TranscriptPrompt>;
  readonly meta: TranscriptMeta;
  readonly pendingInteractions: IdSet;
  readonly hasMoreOlder: boolean;
  readonly #timeline: Timeline;
  readonly #anchors: KeyedList<Anchor>;

  constructor(from: StateParts) {
    Object.defineProperty(this, 'items', ITEMS);
    this.tasks = from.tasks;
    this.interactions = from.interactions;
    this.attachments = from.attachments;
    this.todos = from.todos;
    this.prompts = from.prompts;
    this.meta = from.meta;
    this.pendingInteractions = from.pendingInteractions;
    this.hasMoreOlder = from.hasMoreOlder;
    this.#timeline = from.timeline;
    this.#anchors = from.anchors;
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  get anchors(): KeyedList<Anchor> {
    return this.#anchors;
  }

  with(change: Partial<StateParts>): StoredState {
    return new StoredState({
      timeline: change.timeline ?? this.#timeline, tasks: change.tasks ?? this.tasks, interactions: change.interactions ?? this.interactions, attachments: change.attachments ?? this.attachments,
      todos: change.todos ?? this.todos, prompts: change.prompts ?? this.prompts, meta: change.meta ?? this.meta, pendingInteractions: change.pendingInteractions ?? this.pendingInteractions,
      anchors: change.anchors ?? this.#anchors, hasMoreOlder: this.hasMoreOlder,
    });
  }
}

const anchorKey = ({ toolCallId }: Anchor): string => toolCallId;

function anchorsOf(interactions: readonly TranscriptInteraction[]): Anchor[] {
  const ids = new Map<string, string[]>();
  for (const { toolCallId, interactionId } of interactions) if (toolCallId !== undefined) ids.set(toolCallId, [...(ids.get(toolCallId) ?? []), interactionId]);
  return [...ids].map(([toolCallId, interactionIds]) => ({ toolCallId, interactionIds }));
}

/** The state that a snapshot describes. Lists that it does not have are empty; of entries with the same id the first stands. */
export function stateOf(snapshot: Partial<AgentTranscriptSnapshot>): StoredState {
  const interactions = EntityMap.of<TranscriptInteraction>(({ interactionId }) => interactionId, snapshot.interactions ?? []);
  const pending = [...interactions.values()].filter(({ state }) => state === 'pending').map(({ interactionId }) => interactionId);
  return new StoredState({
    timeline: Timeline.of(snapshot.items ?? []), interactions, pendingInteractions: new IdSet(KeyedList.from((id) => id, pending)), anchors: KeyedList.from(anchorKey, anchorsOf([...interactions.values()])),
    tasks: EntityMap.of<TranscriptTask>(({ taskId }) => taskId, snapshot.tasks ?? []), attachments: EntityMap.of<TranscriptAttachment>(({ attachmentId }) => attachmentId, snapshot.attachments ?? []),
    todos: EntityMap.of<TranscriptTodo>(({ todoId }) => todoId, snapshot.todos ?? []), prompts: EntityMap.of<TranscriptPrompt>(({ promptId }) => promptId, snapshot.prompts ?? []),
    meta: snapshot.meta ?? {}, hasMoreOlder: snapshot.hasMoreOlder ?? false,
  });
}

/** The state as JSON carries it: a `reset` to it gives an equal state. */
export function snapshotOf(state: AgentState): AgentTranscriptSnapshot {
  return {
    items: state.items, tasks: [...state.tasks.values()], interactions: [...state.interactions.values()], attachments: [...state.attachments.values()], todos: [...state.todos.values()],
    prompts: [...state.prompts.values()], meta: state.meta, hasMoreOlder: state.hasMoreOlder,
  };
}

/** Nothing yet. */
export const EMPTY_AGENT_STATE: AgentState = stateOf({});

const foreign = new WeakMap<AgentState, StoredState>();

/** The state itself, or, of a state that was put together by hand, one that says the same. */
export function storedStateOf(state: AgentState): StoredState {
  if (state instanceof StoredState) return state;
  const known = foreign.get(state) ?? stateOf(snapshotOf(state));
  foreign.set(state, known);
  return known;
}
