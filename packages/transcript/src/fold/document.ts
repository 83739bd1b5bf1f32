import type { FactKey, TapeId } from '@tapefold/facts';
import type { TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptTask, TranscriptTodo } from '../model/entities.js';
import type { TranscriptFrame } from '../model/frame.js';
import { frameId, stepId, toolFrameId, turnId } from '../model/ids.js';
import type { TranscriptMarker } from '../model/item.js';
import type { AgentStatusMeta, TranscriptMeta, TranscriptMetaMerge } from '../model/meta.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { StepHeader, TurnHeader } from '../model/turn.js';
import type { TranscriptOperation } from '../operations/operation.js';
import { isSameValue } from '../state/same-value.js';
import { present } from './present.js';
import { type FrameRow, type MarkerRow, type StepRow, type TimelineRow, type TurnRow, rowId } from './rows.js';

/** A frame before it has its place: what it shows, without its id. */
export type FrameContent = TranscriptFrame extends infer F ? (F extends TranscriptFrame ? Omit<F, 'frameId'> : never) : never;

type Entity = TranscriptTask | TranscriptInteraction | TranscriptAttachment | TranscriptPrompt;

/**
 * The timeline and the entities of one agent, and the operations that bring a reader's copy to the same state. Each change costs what it changes.
 * What no operation can say (a frame or a task goes, a step gets another number) is told by one `reset`.
 */
export class TranscriptDocument {
  readonly #agentId: string;
  readonly items: TimelineRow[] = [];
  readonly turns: TurnRow[] = [];
  readonly #turnsByKey = new Map<FactKey, TurnRow>();
  readonly #tasks = new Map<string, TranscriptTask>();
  readonly #interactions = new Map<string, TranscriptInteraction>();
  readonly #attachments = new Map<string, TranscriptAttachment>();
  readonly #prompts = new Map<string, TranscriptPrompt>();
  #todo: TranscriptTodo | undefined;
  #meta: TranscriptMeta = {};
  /** A mode was ever told of: an answer then has `modes`, though none be on. */
  hasModes = false;
  #messageMarkers = 0;
  readonly #otherMarkers: MarkerRow[] = [];
  readonly #taskRefs = new Set<string>();
  /** Somebody is told of every change; where nobody is, changes cost less. */
  isWatched = true;
  #ops: TranscriptOperation[] = [];
  #isRewritten = false;

  constructor(agentId: string) {
    this.#agentId = agentId;
  }

  /** The operations since the last call, in order. */
  take(): readonly TranscriptOperation[] {
    const ops: TranscriptOperation[] = this.#isRewritten ? [{ op: 'reset', agentId: this.#agentId, snapshot: this.snapshot() }] : this.#ops;
    this.#ops = [];
    this.#isRewritten = false;
    return ops;
  }

  #tell(...ops: TranscriptOperation[]): void {
    if (this.isWatched) this.#ops.push(...ops);
  }

  /** From now on only a `reset` tells what changed. */
  rewrite(): void {
    this.#isRewritten = this.isWatched;
  }

  /** Whether a reader holds the same by now. What nobody watches is the same whether it is told or not. */
  #isTold(next: unknown, before: unknown): boolean {
    return this.isWatched && isSameValue(next, before);
  }

  turn(key: FactKey | undefined): TurnRow | undefined {
    return key === undefined ? undefined : this.#turnsByKey.get(key);
  }

  /** The newest turn with this id of the agent's own. */
  turnOfId(id: string): TurnRow | undefined {
    for (let i = this.turns.length - 1; i >= 0; i--) if (this.turns[i]?.id === id) return this.turns[i];
    return undefined;
  }

  openTurn(turn: { readonly key: FactKey; readonly ordinal?: number | undefined; readonly id: string; readonly tape: TapeId; readonly isImplicit: boolean; readonly isBare: boolean; readonly openedBy: TurnRow['openedBy']; readonly header: Omit<TurnHeader, 'kind' | 'turnId' | 'ordinal'> }): TurnRow {
    const { ordinal = this.turns.length } = turn;
    const row: TurnRow = {
      kind: 'turn', key: turn.key, id: turn.id, tape: turn.tape, isImplicit: turn.isImplicit, isBare: turn.isBare, openedBy: turn.openedBy, header: present({ kind: 'turn', turnId: turnId(ordinal), ordinal, ...turn.header }), steps: [], hasOwnSteps: false, isBetween: true, isEnded: false,
      settlesAs: undefined, outlookError: undefined,
    };
    this.turns.push(row);
    this.items.push(row);
    this.#turnsByKey.set(turn.key, row);
    this.#tell({ op: 'turn.upsert', turn: row.header });
    return row;
  }

  changeTurn(row: TurnRow, change: Partial<TurnHeader>): void {
    const header = present({ ...row.header, ...change });
    if (this.#isTold(header, row.header)) return;
    row.header = header;
    this.#tell({ op: 'turn.upsert', turn: header });
  }

  openStep(turn: TurnRow, of: { readonly key: FactKey | undefined; readonly startedAt: string | undefined }): StepRow {
    const ordinal = turn.steps.length + 1;
    const { turnId: turnOf } = turn.header;
    const header: StepHeader = present({ kind: 'step', stepId: stepId(turnOf, ordinal), turnId: turnOf, ordinal, state: 'running', startedAt: of.startedAt });
    const row: StepRow = { key: of.key, turn, header, frames: [], frameIds: new Set(), numbered: 0, isAnswered: false, lastAt: of.startedAt };
    turn.steps.push(row);
    turn.isBetween = false;
    this.#tell({ op: 'step.upsert', turnId: turnOf, step: header });
    return row;
  }

  changeStep(row: StepRow, change: Partial<StepHeader>): void {
    const header = present({ ...row.header, ...change });
    if (this.#isTold(header, row.header)) return;
    row.header = header;
    this.#tell({ op: 'step.upsert', turnId: header.turnId, step: header });
  }

  addFrame(step: StepRow, content: FrameContent): FrameRow {
    const isTool = content.kind === 'tool';
    if (!isTool) step.numbered += 1;
    const wanted = isTool ? toolFrameId(step.header.stepId, content.toolCallId) : frameId(step.header.stepId, step.numbered);
    const row: FrameRow = { frame: present({ ...content, frameId: freeId(step, wanted) }) as TranscriptFrame };
    step.frames.push(row);
    step.frameIds.add(row.frame.frameId);
    this.#upsertFrame(step, row.frame);
    return row;
  }

  /** Puts another content into a frame's place. A text that only grew is told as an append. */
  changeFrame(step: StepRow, row: FrameRow, content: FrameContent): void {
    const before = row.frame;
    const frame = present({ ...content, frameId: before.frameId }) as TranscriptFrame;
    if (this.#isTold(frame, before)) return;
    row.frame = frame;
    if (!this.isWatched) return;
    const grown = grownBy(before, frame);
    if (grown === undefined) return this.#upsertFrame(step, frame);
    const { turnId: turnOf, stepId: stepOf } = step.header;
    this.#tell({ op: 'append', target: { type: 'frame', turnId: turnOf, stepId: stepOf, frameId: frame.frameId }, offset: grown.offset, text: grown.text });
  }

  /** Takes a frame away; numbers close up, as if it had never been there. */
  removeFrame(step: StepRow, row: FrameRow): void {
    const at = step.frames.indexOf(row);
    if (at < 0) return;
    const behind = step.frames.splice(at).slice(1);
    step.numbered = step.frames.filter(({ frame }) => frame.kind !== 'tool').length;
    step.frameIds.clear();
    for (const { frame } of step.frames) step.frameIds.add(frame.frameId);
    for (const each of behind) {
      const { frame } = each;
      const wanted = frame.kind === 'tool' ? toolFrameId(step.header.stepId, frame.toolCallId) : frameId(step.header.stepId, ++step.numbered);
      each.frame = { ...frame, frameId: freeId(step, wanted) };
      step.frameIds.add(each.frame.frameId);
      step.frames.push(each);
    }
    this.rewrite();
  }

  #upsertFrame({ header }: StepRow, frame: TranscriptFrame): void {
    this.#tell({ op: 'frame.upsert', turnId: header.turnId, stepId: header.stepId, frame });
  }

  /** A marker at this time. One that stands for a message takes its number before those of all others, which move up. */
  addMarker(marker: Omit<TranscriptMarker, 'kind' | 'markerId'>, of: { readonly isOfMessage: boolean }): void {
    if (of.isOfMessage) this.#messageMarkers += 1;
    const number = this.#messageMarkers + (of.isOfMessage ? 0 : this.#otherMarkers.length + 1);
    const row: MarkerRow = { kind: 'marker', isOfMessage: of.isOfMessage, marker: present({ kind: 'marker', markerId: `m${number}`, ...marker }) };
    this.items.push(row);
    if (!of.isOfMessage) this.#otherMarkers.push(row);
    if (of.isOfMessage && this.#otherMarkers.length > 0) this.#renumberMarkers(row);
    else this.#tell({ op: 'marker.upsert', item: row.marker });
  }

  /** Markers have no operation that gives them another id: the stretches between turns that hold one are laid anew. */
  #renumberMarkers(added: MarkerRow): void {
    const touched = new Set<TimelineRow>([added, ...this.#otherMarkers]);
    const ids = new Set<string>();
    const anew: TranscriptOperation[] = [];
    const stretches = this.isWatched ? stretchesOf(this.items).filter(({ rows }) => rows.some((row) => touched.has(row))) : [];
    for (const { rows } of stretches) for (const row of rows) ids.add(rowId(row));
    this.#otherMarkers.forEach((row, i) => { row.marker = { ...row.marker, markerId: `m${this.#messageMarkers + i + 1}` }; });
    for (const { rows, beforeTurn } of stretches) for (const row of rows) {
      ids.add(rowId(row));
      if (row.kind === 'marker') anew.push(present({ op: 'marker.upsert' as const, item: row.marker, beforeTurn }));
      else if (row.kind === 'taskref') anew.push(present({ op: 'taskref.upsert' as const, item: row.ref, beforeTurn }));
    }
    this.#tell({ op: 'items.remove', ids: [...ids] }, ...anew);
  }

  addTaskRef(taskId: string, at: string | undefined): void {
    const refId = `ref-${taskId}`;
    if (this.#taskRefs.has(refId)) return;
    this.#taskRefs.add(refId);
    const ref = present({ kind: 'taskref' as const, refId, taskId, at });
    this.items.push({ kind: 'taskref', ref });
    this.#tell({ op: 'taskref.upsert', item: ref });
  }

  task(id: string): TranscriptTask | undefined { return this.#tasks.get(id); }
  interaction(id: string): TranscriptInteraction | undefined { return this.#interactions.get(id); }
  prompt(id: string): TranscriptPrompt | undefined { return this.#prompts.get(id); }
  get agentMeta(): AgentStatusMeta | undefined { return this.#meta.agent; }
  get goal(): TranscriptMeta['goal'] { return this.#meta.goal; }

  setTask(task: TranscriptTask): void {
    if (put(this.#tasks, task.taskId, task)) this.#tell({ op: 'task.upsert', task });
  }

  /** Gives a task another id; the place in the list stays. */
  renameTask(from: string, task: TranscriptTask): void {
    const tasks = [...this.#tasks.values()].filter(({ taskId }) => taskId !== task.taskId || taskId === from).map((each) => (each.taskId === from ? task : each));
    this.#tasks.clear();
    for (const each of tasks) this.#tasks.set(each.taskId, each);
    this.rewrite();
  }

  setInteraction(interaction: TranscriptInteraction): void {
    if (put(this.#interactions, interaction.interactionId, interaction)) this.#tell({ op: 'interaction.upsert', interaction });
  }

  /** Attachments count per agent, from 1. */
  addAttachment(attachment: Omit<TranscriptAttachment, 'attachmentId'>): string {
    const attachmentId = `att_${this.#attachments.size + 1}`;
    const added = present({ attachmentId, ...attachment });
    this.#attachments.set(attachmentId, added);
    this.#tell({ op: 'attachment.upsert', attachment: added });
    return attachmentId;
  }

  setPrompt(prompt: TranscriptPrompt): void {
    if (put(this.#prompts, prompt.promptId, prompt)) this.#tell({ op: 'prompt.upsert', prompt });
  }

  setTodo(todo: TranscriptTodo): void {
    if (this.#isTold(todo, this.#todo)) return;
    this.#todo = todo;
    this.#tell({ op: 'todo.upsert', todo });
  }

  mergeMeta(meta: TranscriptMetaMerge): void {
    const next = mergedMeta(this.#meta, meta);
    if (this.#isTold(next, this.#meta)) return;
    this.#meta = next;
    this.#tell({ op: 'meta.merge', meta });
  }

  /** All of it, as JSON; later changes do not reach it. */
  snapshot(): AgentTranscriptSnapshot {
    return {
      items: this.items.map((row) => (row.kind === 'turn' ? { ...row.header, steps: row.steps.map((step) => ({ ...step.header, frames: step.frames.map(({ frame }) => frame) })) } : row.kind === 'marker' ? row.marker : row.ref)),
      tasks: [...this.#tasks.values()], interactions: [...this.#interactions.values()], attachments: [...this.#attachments.values()], todos: this.#todo ? [this.#todo] : [], prompts: [...this.#prompts.values()],
      meta: this.#meta,
    };
  }
}

/** Sets a value by id; false where the same is there already. */
function put<E extends Entity>(entities: Map<string, E>, id: string, entity: E): boolean {
  if (isSameValue(entities.get(id), entity)) return false;
  entities.set(id, entity);
  return true;
}

/** An id that no frame of the step has: a call may be named like a numbered frame. */
function freeId(step: StepRow, wanted: string): string {
  let id = wanted;
  for (let n = 2; step.frameIds.has(id); n++) id = `${wanted}~${n}`;
  return id;
}

/** What was appended, where nothing else of the frame changed. */
function grownBy(before: TranscriptFrame, after: TranscriptFrame): { readonly offset: number; readonly text: string } | undefined {
  if (before.kind !== after.kind || (before.kind !== 'text' && before.kind !== 'thinking') || (after.kind !== 'text' && after.kind !== 'thinking')) return undefined;
  if (!after.text.startsWith(before.text) || !isSameValue({ ...before, text: '' }, { ...after, text: '' })) return undefined;
  return { offset: before.text.length, text: after.text.slice(before.text.length) };
}

interface Stretch { readonly rows: TimelineRow[]; readonly beforeTurn: number | undefined }

/** What stands between turns, stretch by stretch. */
function stretchesOf(items: readonly TimelineRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  let rows: TimelineRow[] = [];
  for (const row of items) {
    if (row.kind !== 'turn') { rows.push(row); continue; }
    stretches.push({ rows, beforeTurn: row.header.ordinal });
    rows = [];
  }
  return [...stretches, { rows, beforeTurn: undefined }];
}

/** The meta after a merge, as a reader's copy has it. */
function mergedMeta(meta: TranscriptMeta, change: TranscriptMetaMerge): TranscriptMeta {
  const { goal = meta.goal, activity = meta.activity } = change;
  const agent = change.agent ? { ...meta.agent, ...change.agent } : meta.agent;
  const modes = change.modes ? { ...meta.modes, ...change.modes } : meta.modes;
  const on = Object.entries(modes ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return present({ goal: goal ?? undefined, modes: on.length ? (Object.fromEntries(on) as TranscriptMeta['modes']) : undefined, activity, agent });
}
