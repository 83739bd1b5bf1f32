import type { JsonObject, JsonValue, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { type RecordAccount, accountOf } from '../../line-account.js';
import { type Pen, penFor } from '../../pen.js';
import { recordsOf } from '../../records.js';
import { numberAt, present, stringAt } from '../../shape.js';
import { MAIN_AGENT, kimiTapeParts } from '../family.js';
import { isKnownType, nameOf, playRecord } from './dispatch.js';
import { type Play, isoOf } from './play.js';
import { openThread } from './settings.js';
import { type KimiCodeState, initialState, isKimiCodeState } from './state.js';

/*
 * A wire log of kimi-code: what the engine did, one record a line, in record schemas 1.0 to 1.5.
 *
 *   context.*        → messages and answers: nodes of a chain          messages.ts, steps.ts, calls.ts, answers.ts, summary.ts, chain.ts
 *   undo, switches   → another chain, and what changes sides           undo.ts, branches.ts, history.ts
 *   turn.*, prompt.* → the engine's turns, found again among ours      prompts.ts, engine-turns.ts, turn-ends.ts
 *   all else         → facts beside the conversation                   work.ts, tasks.ts, interactions.ts, settings.ts
 *
 * What the original finds out by reading the whole file first is said here when it shows, and said anew when it changes.
 */

/** What became of one record, for the ledger. */
class KimiCodePlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state: KimiCodeState;
  readonly #who: Pick<Play, 'agentId' | 'sessionId' | 'threadId'>;

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    this.#state = isKimiCodeState(checkpoint) ? (JSON.parse(JSON.stringify(checkpoint)) as KimiCodeState) : initialState();
    const { agentId, sessionId } = kimiTapeParts(identity.tape);
    this.#who = { agentId, sessionId, threadId: identity.namedThreadId ?? (agentId === MAIN_AGENT ? sessionId : agentId) };
  }

  checkpoint(): JsonValue {
    return JSON.parse(JSON.stringify(this.#state)) as JsonValue;
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const pen = penFor(this.#identity.tape, this.#state, { dialect: 'kimi', line, records: found.records });
    const accounts = found.records.map((raw, record) => this.#playRecord(pen, raw, record));
    if (found.damage !== undefined && found.damage !== 'tornTail' && line.isTerminated) {
      this.#state.records += 1;
      pen.write({ type: 'record.damaged', reason: found.damage, excerpt: (line.text ?? '').slice(0, EXCERPT_CHARS) });
    }
    return { facts: pen.facts, account: accountOf(found, accounts) };
  }

  #playRecord(pen: Pen, raw: JsonObject, record: number): RecordAccount {
    const state = this.#state;
    const ownMs = numberAt(raw, 'time');
    const timeMs = ownMs ?? state.lastTimeMs ?? undefined;
    state.records += 1;
    const play: Play = { state, pen, ...this.#who, raw, record, type: stringAt(raw, 'type') ?? '', line: state.records, at: stringAt(raw, 'time') ?? isoOf(timeMs), timeMs: isoOf(timeMs) === undefined ? undefined : timeMs };
    if (isoOf(ownMs) !== undefined) state.lastTimeMs = ownMs ?? null;
    if (isKnownType(raw)) openThread(play, this.#identity.namedCreatedAt);
    const name = nameOf(raw);
    const verdict = playRecord(play);
    if (verdict === 'unknown') pen.write(present({ type: 'record.unknown' as const, at: play.at, recordType: name, why: isKnownType(raw) ? ('shape' as const) : ('type' as const) }));
    return { verdict, name };
  }
}

const EXCERPT_CHARS = 200;

/** A player for one agent's log of kimi-code. `checkpoint` is what an earlier player of the same tape gave out; one that is none starts anew. */
export function createKimiCodePlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new KimiCodePlayer(identity, checkpoint);
}
