import type { JsonObject, JsonValue, LineVerdict } from '@tapefold/facts';
import { countAt, numberAt, objectAt, stringAt } from '../../shape.js';
import { addNode, noteEntry, wait, waiting } from './chain.js';
import { textIn } from './content.js';
import { tellStanding } from './history.js';
import { type Play, currentTurn, refs, say } from './play.js';
import { settleStep } from './steps.js';
import { tellSummary } from './summary.js';

/** A summary stands as text, as a message, or only in the words for the model. */
function summaryText(raw: JsonObject): string {
  return stringAt(raw, 'summary') ?? stringAt(raw, 'contextSummary') ?? textIn(objectAt(raw, 'summary')?.['content']);
}

/** What was open is given up: messages that were held back are never said. */
export function abandonStep(play: Play): void {
  const { state } = play;
  const { held } = waiting(play);
  if (!state.nodes.length) return;
  const among = held.flatMap((at) => state.inputs[at]?.node ?? []);
  addNode(play, { kind: 'cut' });
  wait(play, { open: -1, pending: [], held: [] });
  tellStanding(play, { among, isCounting: () => false }, 'undo');
}

/** `context.apply_compaction`: newer ones say how many of a person's messages stay, older ones how many messages went. */
export function playCompaction(play: Play): LineVerdict {
  const { raw } = play;
  const keptMessages = numberAt(raw, 'keptUserMessageCount');
  if (keptMessages !== undefined) settleStep(play);
  else abandonStep(play);
  const origin: JsonValue = { kind: 'compaction_summary' };
  tellSummary(play, {
    text: summaryText(raw), forModel: stringAt(raw, 'contextSummary'), origin, keptMessages: keptMessages === undefined ? undefined : Math.max(0, Math.floor(keptMessages)),
    replaced: keptMessages === undefined ? countAt(raw, 'compactedCount') ?? countAt(raw, 'count') : undefined, tokensBefore: numberAt(raw, 'tokensBefore'), tokensAfter: numberAt(raw, 'tokensAfter'),
  });
  return 'played';
}

/** `full_compaction.begin`: who wants it; whether it comes to one, the next records say. */
export function playCompactionBegin(play: Play): LineVerdict {
  play.state.compaction = { trigger: stringAt(play.raw, 'source') === 'manual' ? 'manual' : 'auto' };
  return 'played';
}

export function playCompactionOver(play: Play): LineVerdict {
  play.state.compaction = null;
  return 'ignored';
}

/** `context.clear`: the model begins anew; a person still sees what was said, and no undo goes beyond. */
export function playClear(play: Play): LineVerdict {
  abandonStep(play);
  const node = addNode(play, { kind: 'clear', wait: null });
  noteEntry(node, say(play, { type: 'context.cleared', ...refs(play, { turn: currentTurn(play) }) }));
  return 'played';
}
