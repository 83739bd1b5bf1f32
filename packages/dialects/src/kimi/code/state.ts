import type { FactDraft, FactKey, ItemBody, JsonObject, JsonValue, LargeRef, LineSpan, ThreadDetails, TurnStatus, Usage } from '@tapefold/facts';
import type { IdTable } from '../../id-table.js';

/**
 * What a node of the chain is. `user`: a message that is no answer · `begin`, `part`, `end`: a model's answer, its pieces, its end · `tool`: a result ·
 * `held`: a message that waits for the results of running calls · `summary`, `clear`: the history was shortened · `stub`: a step that only its
 * interruption tells of · `kept`: a node of elsewhere that goes on counting (`of`) · `cut`: an undo ended here.
 */
export type NodeKind = 'user' | 'begin' | 'part' | 'end' | 'tool' | 'held' | 'summary' | 'clear' | 'stub' | 'kept' | 'cut';

/** What a record behind may still find open. */
export interface Waiting {
  /** The step that takes parts, -1 for none. */
  readonly open: number;
  /** Calls without a result, which hold messages back. */
  readonly pending: readonly string[];
  /** Messages held back, as indices into `inputs`. */
  readonly held: readonly number[];
  /** Steers and notifications that the next step begins with, as indices into `inputs`. */
  readonly queue: readonly number[];
}

/**
 * One thing that a record did to the conversation, in the order of the file; `parent` is the one before it on its branch. The chain from the newest node up is
 * the history as it now is. Ordinals name facts.
 */
export interface NodeState {
  readonly parent: number;
  /** Number of its record in the file, from 1. */
  readonly line: number;
  readonly kind: NodeKind;
  /** The turn that the conversation is in behind it, and that turn's newest step; -1 for none. */
  turn: number;
  last: number;
  /** The step that it is a piece of. */
  readonly step?: number | undefined;
  readonly of?: number | undefined;
  /** Of a part: words, words that are blank, a call, or what is neither. */
  part?: 'words' | 'blank' | 'call' | 'other' | undefined;
  /** The announced steer that the message was. */
  steer?: SteerState | undefined;
  /** It opened the turn. */
  opens?: true | undefined;
  /** The step came to nothing and counts no longer. */
  isVoid?: true | undefined;
  readonly id?: string | undefined;
  readonly owner?: string | undefined;
  readonly isAnchor?: true | undefined;
  readonly isInjection?: true | undefined;
  /** Word of a task. */
  readonly isTask?: true | undefined;
  entries?: number[] | undefined;
  items?: number[] | undefined;
  inputs?: number[] | undefined;
  /** First and behind the last of its other facts that go when it goes (marks of skills). */
  words?: readonly [number, number] | undefined;
  /** As facts said last: its items and inputs are gone, the model no longer reads it. */
  isOff?: true | undefined;
  isUnread?: true | undefined;
  /** Of a summary: the messages that stay, each as its nodes; and whether they stand before it. */
  readonly keeps?: readonly (readonly number[])[] | undefined;
  readonly isAfterKept?: true | undefined;
  wait: Waiting | null;
}

export interface TurnState {
  readonly key: FactKey;
  readonly ordinal: number;
  /** The number that the engine gave it; absent where none of its turns is this one. */
  engine?: number | undefined;
  /** Ordinal of its newest end. */
  end: number | null;
  status: TurnStatus | null;
  /** As facts said last. */
  isOff?: true | undefined;
  /** Steps by index, those that were taken back included. */
  readonly steps: number[];
  /** Nodes of it, those that were taken back included. */
  readonly nodes: number[];
  isCancelled?: true | undefined;
  /** The prompt that it took its number from, and all records that ended it. */
  raw?: RawTurn | undefined;
  readonly ends: { readonly line: number; readonly end: number; readonly status: TurnStatus }[];
  /** An undo or a switch came back to it: ids of its calls may repeat. */
  isRevisited?: true | undefined;
}

export interface StepState {
  readonly key: FactKey;
  readonly turn: number;
  readonly ordinal: number;
  readonly uuid?: string | undefined;
  /** Turn and step as the engine counts. */
  readonly engineTurn?: number | undefined;
  readonly engineStep?: number | undefined;
  /** Its `begin` node. */
  readonly node: number;
  /** Before the ids of its items. */
  readonly label: string;
  /** Items that are no calls, so far. */
  frames: number;
  /** What the next of them stands behind, once there are calls. */
  lastWords: FactKey;
  hasCalls: boolean;
  /** Items bear its label, also such as were taken back. */
  hasItems: boolean;
  /** It holds more than blank words. */
  isFull: boolean;
  /** As facts said last. */
  isOff?: true | undefined;
  /** Records that told of its interruption, and all that told of its end: on another branch it may not have come. */
  readonly interruptions: number[];
  isInterrupted?: true | undefined;
  readonly ends: { readonly line: number; readonly end: StepEnd }[];
  /** Inputs that it began with, as indices into `inputs`. */
  taken?: readonly number[] | undefined;
  /** Newest `step.ended`, without what says where it stands. */
  end?: StepEnd | undefined;
}

/** What is known of a step's end. */
export interface StepEnd {
  readonly status: 'completed' | 'interrupted';
  readonly finishReason?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly timing?: Record<string, number> | undefined;
  readonly firstTokenMs?: number | undefined;
  readonly streamMs?: number | undefined;
}

/** The tool behind an item, as facts carry it. */
export type ToolUse = NonNullable<Extract<FactDraft, { type: 'item.started' }>['tool']>;

/** A call: what its result needs, or that it had one. */
export interface CallState {
  readonly turn: number;
  readonly step: number;
  /** Calls of the turn before it that had the same id. */
  readonly repeats: number;
  readonly itemId: string;
  readonly item: FactKey;
  /** Absent once it was answered. */
  readonly open?: { readonly name: string; readonly body: ItemBody; readonly tool: ToolUse; readonly large?: LargeRef[] | undefined; readonly startedAtMs?: number | undefined } | undefined;
  readonly agents?: readonly string[] | undefined;
}

/** Where a record stands that is played later than it was written. */
export interface HeldRecord {
  readonly raw: JsonObject;
  readonly span: LineSpan;
  readonly record: number;
}

/** An input that waits: for results (`held`), or for a step. */
export interface InputState {
  readonly key: FactKey | null;
  readonly as: 'steers' | 'notifies' | null;
  held?: HeldRecord | undefined;
  /** The node that holds it back. */
  readonly node?: number | undefined;
}

/** Where an input that waited was placed by a record; turn and step by index, -1 for none. */
export interface PlaceState {
  readonly line: number;
  readonly turn: number;
  readonly step: number;
  readonly as: 'opens' | 'steers' | 'notifies' | 'deferred' | 'dropped';
  readonly otherwise?: 'opens' | 'steers' | 'notifies' | undefined;
  /** It stands before all that its step holds. */
  readonly isFirst?: true | undefined;
}

/** All placings of an input that waited, and which of them was said last. */
export interface PlacedInput {
  readonly key: FactKey;
  readonly places: PlaceState[];
  said: number;
}

/** A `turn.prompt` that no turn was made of yet. */
export interface RawTurn {
  readonly engine: number;
  readonly promptId?: string | undefined;
  /** How a turn of this origin is called. */
  readonly kind: string;
  readonly isAnchor: boolean;
  readonly line: number;
}

/** A `turn.steer` whose message did not come yet. `mark`: to know the message by where it has no id. */
export interface SteerState {
  readonly messageId?: string | undefined;
  readonly mark?: string | undefined;
  readonly promptIds: readonly string[];
  readonly line: number;
}

/** A piece of the file that was written on one branch: `from` its first record. */
export interface Segment {
  readonly branch: string;
  readonly from: number;
  /** Index of the segment that it goes on from, and that one's last record that counts. */
  readonly base: number;
  readonly line: number;
}

/** A goal as it stood from a record on. */
export interface GoalState {
  readonly line: number;
  readonly goal: { readonly [key: string]: string | number | undefined } | null;
}

/** A task, as far as records said. */
export interface TaskState {
  readonly kind: 'shell' | 'subagent' | 'other';
  readonly isDetached: boolean;
  readonly description?: string | undefined;
  readonly agentId?: string | undefined;
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly startedAtMs?: number | undefined;
  readonly hasMark: boolean;
}

/** Facts of one record that go when its branch is left: first, and behind the last. */
export interface WordState {
  readonly line: number;
  readonly from: number;
  to: number;
  isOff?: true | undefined;
}

/** Everything the player knows between two lines. Plain JSON: it is the checkpoint. */
export interface KimiCodeState {
  readonly dialect: 'kimi';
  readonly family: 'code';
  nextOrdinal: number;
  /** Records so far, as `agent.switched` counts them. */
  records: number;
  isOpened: boolean;
  version: string | null;
  lastTimeMs: number | null;
  nodes: NodeState[];
  /** The newest node of the chain, -1 before the first. */
  head: number;
  /** Nodes of injections, and nodes of a person's words by message id. */
  injections: number[];
  anchors: IdTable<number>;
  turns: TurnState[];
  steps: StepState[];
  inputs: InputState[];
  /** By key. */
  placings: IdTable<PlacedInput>;
  calls: IdTable<CallState>;
  /** Turns of the engine that a cancel was told of; the first one counts. */
  cancelled: number[];
  /** Calls whose approval was refused. */
  refused: string[];
  segments: Segment[];
  /** Records whose undo is told by a switch. */
  toldUndos: number[];
  /** Facts that go by ranges when their branch is left. */
  words: WordState[];
  engine: { next: number; raws: RawTurn[]; skipped: number[] };
  /** A turn.prompt or turn.steer was seen: notifications are told from turns by them. */
  hasPrompts: boolean;
  promptIds: IdTable<true>;
  taskTurns: IdTable<true>;
  steers: SteerState[];
  /** A file without any end of a turn leaves its turns completed [D-11]. */
  hasEnds: boolean;
  compaction: { trigger: 'manual' | 'auto' } | null;
  interactions: IdTable<{ readonly key: FactKey; readonly kind: 'approval' | 'question' | 'tool'; readonly call?: string | undefined }>;
  tasks: IdTable<TaskState>;
  taskOfAgent: IdTable<string>;
  goals: GoalState[];
  details: ThreadDetails;
  configured: { [key: string]: JsonValue };
  total: Usage;
}

export function initialState(): KimiCodeState {
  return {
    dialect: 'kimi', family: 'code', nextOrdinal: 0, records: 0, isOpened: false, version: null, lastTimeMs: null, nodes: [], head: -1, injections: [], anchors: {}, turns: [], steps: [], inputs: [], placings: {}, calls: {}, cancelled: [], refused: [],
    segments: [{ branch: 'main', from: 1, base: -1, line: 0 }], toldUndos: [], words: [], engine: { next: 0, raws: [], skipped: [] }, hasPrompts: false, promptIds: {}, taskTurns: {}, steers: [], hasEnds: false, compaction: null,
    interactions: {}, tasks: {}, taskOfAgent: {}, goals: [], details: {}, configured: {}, total: {},
  };
}

/** Checks what came out of a stored checkpoint as far as a foreign one could do harm. */
export function isKimiCodeState(value: unknown): value is KimiCodeState {
  const state = value as Partial<KimiCodeState> | null;
  return typeof state === 'object' && state !== null && state.dialect === 'kimi' && state.family === 'code' && typeof state.nextOrdinal === 'number' && Array.isArray(state.nodes) && Array.isArray(state.segments);
}
