import type { ContentPart, FactKey, ItemBody, LargeRef, Usage } from '@tapefold/facts';
import type { IdTable } from '../../id-table.js';

/** A block of text or thinking that the next piece of its kind goes on with. */
export interface OpenBlock { readonly id: string; readonly kind: 'text' | 'think'; readonly key: FactKey }

/** A prompt that no model call has read yet: what a slash command answers itself, the model never reads. */
export interface UnreadInput { readonly key: FactKey; readonly content: ContentPart[]; readonly large?: LargeRef[] | undefined }

/** One conversation of the log: the session's own, or that of a sub-agent whose records stand between. */
export interface RunState {
  /** The agent's id as facts carry it; absent for the log's own. */
  readonly agent?: string | undefined;
  /** Turns that have begun. */
  turns: number;
  turn: FactKey | null;
  step: FactKey | null;
  stepId: string;
  /** Steps that have begun in the turn. */
  steps: number;
  /** Blocks and calls that have begun in the step. */
  blocks: number;
  block: OpenBlock | null;
  /** The call that further pieces of arguments belong to. */
  latest: string | null;
  unread: UnreadInput[];
  /** Of the step, for the case that it is tried again: its items, and where its entries of the model's history begin. */
  items: FactKey[];
  entriesFrom: number;
  /** Newest entry of the model's own message in the step, and whether a result stands behind it already: the message is one, wherever its pieces came. */
  message: FactKey | null;
  hasResult: boolean;
  /** Ordinals at which the newest two messages of a person or the model begin in the model's history. */
  messages: number[];
}

/** A call without a result. */
export interface CallState {
  /** Index into `runs`. */
  readonly run: number;
  readonly turn: FactKey | null;
  readonly step: FactKey | null;
  readonly item: FactKey;
  readonly name: string;
  arguments: string;
  /** The model's history has it. */
  isSaid: boolean;
  body: ItemBody;
  large?: LargeRef[] | undefined;
  readonly startedAtMs?: number | undefined;
  isRejected?: true | undefined;
  /** Native id of the sub-agent that it started. */
  agent?: string | undefined;
  /** The question that it asks, until it is answered. */
  question?: { readonly id: string; readonly key: FactKey } | undefined;
}

/** Everything the player knows between two lines. Plain JSON: it is the checkpoint. */
export interface CliState {
  readonly dialect: 'kimi-cli';
  nextOrdinal: number;
  isOpened: boolean;
  hasPrompt: boolean;
  /** As the first line says it; absent in logs of before 2026. */
  protocol: string | null;
  /** The program that wrote the log ends its turns; before version 1.2 it did not. */
  endsTurns: boolean;
  runs: RunState[];
  calls: IdTable<CallState>;
  approvals: IdTable<{ readonly key: FactKey; readonly call: string | null }>;
  /** Sub-agents by the call that started them and their own id: index into `runs`. */
  groups: IdTable<number>;
  compactions: number;
  isPlanMode: boolean;
  side: IdTable<string>;
  total: Usage;
}

export function freshRun(agent?: string): RunState {
  const run: RunState = { turns: 0, turn: null, step: null, stepId: '', steps: 0, blocks: 0, block: null, latest: null, unread: [], items: [], entriesFrom: 0, message: null, hasResult: false, messages: [] };
  return agent === undefined ? run : { agent, ...run };
}

export function initialState(): CliState {
  return {
    dialect: 'kimi-cli', nextOrdinal: 0, isOpened: false, hasPrompt: false, protocol: null, endsTurns: false, runs: [freshRun()], calls: {}, approvals: {}, groups: {}, compactions: 0, isPlanMode: false, side: {}, total: {},
  };
}

/** Checks what came out of a stored checkpoint as far as a foreign one could do harm. */
export function isCliState(value: unknown): value is CliState {
  const state = value as Partial<CliState> | null;
  return typeof state === 'object' && state !== null && state.dialect === 'kimi-cli' && typeof state.nextOrdinal === 'number' && Array.isArray(state.runs) && state.runs.length > 0;
}
