import type { FactKey, FactOf, JsonValue } from '@tapefold/facts';
import type { ResolvePlanRevisionKey } from '../media/plan-revision.js';
import type { AgentRef } from '../model/frame.js';
import type { StepUsage } from '../model/turn.js';
import type { TranscriptDocument } from './document.js';
import type { CalledTool, FrameSource } from './frame-of.js';
import type { FrameRow, StepRow, TurnRow } from './rows.js';
import type { Scope } from './scope.js';

/** What the host knows and no fact says. */
export interface FoldOptions {
  /** As transcripts name the agent; `main` where absent. */
  readonly agentId?: string | undefined;
  /** The session's native id, which questions to the person carry. */
  readonly sessionId?: string | undefined;
  /** Where a plan revision's document is, by its key; the key itself where absent. */
  readonly resolvePlanKey?: ResolvePlanRevisionKey | undefined;
  /** The facts are those of a part of the timeline; of all of it where absent. */
  readonly part?: TimelinePart | undefined;
}

/** A part of a timeline, whose turns go by the facts that began them. */
export interface TimelinePart {
  /** Turns that are not shown keep their numbers, and what they say of prompts, tokens and attachments, and are empty otherwise. */
  readonly shows: (turn: FactKey) => boolean;
  /** The number that a turn has in the whole timeline; counted where undefined. */
  readonly ordinalOf?: ((turn: FactKey) => number | undefined) | undefined;
}

/** Tokens as they were counted. `turnTold`: of the turn of the newest count. */
export interface CountedUsage {
  turn: StepUsage | undefined;
  turnTold: StepUsage | undefined;
  total: StepUsage | undefined;
  readonly byModel: Map<string, StepUsage>;
  contextTokens: number | undefined;
  contextWindow: number | undefined;
  contextUsage: number | undefined;
}

/** An item as far as later facts of it need to know. `frame` is undefined while nothing of it is shown. */
export interface ItemEntry {
  readonly key: FactKey;
  readonly turn: TurnRow;
  step: StepRow | undefined;
  frame: FrameRow | undefined;
  /** What it is shown from; dropped when it is complete, since a later record brings the whole again. */
  source: FrameSource | undefined;
}

/** An input that stands nowhere yet. */
export interface InputEntry {
  readonly fact: FactOf<'input.received'>;
  placing: FactOf<'input.placed'> | undefined;
}

/** A sub-agent that a call started. */
export interface CallAgent extends AgentRef {
  readonly swarmIndex: number;
}

/** The running state of one fold over the facts that count. */
export interface Folding {
  readonly doc: TranscriptDocument;
  readonly scope: Scope;
  readonly options: FoldOptions;
  readonly steps: Map<FactKey, StepRow>;
  readonly items: Map<string, ItemEntry>;
  readonly itemsByKey: Map<FactKey, ItemEntry>;
  readonly inputs: Map<FactKey, InputEntry>;
  /** Native ids of inputs, which prompts that became one carry. */
  readonly inputIds: Map<FactKey, string>;
  /** Calls of the model's history that no item showed yet, the newest ones. */
  readonly called: Map<string, CalledTool>;
  /** The frame of each call, the newest where an id repeats. */
  readonly callFrames: Map<string, { readonly step: StepRow; readonly row: FrameRow }>;
  readonly agentsOfCalls: Map<string, readonly CallAgent[]>;
  /** Items that name a turn by an id that no turn had yet. */
  readonly waiting: Map<string, (FactOf<'item.started' | 'item.changed' | 'item.completed'>)[]>;
  /** Prompts that were taken up for the next turn, and those that a turn answers. */
  readonly takenPrompts: string[];
  readonly promptsOfTurns: Map<FactKey, string[]>;
  /** Turns in which the person was asked something that no record answers yet. */
  readonly askedIn: Map<string, FactKey>;
  /** Tokens since the newest turn began, of the agent as a whole, and by model. */
  readonly usage: CountedUsage;
}

/** The state before the first fact. */
export function emptyFolding(doc: TranscriptDocument, scope: Scope, options: FoldOptions): Folding {
  return {
    doc, scope, options, steps: new Map(), items: new Map(), itemsByKey: new Map(), inputs: new Map(), inputIds: new Map(), called: new Map(), callFrames: new Map(), agentsOfCalls: new Map(), waiting: new Map(), takenPrompts: [], promptsOfTurns: new Map(), askedIn: new Map(),
    usage: { turn: undefined, turnTold: undefined, total: undefined, byModel: new Map(), contextTokens: undefined, contextWindow: undefined, contextUsage: undefined },
  };
}

/** The turn of a fact that names it by key, or by an id where it began in an earlier segment. */
export function turnOf({ doc }: Folding, { turn, turnId }: { readonly turn?: FactKey | undefined; readonly turnId?: string | undefined }): TurnRow | undefined {
  return doc.turn(turn) ?? (turnId === undefined ? undefined : doc.turnOfId(turnId));
}

/** ISO-8601 of Unix milliseconds; undefined for a time that no calendar has. */
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined || !(Math.abs(ms) <= LAST_MS) ? undefined : new Date(ms).toISOString();
}

/** The last millisecond that JavaScript's calendar has. */
const LAST_MS = 8_640_000_000_000_000;

/** The fields of a JSON object; none for any other value. */
export function fieldsOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** A text of a JSON object; undefined for any other value. */
export function textAt(value: JsonValue | undefined, key: string): string | undefined {
  const fields = fieldsOf(value);
  const text = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}
