import type { ContentPart, FactDraft, FactKey, ItemBody, JsonObject, LargeRef, ThreadDetails, TurnError, TurnStatus, Usage } from '@tapefold/facts';
import type { IdTable } from '../id-table.js';

/** What a line of the tree is. A `bridge` (progress) only carries the chain on; `other` is a line of tomorrow. */
export type NodeKind = 'user' | 'assistant' | 'attachment' | 'system' | 'bridge' | 'other';

/** What a line says of how its turn would end if nothing more came. Lines that say nothing have none. */
export type TurnSign = 'open' | 'answered' | 'failed' | 'cut' | 'done';

/**
 * One line of the tree, by its place among all lines of it. Ordinals name its facts: `spans` all that its content gave, `items` and `inputs` the first facts
 * of what it shows, `entries` what it put into the model's history.
 */
export interface NodeState {
  readonly uuid: string;
  readonly kind: NodeKind;
  /** Index into `runs`. */
  readonly run: number;
  /** Index of the parent, -1 at a root. */
  parent: number;
  /** The uuid of a parent that has not come by; it may still. */
  lost?: string | undefined;
  timeMs: number;
  digest: string;
  /** Id of the API message that the line is a block of. */
  message?: string | undefined;
  isResult?: boolean | undefined;
  /** Stays on show as a leaf beside the chain, where nobody spoke below it. */
  isNotice?: boolean | undefined;
  isBoundary?: boolean | undefined;
  /** What is above the last boundary on its chain is summarised by this line. */
  isCompaction?: boolean | undefined;
  /** A result that came when its message was no longer the newest. */
  isLate?: boolean | undefined;
  /** A refusal took it back, or a newer message stands for it. */
  isRetracted?: boolean | undefined;
  sign?: TurnSign | undefined;
  turn: number;
  step: number;
  spans: [from: number, to: number][];
  items: number[];
  inputs: number[];
  entries: number[];
  hasWords: boolean;
  /** On the live chain, as far as facts have said it. */
  isLive: boolean;
  /** Superseded by itself: for a person, for the model, and its facts of other families. */
  isHidden: boolean;
  isUnread: boolean;
  isUnsaid: boolean;
}

export interface TurnState {
  readonly key: FactKey;
  readonly run: number;
  /** What a list shows of its opening: a prompt's text, or a command's name. */
  readonly title?: string | undefined;
  readonly isPrompt: boolean;
  readonly nodes: number[];
  /** Lines of it on the live chain. */
  live: number;
  isOff: boolean;
  /** Ordinal of the `turn.ended` that counts. */
  end: number | null;
  status: TurnStatus;
  error?: TurnError | undefined;
  /** Calls without a result. */
  calls: string[];
}

/** One API message. */
export interface StepState {
  readonly key: FactKey;
  readonly turn: number;
  readonly run: number;
  readonly message: string;
  live: number;
  isOff: boolean;
  /** Newest entry of a block of it in the model's history, and of a late result. */
  line?: FactKey | undefined;
  late?: FactKey | undefined;
}

/** The message that is being written. */
export interface OpenStep {
  readonly step: number;
  usage?: Usage | undefined;
  contextTokens?: number | undefined;
  model?: string | undefined;
  isCounted: boolean;
  finishReason?: string | undefined;
}

/** The tool behind an item, as facts carry it. */
export type ToolUse = NonNullable<Extract<FactDraft, { type: 'item.started' }>['tool']>;

/** A call that no result has ended, or whose work goes on in the background. */
export interface CallState {
  readonly node: number;
  readonly item: FactKey;
  readonly itemId: string;
  readonly name: string;
  readonly body: ItemBody;
  readonly tool: ToolUse;
  readonly large?: LargeRef[] | undefined;
  readonly startedAtMs?: number | undefined;
}

/** A result of the newest message, kept until the next line shows which of several the chain goes through. */
export interface HeldResult {
  readonly node: number;
  readonly draft: FactDraft;
}

/** One conversation of the file: the tape's own, or that of a sub-agent whose lines stand between. */
export interface RunState {
  readonly agent?: string | undefined;
  /** Index of the line that the live chain ends with, -1 before the first. */
  leaf: number;
  open: OpenStep | null;
  /** The newest entry of the model's history: the step it belongs to, and whether it is a block of the message itself. */
  newest: { step: number; isLine: boolean };
  held: { step: number; results: HeldResult[] } | null;
  /** A boundary whose summary has not come yet, with the item that marks it. */
  boundary: { node: number; id: string; turn: number; metadata: JsonObject } | null;
  /** A call that was rejected on the line before: an interrupt right behind it says that it was stopped. */
  rejected: string | null;
}

/** A task in the background, by id. */
export interface TaskState {
  readonly call?: string | undefined;
  readonly kind: 'shell' | 'subagent' | 'other';
  readonly agentId?: string | undefined;
  readonly description?: string | undefined;
}

/** A prompt in the queue: `mark` to recognise it, `text` to show it where no line of the tree ever will. */
export interface QueuedPrompt {
  readonly id: string;
  readonly mark: string;
  readonly text?: string | undefined;
}

export interface TodoEntry { readonly id: string; readonly title: string; readonly status: 'pending' | 'inProgress' | 'completed' }

/** Everything the player knows between two lines. Plain JSON: it is the checkpoint. */
export interface ClaudeState {
  readonly dialect: 'claude';
  nextOrdinal: number;
  isOpened: boolean;
  threadId: string;
  nodes: NodeState[];
  runs: RunState[];
  turns: TurnState[];
  steps: StepState[];
  /** Ordinals of entries that were written again, away from the facts of their line. */
  strays: number[];
  calls: IdTable<CallState>;
  lastTimeMs: number;
  /** `leafUuid` of the newest `last-prompt` whose line is there, and of a newer one whose line is not. */
  promptLeaf: number;
  awaitedLeaf: string | null;
  details: ThreadDetails;
  permissionMode: string | null;
  titles: { custom?: string; ai?: string; lastPrompt?: string; summaries: { leaf: string; text: string }[] };
  queue: { next: number; waiting: QueuedPrompt[]; taken: string[]; steered: QueuedPrompt[] };
  tasks: IdTable<TaskState>;
  endedTasks: string[];
  todos: TodoEntry[];
  /** Calls that start agents, by what they told them: how a chain of lines without an agent id finds its call. */
  agentCalls: { call: string; mark: string }[];
  describedAgents: string[];
  /** Tokens of all responses that were counted. */
  total: Usage;
}

export function freshRun(agent?: string): RunState {
  const run: RunState = { leaf: -1, open: null, newest: { step: -1, isLine: false }, held: null, boundary: null, rejected: null };
  return agent === undefined ? run : { agent, ...run };
}

export function initialState(): ClaudeState {
  return {
    dialect: 'claude', nextOrdinal: 0, isOpened: false, threadId: '', nodes: [], runs: [freshRun()], turns: [], steps: [], strays: [], calls: {}, lastTimeMs: 0, promptLeaf: -1, awaitedLeaf: null, details: {},
    permissionMode: null, titles: { summaries: [] }, queue: { next: 0, waiting: [], taken: [], steered: [] }, tasks: {}, endedTasks: [], todos: [], agentCalls: [], describedAgents: [], total: {},
  };
}

/** Checks what came out of a stored checkpoint as far as a foreign one could do harm. */
export function isClaudeState(value: unknown): value is ClaudeState {
  const state = value as Partial<ClaudeState> | null;
  return typeof state === 'object' && state !== null && state.dialect === 'claude' && typeof state.nextOrdinal === 'number' && Array.isArray(state.nodes) && Array.isArray(state.runs);
}

/** A text part that a person or a tool wrote. */
export const textPart = (text: string): ContentPart => ({ kind: 'text', text });
