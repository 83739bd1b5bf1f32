import type { FactKey, ItemBody } from '@tapefold/facts';
import { booleanAt, present, stringAt } from '../shape.js';
import { startCall } from './calls.js';
import { messageItem } from './content.js';
import { appendEntry } from './context.js';
import { type Block, textOf } from './line.js';
import { type Play, noteItem, refs, say } from './play.js';
import { showSteered } from './queue.js';
import { closeStep, noteResponse, stepOfPartial, takeStep } from './steps.js';
import { failTurn, needTurn, reopenTurn } from './turns.js';

const SYNTHETIC = '<synthetic>';
/** What the program writes where a resumed session has no answer to the last line. */
const FILLER = 'No response requested.';

const isSynthetic = (play: Play): boolean => stringAt(play.line.message ?? {}, 'model') === SYNTHETIC;

/** True for lines of the assistant that no model wrote and that are no part of a turn's course. */
export function isFiller(play: Play): boolean {
  return isSynthetic(play) && textOf(play.line.blocks) === FILLER;
}
export function isApiError(play: Play): boolean {
  return booleanAt(play.line.raw, 'isApiErrorMessage') === true;
}

/** A request failed: the program says so in the model's place, outside of any step. The model never saw it, unless a model's name stands on it. */
function tellApiError(play: Play): void {
  needTurn(play);
  closeStep(play, 'failed');
  const { line } = play;
  showItem(play, { step: -1, index: 0 }, { kind: 'agentMessage', text: textOf(line.blocks) });
  if (!isSynthetic(play)) appendEntry(play, { as: 'other', item: messageItem({ role: 'assistant', visibility: 'control', blocks: line.blocks }) });
  failTurn(play);
}

function tellFiller(play: Play): void {
  appendEntry(play, { as: 'other', item: messageItem({ role: 'assistant', visibility: 'control', blocks: play.line.blocks }) });
}

interface Told { readonly step: number; readonly index: number }

function showItem(play: Play, at: Told, body: ItemBody): FactKey {
  return noteItem(play, say(play, { type: 'item.completed', ...refs(play, at.step), id: `${play.node.uuid}.${at.index}`, body, visibility: 'shown', isAdded: false }));
}

function tellText(play: Play, block: Block, at: Told): void {
  const text = stringAt(block.raw, 'text') ?? '';
  const isBlank = text.trim() === '';
  const shows = isBlank ? undefined : showItem(play, at, { kind: 'agentMessage', text });
  if (!isBlank) play.node.sign = 'answered';
  // Cut-off text has a message id of the program's own: to a person it is part of the step, to the model a message by itself.
  const own = isSynthetic(play) ? { as: 'other' as const } : { as: 'line' as const, step: at.step };
  appendEntry(play, { ...own, shows, item: messageItem({ role: 'assistant', visibility: 'shown', blocks: [block] }) });
}

/** Thinking, which goes back to the provider with its signature; one that came encrypted shows nothing. */
function tellThinking(play: Play, block: Block, at: Told): void {
  const text = stringAt(block.raw, 'thinking') ?? '';
  const shows = text === '' ? undefined : showItem(play, at, { kind: 'reasoning', summary: [], content: [text] });
  const native = block.path && play.pen.native(play.line.record, block.raw, [...block.path]);
  const item = present({ kind: 'reasoning' as const, summary: [], content: text === '' ? [] : [text], isEncrypted: block.type === 'redacted_thinking', native });
  appendEntry(play, { as: 'line', step: at.step, shows, item });
}

function tellFallback(play: Play, block: Block, at: Told): void {
  say(play, { type: 'notice.posted', ...refs(play, at.step), level: 'warning', code: 'model-fallback', text: '', details: block.raw });
}

/** A block of tomorrow, or one that only its provider reads. */
function tellOther(play: Play, block: Block, at: Told): void {
  const native = block.path && play.pen.native(play.line.record, block.raw, [...block.path]);
  appendEntry(play, { as: 'line', step: at.step, item: present({ kind: 'other' as const, type: block.type, native }) });
}

function tellBlock(play: Play, block: Block, at: Told): void {
  switch (block.type) {
    case 'text': return tellText(play, block, at);
    case 'thinking': case 'redacted_thinking': return tellThinking(play, block, at);
    case 'tool_use': play.node.sign = 'open'; return startCall(play, block, at);
    case 'fallback': return tellFallback(play, block, at);
    case 'image': case 'document': appendEntry(play, { as: 'line', step: at.step, item: messageItem({ role: 'assistant', visibility: 'shown', blocks: [block] }) }); return undefined;
    default: return tellOther(play, block, at);
  }
}

/** A line of the assistant: blocks of one message, or what the program wrote in its name. */
export function tellAssistant(play: Play): void {
  if (isFiller(play)) return tellFiller(play);
  if (isApiError(play)) return tellApiError(play);
  needTurn(play);
  reopenTurn(play);
  if (play.tree.step(play.node.run, play.node.message ?? play.node.uuid) === undefined) showSteered(play);
  const step = isSynthetic(play) ? stepOfPartial(play) : takeStep(play);
  play.line.blocks.forEach((block, index) => tellBlock(play, block, { step, index }));
  if (!isSynthetic(play)) noteResponse(play);
}
