import type { JsonObject, LineVerdict } from '@tapefold/facts';
import { present, stringAt } from '../shape.js';
import { changeDetails, changePermissions, moveThread, tellDetails } from './details.js';
import { closeInside, tellOutlook } from './turns.js';
import { settleSides, tellMove } from './history.js';
import { type Play, say } from './play.js';
import { playQueue } from './queue.js';
import { noteTitle } from './titles.js';

/** Lines that say nothing of the conversation. */
const ignored = new Set(['file-history-snapshot', 'bridge-session', 'atis-latch', 'started', 'result']);

/** Makes the chain end below the line that the file names, from the end backwards (claude-history §6.1, step 5). */
export function moveToPromptLeaf(play: Play): void {
  const { state, tree } = play;
  let leaf = -1;
  for (let at = state.nodes.length - 1; at >= 0 && leaf < 0; at--) {
    const node = state.nodes[at];
    if (node?.run === 0 && node.kind !== 'bridge' && (state.promptLeaf < 0 || tree.isUnder(at, state.promptLeaf))) leaf = at;
  }
  if (leaf < 0 || leaf === state.runs[0]?.leaf) return;
  tellMove(play, settleSides(play, tree.moveTo(0, leaf)), { off: 'branch', on: 'branch' });
  closeInside(play);
  tellOutlook(play);
}

function playLastPrompt(play: Play): void {
  const { state, tree, line: { raw } } = play;
  const leaf = stringAt(raw, 'leafUuid');
  const words = stringAt(raw, 'lastPrompt')?.replace(/\s+/g, ' ').trim();
  if (words) state.titles.lastPrompt = words.slice(0, 500);
  if (leaf === undefined) return;
  const at = tree.find(leaf);
  const isOwn = at !== undefined && state.nodes[at]?.run === 0 && state.nodes[at].kind !== 'bridge';
  if (isOwn) state.promptLeaf = at;
  state.awaitedLeaf = isOwn ? null : leaf;
  if (isOwn) moveToPromptLeaf(play);
}

function playMode(play: Play): LineVerdict {
  const mode = stringAt(play.line.raw, 'mode') ?? 'normal';
  if (mode === 'normal') return 'ignored';
  say(play, { type: 'mode.entered', mode });
  return 'played';
}

function postLink(play: Play, code: string, url: string | undefined): void {
  const { type: _type, timestamp: _timestamp, sessionId: _sessionId, ...details } = play.line.raw;
  say(play, present({ type: 'notice.posted' as const, level: 'info' as const, code, text: url ?? '', details: details as JsonObject }));
}

function playKnown(play: Play): LineVerdict | undefined {
  const { raw, type } = play.line;
  switch (type) {
    case 'queue-operation': return playQueue(play, raw) ? 'played' : undefined;
    case 'last-prompt': playLastPrompt(play); return 'played';
    case 'mode': return playMode(play);
    case 'permission-mode': changePermissions(play, stringAt(raw, 'permissionMode') ?? 'default'); return 'played';
    case 'agent-name': changeDetails(play, present({ agentNickname: stringAt(raw, 'agentName') })); return 'played';
    case 'relocated': case 'worktree-state': moveThread(play); return 'played';
    case 'pr-link': postLink(play, type, stringAt(raw, 'prUrl')); return 'played';
    case 'frame-link': postLink(play, type, stringAt(raw, 'frameUrl')); return 'played';
    default: return noteTitle(play.state, play.line) ? 'played' : undefined;
  }
}

/** A line without a uuid: it belongs to the place where it stands in the file. */
export function playSideLine(play: Play): LineVerdict {
  const { line } = play;
  if (ignored.has(line.type)) return 'ignored';
  const verdict = playKnown(play);
  if (verdict === undefined) {
    const isNode = ['user', 'assistant', 'attachment', 'system', 'progress'].includes(line.type);
    say(play, present({ type: 'record.unknown' as const, recordType: line.name, why: isNode ? ('shape' as const) : ('type' as const), field: isNode ? 'uuid' : undefined }));
    return 'unknown';
  }
  tellDetails(play);
  return verdict;
}
