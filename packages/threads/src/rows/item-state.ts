import type { ContentPart, LargeRef } from '@tapefold/facts';
import type { Growth, ItemRow, ItemState, ItemVersion, RowBody } from '../fold/row.js';
import type { ItemAppend, ItemRevision } from '../fold/row-change.js';

/** A row while it is kept: readers see it read-only. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

function stateOf(row: ItemState): ItemState {
  const { body, visibility, isOpen, startedAtMs, completedAtMs, context, large } = row;
  return { body, visibility, isOpen, startedAtMs, completedAtMs, context, large };
}

/** Puts a newer state in place and keeps the older one for as-of reads. Times and links that the newer record does not repeat stay. */
export function replaceState(row: Draft<ItemRow>, next: ItemState, position: number): void {
  const version: ItemVersion = { until: position, ...stateOf(row), growth: row.growth };
  row.earlier = [...row.earlier, version];
  row.growth = [];
  row.body = next.body;
  row.visibility = next.visibility;
  row.isOpen = next.isOpen;
  row.startedAtMs = next.startedAtMs ?? row.startedAtMs;
  row.completedAtMs = next.completedAtMs ?? row.completedAtMs;
  row.context = next.context ?? row.context;
  row.large = next.large;
}

function lengths(body: RowBody): Omit<Growth, 'position'> {
  return {
    summary: body.kind === 'reasoning' ? body.summary.length : 0,
    content: body.kind === 'reasoning' ? body.content.length : 0,
    output: body.kind === 'command' || body.kind === 'toolCall' ? (body.output?.length ?? null) : 0,
    text: body.kind === 'agentMessage' || body.kind === 'plan' ? body.text.length : 0,
    input: body.kind === 'toolCall' && typeof body.arguments === 'string' ? body.arguments.length : 0,
  };
}

/** The row's own copy of a body whose lists are about to grow: the first one may be shared with the fact. */
function ownBody(body: RowBody): RowBody {
  if (body.kind === 'reasoning') return { ...body, summary: [...body.summary], content: [...body.content] };
  if (body.kind === 'toolCall' && body.output) return { ...body, output: [...body.output] };
  return { ...body };
}

const textPart = (text: string): ContentPart => ({ kind: 'text', text });

function growToolCall(body: Extract<RowBody, { kind: 'toolCall' }>, append: ItemAppend): void {
  if (append.output !== undefined) (body.output ??= []).push(textPart(append.output));
  if (append.input !== undefined && typeof body.arguments === 'string') body.arguments += append.input;
}

/** Adds to a body that the row owns: amortised O(size of what is added). Kinds that have no such text stay as they are. */
function grow(body: RowBody, append: ItemAppend): void {
  switch (body.kind) {
    case 'reasoning':
      for (const text of append.summary ?? []) body.summary.push(text);
      for (const text of append.content ?? []) body.content.push(text);
      return;
    case 'command': if (append.output !== undefined) body.output = (body.output ?? '') + append.output; return;
    case 'toolCall': growToolCall(body, append); return;
    case 'agentMessage': case 'plan': body.text += append.text ?? ''; return;
    default:
  }
}

/** References into an append as references into the body that grew by it; none for an output that is joined, whose whole has no digest. */
function movedLarge(refs: readonly LargeRef[], before: Omit<Growth, 'position'>): LargeRef[] {
  return refs.flatMap((ref) => {
    const [, field, index] = ref.at;
    if ((field !== 'summary' && field !== 'content') || typeof index !== 'number') return [];
    return [{ ...ref, at: ['body', field, before[field] + index] }];
  });
}

/** Texts grow: O(what is added), however long they are. */
export function appendTo(row: Draft<ItemRow>, revision: ItemRevision & { readonly append: ItemAppend }, position: number): void {
  if (row.growth.length === 0) row.body = ownBody(row.body);
  const before = lengths(row.body);
  (row.growth as Growth[]).push({ position, ...before });
  grow(row.body, revision.append);
  const large = movedLarge(revision.large, before);
  if (large.length > 0) row.large = [...row.large, ...large];
}

function withStatus(body: RowBody, status: ItemRevision['status']): RowBody {
  switch (body.kind) {
    case 'command': case 'mcpCall': case 'agentCall': case 'fileChange': case 'toolCall': case 'webSearch': return status === undefined ? body : { ...body, status };
    default: return body;
  }
}

/** Takes a part of an item anew. A status other than `running` ends an open item. */
export function revise(row: Draft<ItemRow>, revision: ItemRevision, position: number): void {
  const { append, status, visibility, context } = revision;
  if (status !== undefined || visibility !== undefined) {
    const isOpen = row.isOpen && (status === undefined || status === 'running');
    replaceState(row, { ...stateOf(row), body: withStatus(row.body, status), visibility: visibility ?? row.visibility, isOpen }, position);
  }
  if (append) appendTo(row, { ...revision, append }, position);
  row.context = context ?? row.context;
}

function cutBody(body: RowBody, to: Omit<Growth, 'position'>): RowBody {
  switch (body.kind) {
    case 'reasoning': return { ...body, summary: body.summary.slice(0, to.summary), content: body.content.slice(0, to.content) };
    case 'command': return { ...body, output: to.output === null ? undefined : body.output?.slice(0, to.output) };
    case 'toolCall': return { ...body, output: to.output === null ? undefined : body.output?.slice(0, to.output), arguments: typeof body.arguments === 'string' ? body.arguments.slice(0, to.input) : body.arguments };
    case 'agentMessage': case 'plan': return { ...body, text: body.text.slice(0, to.text) };
    default: return body;
  }
}

/** The row as it was when the fact at `asOf` had been folded. Exact but for the turn and place of an input that was placed anew, which are the newest. */
export function itemAsOf(row: ItemRow, asOf: number): ItemRow {
  const version = row.earlier.find(({ until }) => until > asOf);
  const state = version ?? row;
  const next = state.growth.find(({ position }) => position > asOf);
  const body = next ? cutBody(state.body, next) : state.body;
  return { ...row, ...stateOf(state), body, earlier: [], growth: [] };
}
