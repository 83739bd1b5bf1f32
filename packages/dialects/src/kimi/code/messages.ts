import type { ContentPart, FactKey, JsonObject, ModelItem } from '@tapefold/facts';
import { LARGE_TEXT_CHARS } from '@tapefold/facts';
import { objectAt, present, stringAt } from '../../shape.js';
import { type MessageClass, classOf, takeSteer } from './message-class.js';
import { addNode, noteEntry, noteInput, wait, waiting } from './chain.js';
import { partsOf } from './content.js';
import { engineOrigin, isAnchorOrigin } from './origins.js';
import { placeWaiting } from './placings.js';
import { type Play, currentTurn, refs, say } from './play.js';
import type { HeldRecord, NodeState } from './state.js';
import { openTurn } from './turns.js';
import { dropQueue } from './queue.js';
import { tellSummary } from './summary.js';

/** The message of a record. */
export const messageOf = (raw: JsonObject): JsonObject => objectAt(raw, 'message') ?? {};

/** While calls run, what is said waits for their results. A person sees it at once, in no turn yet. */
export function holdMessage(play: Play, message: JsonObject): void {
  const { state, pen, raw, record } = play;
  const found = classOf(play, message);
  const held: HeldRecord = { raw, span: pen.line, record };
  const key = found.content ? receive(play, { message, found }) : null;
  if (key !== null) placeWaiting(play, key, { turn: found.does === 'opens' ? -1 : currentTurn(play), step: -1, as: 'deferred', otherwise: found.as ?? 'opens' });
  const node = addNode(play, { kind: 'held' });
  const at = state.inputs.push({ key, as: null, held, node: state.head }) - 1;
  if (key !== null) noteInput(node, key);
  wait(play, { held: [...waiting(play).held, at] });
}


/** Results are in: the messages that waited for them are said now. */
export function releaseMessages(play: Play): void {
  const { held } = waiting(play);
  if (!held.length) return;
  wait(play, { held: [] });
  for (const at of held) {
    const input = play.state.inputs[at];
    if (!input?.held) continue;
    const { raw, span, record } = input.held;
    // A branch may come back to where it still waits; what is large is not kept for that.
    if (JSON.stringify(raw).length > LARGE_TEXT_CHARS) input.held = undefined;
    tellMessage({ ...play, raw, record, earlier: { tape: play.pen.tape, line: span, record, value: raw } }, messageOf(raw), input.key ?? undefined);
  }
}

const ownId = (play: Play): string => `input-${play.line}`;

/** What a person sees of a message; `context`: the entry that says it to the model, where that came first. */
function receive(play: Play, of: { message: JsonObject; found: MessageClass; context?: FactKey | undefined }): FactKey {
  const { found, message, context } = of;
  return say(play, present({
    type: 'input.received' as const, id: stringAt(message, 'id') ?? ownId(play), content: found.content ?? [], visibility: 'shown' as const, origin: found.origin, promptIds: found.promptIds && [...found.promptIds],
    isAdded: false, context,
  }));
}

/** The entry of the model's history that a user message is. */
function entryOf(message: JsonObject, found: MessageClass): ModelItem {
  const content: ContentPart[] = partsOf(message['content']);
  return { kind: 'message', role: stringAt(message, 'role') === 'system' ? 'system' : 'user', content, visibility: found.visibility };
}

function tellMarks(play: Play, node: NodeState, found: MessageClass): void {
  const from = play.state.nextOrdinal;
  for (const { text, origin } of found.marks) {
    say(play, { type: 'notice.posted', ...refs(play, { turn: node.turn }), level: 'info', code: 'skill', text: stringAt(origin, 'skillName') ?? stringAt(origin, 'commandName') ?? '', details: { text, origin } });
  }
  if (play.state.nextOrdinal > from) node.words = [from, play.state.nextOrdinal];
}

/** Says a message that is no answer. `waited`: its input, where a person saw it before. */
export function tellMessage(play: Play, message: JsonObject, waited?: FactKey): void {
  const found = classOf(play, message);
  if (found.does === 'summary') return tellSummary(play, { text: found.marks[0]?.text ?? '', origin: found.marks[0]?.origin ?? {} });
  const steer = takeSteer(play, message);
  const node = addNode(play, present({ ...nodeOf(message), steer }));
  tellMarks(play, node, found);
  if (found.does === 'opens') {
    dropQueue(play);
    openTurn(play, node, { origin: found.origin, promptId: found.promptIds?.[0] });
  }
  const context = say(play, present({ type: 'context.appended' as const, ...refs(play, { turn: node.turn }), item: entryOf(message, found), shows: waited }));
  noteEntry(node, context);
  const input = waited ?? (found.content ? receive(play, { message, found, context }) : undefined);
  if (input === undefined) return;
  noteInput(node, input);
  placeInput(play, { input, found, node });
}

function nodeOf(message: JsonObject): Omit<Partial<NodeState>, 'parent' | 'line'> & { kind: 'user' } {
  const origin = engineOrigin(message);
  const kind = origin && stringAt(origin, 'kind');
  const isTask = kind === 'task' || kind === 'background_task' || kind === 'task_notification';
  return present({
    kind: 'user' as const, id: stringAt(message, 'id'), owner: origin && stringAt(origin, 'ownerPromptId'), isAnchor: stringAt(message, 'role') === 'user' && isAnchorOrigin(origin) ? (true as const) : undefined,
    isInjection: kind === 'injection' ? (true as const) : undefined, isTask: isTask ? (true as const) : undefined,
  });
}

function placeInput(play: Play, { input, found, node }: { input: FactKey; found: MessageClass; node: NodeState }): void {
  const { turn } = node;
  if (found.does === 'opens' && !play.earlier) return void say(play, { type: 'input.placed', ...refs(play, { turn }), input, as: 'opens' });
  if (found.does === 'opens') return placeWaiting(play, input, { turn, step: -1, as: 'opens' });
  const as = found.as ?? 'steers';
  placeWaiting(play, input, { turn, step: -1, as: 'deferred', otherwise: as });
  const at = play.state.inputs.push({ key: input, as }) - 1;
  wait(play, { queue: [...waiting(play).queue, at] });
}

