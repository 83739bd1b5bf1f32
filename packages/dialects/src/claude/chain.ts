import type { LineVerdict, TapeIdentity } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { stringsAt } from '../shape.js';
import { describeRun } from './agents.js';
import { isApiError, isFiller, tellAssistant } from './assistant.js';
import { adoptWaiting, attach, freshNode } from './attach.js';
import { tellAttachment } from './attachments.js';
import { compactWithoutSummary, isUnsummarised } from './compaction.js';
import { orderResults } from './context.js';
import { isAgentTape, openThread, tellDetails } from './details.js';
import { joinTurn, retractLines, settleSides, tellMove } from './history.js';
import type { ClaudeLine } from './line.js';
import type { Pen } from '../pen.js';
import { type Play, refs, say, tellContent } from './play.js';
import { tellProgress } from './progress.js';
import { moveToPromptLeaf } from './side-lines.js';
import type { ClaudeState, NodeState, RunState } from './state.js';
import { isSystemCommand, knownSystem, tellSystem } from './system.js';
import type { ClaudeTree } from './tree.js';
import { closeBefore, closeInside, tellOutlook } from './turns.js';
import { opening, tellUser } from './user.js';
import { type UserClass, classOfUser } from './user-class.js';

/** What a line is played with. */
export interface Stage {
  readonly identity: TapeIdentity;
  readonly state: ClaudeState;
  readonly tree: ClaudeTree;
  readonly pen: Pen;
}

const runOf = (state: ClaudeState, run: number): RunState => state.runs[run] as RunState;

/** The line takes its place in the tree. */
function enter(stage: Stage, line: ClaudeLine): { play: Play; isCut: boolean } {
  const { state, tree, identity } = stage;
  const timeMs = line.at === undefined ? state.lastTimeMs : Date.parse(line.at);
  state.lastTimeMs = timeMs;
  const isOwn = isAgentTape(identity.namedThreadId) || !line.isSidechain;
  const attachment = attach(state, tree, { line, isOwn, timeMs });
  const node = freshNode(line, attachment, timeMs);
  const at = tree.add(node);
  return { play: { ...stage, line, node, at, run: runOf(state, node.run) }, isCut: attachment.isCut };
}

/** True where the chain of the run may end with the new line: below the line that the newest `last-prompt` names. */
function isCandidate({ state, tree, node, at }: Play): boolean {
  return node.run !== 0 || state.promptLeaf < 0 || tree.isUnder(at, state.promptLeaf);
}

function opensTurn(play: Play, as: UserClass | undefined): boolean {
  if (as !== undefined) return opening.has(as);
  return play.line.kind === 'system' && isSystemCommand(play.line.raw);
}

/** The chain moves to the new line: what that leaves and takes up is told before the line speaks. Answers whether it took another way. */
function moveChain(play: Play, of: { isOpening: boolean; isAdopted: boolean }): boolean {
  const { tree, node, at, run } = play;
  const left = run.leaf;
  const isMoving = isCandidate(play);
  const touched = of.isAdopted ? tree.rewalk(node.run, isMoving ? at : left) : isMoving ? tree.moveTo(node.run, at) : tree.touchedBy(at);
  const isFlip = isMoving && left >= 0 && node.parent !== left;
  node.isLive = tree.isLive(at);
  touched.delete(at);
  if (node.isLive && of.isOpening) closeBefore(play, left);
  tellMove(play, settleSides(play, touched), { off: of.isOpening ? 'rewind' : 'branch', on: of.isAdopted ? 'adopted' : 'branch' });
  if (isFlip) closeInside(play);
  return isFlip;
}

/** A line that nobody knows: it stays in the chain and shows nothing. */
function tellUnknown(play: Play): void {
  say(play, { type: 'record.unknown', ...refs(play, -1), recordType: play.line.name, why: 'type' });
}

function tellKind(play: Play, as: UserClass | undefined): void {
  switch (play.node.kind) {
    case 'user': if (as !== undefined) tellUser(play, as); return;
    case 'assistant': return tellAssistant(play);
    case 'attachment': return tellAttachment(play);
    case 'system': return knownSystem.has(play.line.name.slice('system/'.length)) ? tellSystem(play) : tellUnknown(play);
    default: return tellUnknown(play);
  }
}

/** A message of the model, or a person's words: only then is it known how the chain goes on behind parallel results. */
function isNextSpeech(play: Play, as: UserClass | undefined): boolean {
  const { node, state, run } = play;
  if (!node.isLive || !run.held) return false;
  if (node.kind === 'user') return as !== 'result';
  return node.kind === 'assistant' && node.message !== state.steps[run.held.step]?.message;
}

/** What the line itself says. */
function speak(play: Play, as: UserClass | undefined, of: { isCut: boolean; isFlip: boolean }): void {
  const { node, run, tree } = play;
  const isSpeech = node.kind === 'user' || node.kind === 'assistant';
  if (isNextSpeech(play, as)) orderResults(play);
  tellContent(play, () => {
    if (of.isCut) say(play, { type: 'context.cleared' });
    if (as !== 'summary' && !node.isBoundary && node.isLive && ((of.isFlip && tree.hasCrossed(node.run)) || (isSpeech && run.boundary)) && isUnsummarised(play)) compactWithoutSummary(play);
    if (isSpeech) describeRun(play);
    tellKind(play, as);
  });
  if (isSpeech && as !== 'interrupt' && as !== 'result') run.rejected = null;
  const superseded = stringsAt(play.line.raw, 'supersedesUuids');
  if (superseded.length) retractLines(play, superseded);
}

function afterwards(play: Play): void {
  const { node, at, state } = play;
  if (!node.isLive || node.isLate) tellMove(play, settleSides(play, [at], at), { off: 'branch', on: 'branch' });
  if (state.awaitedLeaf === node.uuid && node.run === 0) {
    state.promptLeaf = at;
    state.awaitedLeaf = null;
    moveToPromptLeaf(play);
  }
  tellOutlook(play);
  tellDetails(play);
}

function verdictOf(play: Play): LineVerdict {
  const { node, line } = play;
  if (node.kind === 'other') return 'unknown';
  return node.kind === 'system' && !knownSystem.has(line.name.slice('system/'.length)) ? 'unknown' : 'played';
}

/** A progress line carries the chain on and shows how far a call is. */
function playBridge(play: Play): LineVerdict {
  return tellProgress(play) ? 'played' : 'ignored';
}

function classOf(line: ClaudeLine): UserClass | undefined {
  return line.kind === 'user' ? classOfUser(line) : undefined;
}

/** A line with a uuid that was not there before. */
function playNew(stage: Stage, line: ClaudeLine): LineVerdict {
  const { play, isCut } = enter(stage, line);
  const { node, state, tree, at } = play;
  openThread(play);
  const isAdopted = adoptWaiting(state, tree, at);
  if (node.kind === 'bridge') return playBridge(play);
  const as = classOf(line);
  const isOpening = opensTurn(play, as);
  const isFlip = moveChain(play, { isOpening, isAdopted });
  if (!isOpening) joinTurn(state, at, state.nodes[node.parent]?.turn ?? -1);
  speak(play, as, { isCut, isFlip });
  afterwards(play);
  return verdictOf(play);
}

function withdraw(play: Play): void {
  const { node, pen: { tape } } = play;
  const ranges = node.entries.map((from) => ({ tape, from, to: from + 1 }));
  const inputs = node.inputs.map((ordinal) => factKey(tape, ordinal));
  if (ranges.length || inputs.length) say(play, { type: 'history.superseded', reason: 'replaced', turns: [], ...(inputs.length ? { inputs } : {}), context: ranges });
}

/** The same uuid again, with other words: the newer line counts, at the place of the older. */
function replace(stage: Stage, line: ClaudeLine, at: number): LineVerdict {
  const { state, pen: { tape } } = stage;
  const node = state.nodes[at] as NodeState;
  if (node.digest === line.digest) return 'ignored';
  const keyOf = (ordinal: number | undefined): string | undefined => (ordinal === undefined ? undefined : factKey(tape, ordinal));
  const play: Play = { ...stage, line, node, at, run: runOf(state, node.run), replaces: { after: keyOf(node.entries.at(-1)), replacedInput: keyOf(node.inputs.at(-1)) } };
  const isSameForm = node.kind === line.kind && node.kind !== 'system' && node.kind !== 'bridge' && !isFillerLike(play) && node.message === (line.kind === 'assistant' ? line.message?.['id'] : undefined);
  node.digest = line.digest;
  if (!isSameForm) return 'ignored';
  withdraw(play);
  const { items } = node;
  Object.assign(node, { entries: [], inputs: [], items: [] });
  speak(play, classOf(line), { isCut: false, isFlip: false });
  state.strays.push(...node.entries);
  node.items = items.length ? items : node.items;
  if (node.isUnread) withdraw({ ...play, node: { ...node, inputs: [] } });
  tellOutlook(play);
  tellDetails(play);
  return 'played';
}

const isFillerLike = (play: Play): boolean => isFiller(play) || isApiError(play);

/** A line of the tree. */
export function playChainLine(stage: Stage, line: ClaudeLine): LineVerdict {
  const known = stage.tree.find(line.uuid ?? '');
  return known === undefined ? playNew(stage, line) : replace(stage, line, known);
}
