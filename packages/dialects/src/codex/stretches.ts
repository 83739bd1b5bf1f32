import { objectAt, stringAt } from '../shape.js';
import { readCompletedItem } from './completed-items.js';
import { eventType } from './legacy-shapes.js';
import { isKnownModelItem } from './model-items.js';
import { type LineSign, type StretchLine, callTypes, outputTypes, recordOf, signOf } from './stretch-lines.js';
import { outcomeOf } from './tool-outputs.js';

/*
 * Law: play from the start of a stretch to its end (`codexTailCheckpoint`) shows of its turns what play of the whole rollout shows of them. A stretch begins with a turn; where a line speaks of a turn or of a
 * call from before it, the two stretches are one. What is not surely understood makes the whole rollout one that has no stretches, so that whoever asks reads it whole.
 *
 *   turn 1 ── call c ── turn 2 ── output of c ── turn 3 ──       two stretches: turns 1 and 2, turn 3
 */

/** Where a turn of a paginated rollout begins. */
export interface CodexTurnMark {
  readonly id: string;
  /** Number of the record. */
  readonly ordinal: number;
  /** Its first byte: of the file, or of all of them in a row, as lines were given. */
  readonly offset: number;
  /** A stretch begins with it. */
  readonly isStart: boolean;
}

/** Records that say nothing of the thread itself. */
const quietTypes: ReadonlySet<string> = new Set([
  'response_item', 'compacted', 'world_state', 'token_usage_record', 'inter_agent_communication', 'inter_agent_communication_metadata', 'retained_context', 'security_risk_score', 'dynamic_tools_updated',
]);
const quietEvents: ReadonlySet<string> = new Set([
  'task_started', 'task_complete', 'turn_aborted', 'item_completed', 'token_count', 'agent_message', 'agent_reasoning', 'exec_command_begin', 'exec_command_end', 'patch_apply_begin', 'patch_apply_end', 'mcp_tool_call_begin', 'mcp_tool_call_end', 'turn_diff',
]);
/** Ids of so many characters are given once; shorter ones some providers count anew in each response. */
const UNIQUE_ID_CHARS = 20;
/** Calls that are remembered beyond the record of their item, or an output that may not end them, the newest ones: with a record that the original cannot read, the call goes on. */
const TOLD_KEPT = 65_536;
/** Calls that nothing has surely ended: a file with more is none that a program wrote. */
const CALLS_KEPT = 2 * TOLD_KEPT;
/** Ends of calls behind which a record of the item may still come. */
const unsureEnds: ReadonlySet<string> = new Set(['interrupted', 'declined', 'timedOut']);

/** A context up to its folder, with nothing before it that says how the turn is configured: then the rest of the line says it all. */
const contextStart = /^[^\\]*?"payload":\{(?:"(?!model"|effort"|sandbox_policy"|collaboration_mode"|approval_policy")[a-z_]+":(?:"[^"\\]*"|\[[^\]{}\\]*\]|null),)*"cwd":/;
const CONTEXT_START_CHARS = 4_096;

/** Whether a call is over with it: not with an item that the original cannot read, nor with words of a person under the id of a call. */
function endsCall(line: StretchLine): boolean {
  const item = objectAt(objectAt(recordOf(line) ?? {}, 'payload') ?? {}, 'item');
  const read = item && readCompletedItem(item);
  return read !== undefined && 'body' in read;
}

/** Finds the stretches of a paginated rollout, or of several that go on from each other, line by line, mostly by a line's first characters. Keeps a few values a turn, and the calls that nothing has ended. */
export class CodexStretches {
  readonly #mostBytes: number;
  readonly #marks: { readonly id: string; readonly ordinal: number; readonly offset: number; isStart: boolean }[] = [];
  readonly #byId = new Map<string, number>();
  /** Calls that nothing has surely ended, each with its turn. */
  readonly #calls = new Map<string, number>();
  /** Those of them of which a record of the item, or an output, came. */
  readonly #told = new Set<string>();
  /** The first turn of the file at hand, and of the stretch at hand. */
  #ofFile = 0;
  #first = 0;
  #ordinal = -1;
  #isClear = true;
  /** A line of the file at hand was taken. */
  #isBegun = false;
  /** The newest word on how turns are configured is a context that could be read. */
  #isConfigured = false;
  /** Set once the first words of a person were played: they name the thread. */
  isPromptKnown = false;

  /** `mostBytes`: of stretches that have to be joined; longer ones are as good as none. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** False once a line was not understood, or stretches would be too long: then there are none. */
  get isClear(): boolean {
    return this.#isClear;
  }

  /** Another file follows, which goes on from the one before. Each is played by itself, so that it knows no turns and no calls but its own; what it says of others only play of all tells. */
  nextFile(): void {
    this.#ofFile = this.#marks.length;
    this.#first = this.#marks.length;
    this.#isBegun = false;
    this.#isConfigured = false;
    this.#calls.clear();
    this.#told.clear();
  }

  /** The turns in order. The first stretch of a file begins with its first line, the others each with their first turn. */
  get marks(): readonly CodexTurnMark[] {
    return this.#marks;
  }

  /** Takes the next line. Answers whether it says nothing of the thread itself, who it is and what it is called. */
  take(line: StretchLine): boolean {
    const sign = this.#isClear ? signOf(line) : undefined;
    // Lines before the first one of a thread are played as those of an older age.
    if (!sign || sign.ordinal <= this.#ordinal || (!this.#isBegun && sign.type !== 'session_meta')) return this.#fails();
    this.#ordinal = sign.ordinal;
    this.#isBegun = true;
    if (sign.type === 'response_item') this.#modelItem(line, sign);
    else if (sign.type === 'event_msg') this.#event(line, sign);
    return this.#isClear && this.#isQuiet(line, sign);
  }

  #isQuiet(line: StretchLine, { type, inner, itemType }: LineSign): boolean {
    if (itemType === 'UserMessage' && !this.isPromptKnown) return false;
    if (type === 'turn_context') return this.#isConfiguredAsBefore(line);
    const isQuiet = quietTypes.has(type) || (type === 'event_msg' && quietEvents.has(inner));
    this.#isConfigured &&= isQuiet;
    return isQuiet;
  }

  /** Nearly every turn is configured as the one before. */
  #isConfiguredAsBefore(line: StretchLine): boolean {
    const isPlain = contextStart.test(line.head(CONTEXT_START_CHARS));
    const isSame = isPlain && line.endsAsBefore('"cwd":') && this.#isConfigured;
    this.#isConfigured = isSame || (isPlain && recordOf(line) !== undefined);
    return isSame;
  }

  #fails(): false {
    this.#isClear = false;
    return false;
  }

  #event(line: StretchLine, { inner, ordinal, turnId, itemId }: LineSign): void {
    if (inner === 'task_started') this.#begin(line, { id: turnId ?? '', ordinal });
    else if (inner === 'task_complete' || inner === 'turn_aborted') this.#reach(this.#byId.get(turnId ?? ''), line);
    else if (inner === 'item_completed') this.#item(line, { turnId, itemId });
  }

  /** Play must begin there, too. A turn that was there before is no second one, and which lines are its own only play tells. */
  #begin(line: StretchLine, { id, ordinal }: { readonly id: string; readonly ordinal: number }): void {
    const event = objectAt(recordOf(line) ?? {}, 'payload') ?? {};
    if (this.#byId.has(id) || eventType(event) !== 'task_started' || stringAt(event, 'turn_id') !== id) return void this.#fails();
    this.#byId.set(id, this.#marks.length);
    this.#first = this.#marks.length;
    this.#marks.push({ id, ordinal, offset: line.offset, isStart: true });
  }

  #item(line: StretchLine, { turnId, itemId }: Pick<LineSign, 'turnId' | 'itemId'>): void {
    this.#reach(this.#byId.get(turnId ?? ''), line);
    const called = itemId === undefined ? undefined : this.#calls.get(itemId);
    if (called === undefined || itemId === undefined) return;
    this.#reach(called, line);
    if (itemId.length >= UNIQUE_ID_CHARS) this.#tell(itemId);
    else if (endsCall(line)) this.#forget(itemId);
  }

  /** To look whether its record can be read would cost more than all else; and hardly ever does a line speak of it again, which then is one stretch with it. */
  #tell(callId: string): void {
    this.#told.add(callId);
    if (this.#told.size <= TOLD_KEPT) return;
    const [oldest = ''] = this.#told;
    this.#forget(oldest);
  }

  #forget(callId: string): void {
    this.#told.delete(callId);
    this.#calls.delete(callId);
  }

  #modelItem(line: StretchLine, { inner, callId = '', turnId }: LineSign): void {
    if (callTypes.has(inner)) this.#call(line, { callId, turn: turnId === undefined ? this.#marks.length - 1 : this.#byId.get(turnId) });
    else if (outputTypes.has(inner)) this.#output(line, callId);
  }

  /** A call under the id of an open one is none; one before the first turn of a file is in no turn. */
  #call(line: StretchLine, { callId, turn }: { readonly callId: string; readonly turn: number | undefined }): void {
    if (this.#marks.length === this.#ofFile) return void this.#fails();
    const open = this.#calls.get(callId);
    if (open !== undefined) this.#reach(open, line);
    this.#reach(turn, line);
    if (open === undefined && turn !== undefined) this.#calls.set(callId, turn);
    if (this.#calls.size > CALLS_KEPT) this.#fails();
  }

  #output(line: StretchLine, callId: string): void {
    const open = this.#calls.get(callId);
    if (open === undefined) return;
    this.#reach(open, line);
    if (this.#told.has(callId)) return;
    const output = objectAt(recordOf(line) ?? {}, 'payload') ?? {};
    if (!isKnownModelItem(output)) return;
    const { status, runsAs } = outcomeOf(output['output']);
    if (runsAs !== undefined || unsureEnds.has(status)) this.#tell(callId);
    else this.#forget(callId);
  }

  /** The line speaks of a turn: from there on to here all is one stretch. Of a turn that is not known only play tells. */
  #reach(turn: number | undefined, line: StretchLine): void {
    if (turn === undefined || turn < this.#ofFile) return void this.#fails();
    if (turn >= this.#first) return;
    for (let i = this.#marks.length - 1; i > turn; i--) Object.assign(this.#marks[i] ?? {}, { isStart: false });
    this.#first = turn;
    while (this.#marks[this.#first]?.isStart === false) this.#first -= 1;
    if (line.offset - (this.#marks[this.#first]?.offset ?? 0) > this.#mostBytes) this.#fails();
  }
}
