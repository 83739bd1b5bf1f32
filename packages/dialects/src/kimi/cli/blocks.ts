import type { FactKey, ModelItem } from '@tapefold/facts';
import { present, stringAt } from '../../shape.js';
import { contentOf } from './content.js';
import { type Play, type Played, here, nextBlockId, say, sayOwn, timeMs } from './play.js';
import { needTurn } from './turns.js';

/** What the model reads of a piece, with the item that shows it. */
function append(play: Play, item: ModelItem, shows: FactKey): void {
  sayOwn(play, { ...here(play), item, shows });
}

/** Text or thinking: a block of its own, or more of the one before. */
function writeBlock(play: Play, kind: 'text' | 'think', text: string): FactKey {
  const { run } = play;
  if (run.block?.kind === kind) {
    say(play, { type: 'item.changed', ...here(play), id: run.block.id, append: kind === 'text' ? { text } : { content: [text] } });
    return run.block.key;
  }
  const id = nextBlockId(play);
  const body = kind === 'text' ? { kind: 'agentMessage' as const, text } : { kind: 'reasoning' as const, summary: [], content: [text] };
  const key = say(play, present({ type: 'item.completed' as const, ...here(play), id, body, visibility: 'shown' as const, isAdded: false, completedAtMs: timeMs(play) }));
  run.block = { id, kind, key };
  run.items.push(key);
  return key;
}

/** Pictures and sounds of the model's own: an output without a call. */
function writeMedia(play: Play): Played {
  const [part] = contentOf(play.payload);
  if (!part) return 'unknown';
  play.run.block = null;
  const key = say(play, { type: 'item.completed', ...here(play), id: nextBlockId(play), body: { kind: 'callOutput', name: part.kind, output: part.kind === 'other' ? part.raw : play.payload }, visibility: 'shown', isAdded: false });
  play.run.items.push(key);
  append(play, { kind: 'message', role: 'assistant', content: [part], visibility: 'shown' }, key);
  return 'played';
}

/** A piece of the model's answer, as it was merged before it was written. */
export function writeContent(play: Play): Played {
  needTurn(play);
  const { payload } = play;
  const type = stringAt(payload, 'type');
  if (type === 'think') {
    const think = stringAt(payload, 'think') ?? '';
    const isEncrypted = stringAt(payload, 'encrypted') !== undefined;
    if (think === '' && !isEncrypted) return 'ignored';
    const key = writeBlock(play, 'think', think);
    append(play, present({ kind: 'reasoning' as const, summary: [], content: think === '' ? [] : [think], isEncrypted, native: isEncrypted ? play.pen.native(play.record, payload, [...play.path]) : undefined }), key);
    return 'played';
  }
  const text = stringAt(payload, 'text');
  if (type !== 'text' || text === undefined) return writeMedia(play);
  if (text === '') return 'ignored';
  append(play, { kind: 'message', role: 'assistant', content: [{ kind: 'text', text }], visibility: 'shown' }, writeBlock(play, 'text', text));
  return 'played';
}
