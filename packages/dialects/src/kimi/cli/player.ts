import type { JsonObject, JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { type RecordAccount, accountOf } from '../../line-account.js';
import { penFor } from '../../pen.js';
import { recordsOf } from '../../records.js';
import { numberAt, objectAt, present, stringAt } from '../../shape.js';
import { answerApproval, askApproval, askClient, askQuestion } from './asks.js';
import { writeContent } from './blocks.js';
import { endCall, growCall, startCall } from './calls.js';
import { playHistory } from './history.js';
import { type Play, type Played, say } from './play.js';
import { type CliState, initialState, isCliState, type RunState } from './state.js';
import { insideOf } from './sub-agents.js';
import { beginStep, beginTurn, endTurn, interruptStep, retryStep, steer, updateStatus } from './turns.js';
import { beginSide, compact, endHook, endSide, notify, payloadOf, showPlan } from './words.js';

/*
 * The wire log of kimi-cli, versions 1.1 to 1.10: what the program told its screen, one message a line, never rewritten.
 *
 *   {timestamp, message: {type, payload}} ──► the session's own run          ── turns.ts, blocks.ts, calls.ts, asks.ts, words.ts
 *             SubagentEvent {call, event} ──► the run of that sub-agent, by the same rules   ── sub-agents.ts
 *
 * There are no ids of turns and steps: they are counted. What the model reads is derived from the same records; where the program rewrote it (a summary, a
 * revert), only the history beside the log has it.
 */

const none = (): Played => 'ignored';

/** Every type of every version; the number in the first line does not say which a log holds, since newer programs go on with older logs. */
const handlers: Readonly<Record<string, (play: Play) => Played>> = {
  TurnBegin: beginTurn, TurnEnd: (play) => endTurn(play), SteerInput: steer, StepBegin: beginStep, StepInterrupted: interruptStep, StepRetry: retryStep, ContentPart: writeContent, ToolCall: startCall, ToolCallPart: growCall,
  ToolResult: endCall, StatusUpdate: updateStatus, CompactionBegin: compact, CompactionEnd: none, MCPLoadingBegin: none, MCPLoadingEnd: none, ApprovalRequest: askApproval, ApprovalResponse: answerApproval,
  ApprovalRequestResolved: answerApproval, QuestionRequest: askQuestion, ToolCallRequest: askClient, HookTriggered: none, HookResolved: endHook, HookRequest: none, Notification: notify, PlanDisplay: showPlan, BtwBegin: beginSide, BtwEnd: endSide,
};

interface Stage { readonly identity: TapeIdentity; readonly state: CliState; readonly pen: Play['pen'] }

/** Plays wire logs of kimi-cli, and its histories where there is no log. `checkpoint` is what an earlier player of the same tape gave out; one that is none starts anew. */
class KimiCliPlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state: CliState;

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    this.#state = isCliState(checkpoint) ? (JSON.parse(JSON.stringify(checkpoint)) as CliState) : initialState();
  }

  checkpoint(): JsonValue {
    return JSON.parse(JSON.stringify(this.#state)) as JsonValue;
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const pen = penFor(this.#identity.tape, this.#state, { dialect: 'kimi', line, records: found.records });
    const stage: Stage = { identity: this.#identity, state: this.#state, pen };
    const accounts = found.records.map((raw, index) => playRecord(stage, raw, index));
    if (found.damage !== undefined && found.damage !== 'tornTail' && line.isTerminated) pen.write({ type: 'record.damaged', reason: found.damage, excerpt: (line.text ?? '').slice(0, 200) });
    return { facts: pen.facts, account: accountOf(found, accounts) };
  }
}

/** Before version 1.2 nothing ended a turn. */
function playMetadata(state: CliState, raw: JsonObject): RecordAccount {
  state.protocol ??= stringAt(raw, 'protocol_version') ?? null;
  const [major = 0, minor = 0] = (state.protocol ?? '').split('.').map(Number);
  if (major > 1 || (major === 1 && minor > 1)) state.endsTurns = true;
  return { verdict: 'played', name: 'metadata' };
}

function open(play: Play): void {
  if (play.state.isOpened) return;
  play.state.isOpened = true;
  const id = play.identity.namedThreadId ?? '';
  const isSub = play.pen.tape.split('/').length > 2 && !play.pen.tape.startsWith(`kimi/${id}`);
  say(play, present({
    type: 'thread.opened' as const, threadId: id, sessionId: id, program: 'kimi' as const, originator: 'kimi-cli', createdAt: play.at,
    origin: isSub ? { kind: 'subAgent' as const, role: 'threadSpawn' as const } : { kind: 'cli' as const }, historyMode: 'legacy' as const, details: {},
  }));
}

/** ISO-8601 of a time in Unix seconds; undefined for what is no time. */
function isoTime(seconds: number | undefined): string | undefined {
  const date = new Date(Math.round((seconds ?? Number.NaN) * 1000));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function playRecord(stage: Stage, raw: JsonObject, record: number): RecordAccount {
  const message = objectAt(raw, 'message');
  const type = message && stringAt(message, 'type');
  if (stringAt(raw, 'type') === 'metadata') return playMetadata(stage.state, raw);
  const play: Play = { ...stage, record, path: ['message', 'payload'], type: type ?? stringAt(raw, 'type') ?? '', payload: message ? payloadOf(message) : {}, at: isoTime(numberAt(raw, 'timestamp')), run: stage.state.runs[0] as RunState, runIndex: 0 };
  open(play);
  const role = stringAt(raw, 'role');
  if (role !== undefined && message === undefined) return playRole(play, raw, role);
  if (type === undefined) return unknown(play, raw);
  if (type !== 'SubagentEvent') return playMessage(play, raw, type);
  const inside = insideOf(play);
  return inside ? playMessage(inside, raw, `SubagentEvent/${inside.type}`) : unknown(play, raw);
}

function playRole(play: Play, raw: JsonObject, role: string): RecordAccount {
  const verdict = playHistory(play, raw, role);
  return verdict === 'unknown' ? unknown(play, raw, role) : { verdict, name: role };
}

function playMessage(play: Play, raw: JsonObject, name: string): RecordAccount {
  const handler = Object.hasOwn(handlers, play.type) ? handlers[play.type] : undefined;
  if (!handler) return unknown(play, raw, name);
  const verdict = handler(play);
  return verdict === 'unknown' ? unknown(play, raw, name) : { verdict, name };
}

function unknown(play: Play, raw: JsonObject, name = play.type): RecordAccount {
  const recordType = name === '' ? 'record without a type' : name;
  say(play, { type: 'record.unknown', recordType, why: name === '' ? 'shape' : 'type', raw });
  return { verdict: 'unknown', name: recordType };
}

/** A player for one wire log or history of kimi-cli, of a session or of a sub-agent; the identity's thread id is the session's, or the agent's. */
export function createKimiCliPlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new KimiCliPlayer(identity, checkpoint);
}

/** A checkpoint from which a player goes on that has seen no record of the program yet, though so many facts were made of what stood before. */
export function kimiCliCheckpoint(facts: number): JsonValue {
  return JSON.parse(JSON.stringify({ ...initialState(), nextOrdinal: facts })) as JsonValue;
}
