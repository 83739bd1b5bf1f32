import type { FactKey, JsonObject } from '@tapefold/facts';
import { present, stringAt } from '../../shape.js';
import { noteEntry, noteItem } from './chain.js';
import { type Play, refs, say, stepAt } from './play.js';
import type { NodeState, StepState } from './state.js';

const blank = (text: string): boolean => text.trim() === '';

interface Words { readonly text: string; readonly isThought: boolean; readonly isHidden: boolean; readonly isEncrypted: boolean; readonly native?: JsonObject | undefined }

function wordsOf(part: JsonObject): Words | undefined {
  const think = stringAt(part, 'think') ?? '';
  const encrypted = part['encrypted'];
  switch (stringAt(part, 'type')) {
    case 'text': return { text: stringAt(part, 'text') ?? '', isThought: false, isHidden: false, isEncrypted: false };
    case 'think': return { text: think, isThought: true, isHidden: part['hidden'] === true, isEncrypted: think === '' && encrypted !== undefined && encrypted !== null && encrypted !== false && encrypted !== '' };
    default: return undefined;
  }
}

/** What the model said or thought, as an item (where there is something to see) and as an entry of its history. */
export function tellPart(play: Play, node: NodeState, of: { step: number; part: JsonObject; path: readonly (string | number)[] }): void {
  const words = wordsOf(of.part);
  const step = stepAt(play, of.step);
  if (!step) return;
  const native = words && !words.isThought ? undefined : play.pen.native(play.record, of.part, [...of.path]);
  if (!words) {
    step.isFull = true;
    node.part = 'other';
    return noteEntry(node, say(play, { type: 'context.appended', ...refs(play, { step: of.step }), item: present({ kind: 'other' as const, type: stringAt(of.part, 'type') ?? '', native }) }));
  }
  const isFull = !blank(words.text) || words.isEncrypted;
  step.isFull ||= isFull;
  node.part = isFull ? 'words' : 'blank';
  const shows = words.text === '' || words.isHidden ? undefined : tellWords(play, node, { step: of.step, words });
  const item = words.isThought
    ? present({ kind: 'reasoning' as const, summary: [], content: words.text === '' ? [] : [words.text], isEncrypted: words.isEncrypted, native })
    : { kind: 'message' as const, role: 'assistant' as const, content: [{ kind: 'text' as const, text: words.text }], visibility: 'shown' as const };
  noteEntry(node, say(play, present({ type: 'context.appended' as const, ...refs(play, { step: of.step }), item, shows })));
}

/** Words stand before the calls of their step, also where they come behind them. */
function tellWords(play: Play, node: NodeState, of: { step: number; words: Words }): FactKey {
  const step = stepAt(play, of.step) as StepState;
  const { text, isThought } = of.words;
  step.frames += 1;
  step.hasItems = true;
  const key = say(play, present({
    type: 'item.completed' as const, ...refs(play, { step: of.step }), id: `${step.label}.f${step.frames}`, body: isThought ? { kind: 'reasoning' as const, summary: [], content: [text] } : { kind: 'agentMessage' as const, text },
    visibility: 'shown' as const, isAdded: false, place: step.hasCalls ? { after: step.lastWords } : undefined,
  }));
  step.lastWords = key;
  noteItem(node, key);
  return key;
}
