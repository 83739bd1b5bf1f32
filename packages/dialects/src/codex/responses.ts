import type { FactKey, ModelItem } from '@tapefold/facts';
import { textOfParts } from '@tapefold/facts';
import { present, stringAt } from '../shape.js';
import { playCall } from './calls.js';
import { hookFragmentsOf } from './event-items.js';
import { markOf } from '../id-table.js';
import { noteFirstPrompt, writeInput } from './inputs.js';
import { writeHookPrompt, writeNumbered } from './legacy.js';
import { modelItemOf } from './model-items.js';
import type { Pen } from './pen.js';
import type { CodexRecord, CodexState } from './state.js';
import { closeTurn, countItems, openTurn } from './turns.js';

/*
 * Files in which only the model's history tells what happened: those of 2025 without envelope, and legacy files that hold no event at all. A message that a
 * person typed opens a turn. Whether a legacy file is of that kind shows late: the first such message waits until an event or an answer follows it.
 */

/** A message that a person typed, and its entry in the model's history. */
interface Typed { readonly context: FactKey; readonly item: Extract<ModelItem, { kind: 'message' }> }

function openInput(pen: Pen, record: CodexRecord, { context, item }: Typed): void {
  const { state } = pen;
  closeTurn(state);
  const turn = openTurn(pen, record, { id: `rollout-${state.retained}`, isImplicit: true, replacesOlder: false });
  state.lastUserContext = { key: context, mark: markOf(textOfParts(item.content)) };
  countItems(state, turn, 1);
  turn.hasContent = true;
  state.nextItem += 1;
  writeInput(pen, record, { id: `item-${state.nextItem - 1}`, content: [...item.content], isAdded: false, turn });
}

/** An item of the model's history, shown for want of anything else. */
export function playResponse(pen: Pen, record: CodexRecord, context: FactKey): void {
  const item = modelItemOf(record.payload, { dialect: 'codex', raw: null });
  if (item.kind === 'message' && item.visibility === 'shown') {
    if (item.role === 'user') openInput(pen, record, { context, item });
    else showText(pen, record, { text: textOfParts(item.content), context });
  } else if (item.kind === 'reasoning' && item.summary.length + item.content.length > 0) {
    writeNumbered(pen, record, { body: { kind: 'reasoning', summary: item.summary, content: item.content }, context });
  } else playCall(pen, record, context);
}

function showText(pen: Pen, record: CodexRecord, said: { text: string; context: FactKey }): void {
  if (said.text !== '') writeNumbered(pen, record, { body: { kind: 'agentMessage', text: said.text }, context: said.context });
}

/** True while a legacy file has not shown of which kind it is. */
function isUndecided(state: CodexState): boolean {
  return state.mode === 'legacy' && !state.hasEvents;
}

/** A typed message before any event: received, and placed when the next record tells how. */
function holdInput(pen: Pen, record: CodexRecord, { context, item }: Typed): void {
  const input = pen.write(present({
    type: 'input.received' as const, at: record.at, id: pen.ownId(record), content: [...item.content], visibility: 'shown' as const, isAdded: true, context,
  }));
  pen.state.pendingInputs.push({ input, text: textOfParts(item.content), retained: pen.state.retained });
}

/** The waiting messages open turns after all, since an answer of the model follows them and no event. */
function releaseInputs(pen: Pen, record: CodexRecord): void {
  const { state } = pen;
  state.mode = 'responses';
  for (const pending of state.pendingInputs) {
    const turn = openTurn(pen, record, { id: `rollout-${pending.retained}`, isImplicit: true, replacesOlder: false });
    turn.hasInput = true;
    turn.hasContent = true;
    pen.write(present({ type: 'input.placed' as const, at: record.at, turn: turn.key, input: pending.input, as: 'opens' as const }));
    noteFirstPrompt(pen, record, [{ kind: 'text', text: pending.text }]);
  }
  state.pendingInputs = [];
}

/** What an item of a legacy file's history shows besides: calls, hook prompts, and everything where no event speaks. */
export function playLegacyResponse(pen: Pen, record: CodexRecord, context: FactKey): void {
  if (!isUndecided(pen.state) && stringAt(record.payload, 'type') !== 'message') return playCall(pen, record, context);
  const item = modelItemOf(record.payload, { dialect: 'codex', raw: null });
  const fragments = item.kind === 'message' && item.role === 'user' ? hookFragmentsOf(textOfParts(item.content)) : undefined;
  if (fragments) return writeHookPrompt(pen, record, { fragments, context });
  if (!isUndecided(pen.state)) return playCall(pen, record, context);
  if (item.kind === 'message' && item.visibility !== 'shown') return;
  if (item.kind === 'message' && item.role === 'user') return holdInput(pen, record, { context, item });
  if (!pen.state.pendingInputs.length) return playCall(pen, record, context);
  releaseInputs(pen, record);
  playResponse(pen, record, context);
}
