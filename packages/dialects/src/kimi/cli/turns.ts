import type { ContentPart, JsonObject, TurnStatus } from '@tapefold/facts';
import { textOfParts } from '@tapefold/facts';
import { booleanAt, countAt, numberAt, objectAt, present, stringAt } from '../../shape.js';
import { contentOf } from './content.js';
import { type Play, type Played, addUsage, beginMessage, here, nextBlockId, say, usageOf } from './play.js';

/** What a list shows of a prompt. */
const PROMPT_CHARS = 2_000;
/** Words by which a person empties the history that the model reads. */
const clears = new Set(['/clear', '/reset']);

/** Prompts that the model now reads for the first time. */
export function readPrompts(play: Play): void {
  for (const { key, content, large } of play.run.unread) {
    beginMessage(play);
    say(play, present({ type: 'context.appended' as const, ...here(play), item: { kind: 'message' as const, role: 'user' as const, content, visibility: 'shown' as const }, shows: key, large: large?.map((ref) => ({ ...ref, at: ['item', ...ref.at] })) }));
  }
  play.run.unread = [];
}

/** An input begins or steers a turn; the model reads it with its next call. */
function receive(play: Play, as: 'opens' | 'steers', content: ContentPart[]): void {
  const id = as === 'opens' ? `t${play.run.turns - 1}.input` : nextBlockId(play);
  const key = say(play, { type: 'input.received', id, content, visibility: 'shown', origin: { kind: 'user' }, isAdded: false });
  const written = play.pen.facts.at(-1);
  const isInput = written?.type === 'input.received';
  say(play, { type: 'input.placed', ...here(play), input: key, as });
  play.run.unread.push(present({ key, content: isInput ? written.content : content, large: isInput ? written.large : undefined }));
}

function describe(play: Play, content: readonly ContentPart[]): void {
  const text = textOfParts(content).trim();
  if (play.runIndex > 0 || play.state.hasPrompt || (text === '' && content.length === 0)) return;
  play.state.hasPrompt = true;
  say(play, { type: 'thread.changed', details: { firstPrompt: text === '' ? '[Image]' : text.slice(0, PROMPT_CHARS) } });
}

/** A turn begins. One that is still open gets no end by that: only what it settles as was said of it. */
export function beginTurn(play: Play): Played {
  const { run, state } = play;
  endStep(play, 'completed');
  const content = contentOf(play.payload['user_input']);
  const settlesAs = state.endsTurns ? undefined : ('completed' as const);
  run.turn = null;
  run.turns += 1;
  run.turn = say(play, present({ type: 'turn.started' as const, id: `t${run.turns - 1}`, origin: { kind: play.runIndex === 0 ? ('user' as const) : ('agent' as const) }, settlesAs, isImplicit: false, replacesOlder: false }));
  Object.assign(run, { step: null, stepId: `t${run.turns - 1}.0`, steps: 0, blocks: 0, block: null, latest: null, unread: [], items: [], message: null, hasResult: false });
  receive(play, 'opens', content);
  describe(play, content);
  if (clears.has(textOfParts(content).trim())) say(play, { type: 'context.cleared', ...here(play) });
  return 'played';
}

export function steer(play: Play): Played {
  needTurn(play);
  receive(play, 'steers', contentOf(play.payload['user_input']));
  return 'played';
}

/** Records that stand before any turn open one that no prompt began. */
export function needTurn(play: Play): void {
  if (play.run.turn !== null) return;
  const { run } = play;
  run.turns += 1;
  run.turn = say(play, present({ type: 'turn.started' as const, id: `t${run.turns - 1}`, settlesAs: play.state.endsTurns ? undefined : ('completed' as const), isImplicit: true, replacesOlder: false }));
  Object.assign(run, { step: null, stepId: `t${run.turns - 1}.0`, steps: 0, blocks: 0, items: [] });
}

export function endTurn(play: Play, status: TurnStatus = 'completed'): Played {
  endStep(play, status);
  if (play.run.turn !== null) say(play, { type: 'turn.ended', turn: play.run.turn, status });
  play.state.endsTurns = true;
  Object.assign(play.run, { turn: null, step: null, block: null, latest: null, unread: [], items: [] });
  return 'played';
}

export function beginStep(play: Play): Played {
  needTurn(play);
  endStep(play, 'completed');
  readPrompts(play);
  const { run } = play;
  run.steps += 1;
  const number = countAt(play.payload, 'n') ?? run.steps;
  run.stepId = `t${run.turns - 1}.${number}`;
  run.step = null;
  run.step = say(play, { type: 'step.started', turn: run.turn ?? '', id: run.stepId });
  Object.assign(run, { blocks: 0, block: null, latest: null, items: [], entriesFrom: play.state.nextOrdinal, message: null, hasResult: false });
  beginMessage(play);
  return 'played';
}

/** Ends the step that is open, if one is; the items of it may still get their results. */
export function endStep(play: Play, status: TurnStatus, more: JsonObject = {}): void {
  const { step, turn } = play.run;
  play.run.block = null;
  if (step === null) return;
  say(play, present({ type: 'step.ended' as const, turn: turn ?? undefined, step, status, reason: stringAt(more, 'reason'), usage: usageOf(objectAt(more, 'token_usage')) }));
  play.run.step = null;
}

export function interruptStep(play: Play): Played {
  endStep(play, 'interrupted');
  if (play.run.turn !== null) say(play, { type: 'turn.changed', turn: play.run.turn, settlesAs: 'interrupted' });
  return 'played';
}

/** A model call failed and is made again: what the failed attempt showed goes. */
export function retryStep(play: Play): Played {
  const { run, payload, state, pen } = play;
  if (run.step === null) return 'ignored';
  const context = run.entriesFrom < state.nextOrdinal ? [{ tape: pen.tape, from: run.entriesFrom, to: state.nextOrdinal }] : [];
  if (run.items.length > 0) say(play, { type: 'history.superseded', ...here(play), reason: 'retracted', turns: [], items: run.items, context });
  say(play, present({
    type: 'step.retried' as const, turn: run.turn ?? undefined, step: run.step, failedAttempt: numberAt(payload, 'n'), maxAttempts: numberAt(payload, 'max_attempts'), delayMs: seconds(numberAt(payload, 'wait_s')),
    errorName: stringAt(payload, 'error_type'), statusCode: numberAt(payload, 'status_code'),
  }));
  Object.assign(run, { items: [], block: null, latest: null, entriesFrom: state.nextOrdinal, message: null, hasResult: false });
  return 'played';
}

const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);

/** Closes a step with what it used; where none is open it tells the size of the history, or the mode. */
export function updateStatus(play: Play): Played {
  const { payload, state, runIndex } = play;
  const usage = usageOf(objectAt(payload, 'token_usage'));
  const isModes = planMode(play);
  const contextTokens = numberAt(payload, 'context_tokens');
  const responseId = stringAt(payload, 'message_id');
  if (usage && runIndex === 0) state.total = addUsage(state.total, usage);
  const isTold = usage !== undefined || contextTokens !== undefined;
  if (isTold) say(play, present({ type: 'usage.recorded' as const, ...here(play), responseId, contextTokens, usage, total: runIndex === 0 && usage ? state.total : undefined, contextWindow: numberAt(payload, 'max_context_tokens') }));
  const closes = play.run.step !== null && (usage !== undefined || responseId !== undefined);
  if (closes) endStep(play, 'completed', payload);
  return isTold || isModes || closes ? 'played' : 'ignored';
}

/** Whether the program is in plan mode stands in every update; only a change is told. */
function planMode(play: Play): boolean {
  const isOn = booleanAt(play.payload, 'plan_mode');
  if (isOn === undefined || play.runIndex > 0 || isOn === play.state.isPlanMode) return false;
  play.state.isPlanMode = isOn;
  say(play, { type: isOn ? 'mode.entered' : 'mode.exited', ...here(play), mode: 'plan' });
  return true;
}

