import type { JsonObject, JsonValue, LineAccount, LineVerdict, PlayedLine, Player, TapeIdentity, TapeLine } from '@tapefold/facts';
import { type LineRecords, recordsOf } from '../records.js';
import { type Shape, misfit, present, stringAt } from '../shape.js';
import { playCall } from './calls.js';
import { checkpointOf, stateOf } from './checkpoint.js';
import { appendAgentMessage, appendContext, compactContext } from './context.js';
import { hasLoneSurrogate, openEnvelope } from './envelope.js';
import { numberingOf, renumber } from './glued.js';
import { eventType, keptEventMisfit } from './legacy-shapes.js';
import { markCompaction, playAddedEvent, playLegacyEvent } from './legacy.js';
import { isKnownModelItem } from './model-items.js';
import { acceptsOrdinal, playPaginatedEvent } from './paginated.js';
import { Pen } from './pen.js';
import { playLegacyResponse, playResponse } from './responses.js';
import { openedThread, threadLinks, unreadableMetaField } from './session-meta.js';
import { changeDetails, isReadableTurnContext, playNotice, playPlanUpdate, playRealtime, playTurnContext, playUsageRecord } from './settings.js';
import type { CodexRecord, CodexState } from './state.js';
import { beginCounting } from './turns.js';

/** What became of one record, for the ledger. */
interface RecordAccount { readonly verdict: LineVerdict; readonly name: string }

const skippedEvents = new Set(['turn_diff', 'undo_completed', 'guardian_assessment', 'session_configured', 'mcp_startup_update', 'mcp_startup_complete', 'raw_response_item', 'shutdown_complete']);
const compactedShape: Shape = { message: 'string', 'replacement_history?': 'list' };
const sideRecords = new Set(['world_state', 'inter_agent_communication_metadata', 'retained_context', 'security_risk_score', 'dynamic_tools_updated']);

function unknown(pen: Pen, of: { name: string; why: 'type' | 'shape'; field?: string | undefined; at?: string | undefined }): LineVerdict {
  pen.write(present({ type: 'record.unknown' as const, at: of.at, recordType: of.name, why: of.why, field: of.field }));
  return 'unknown';
}

/** Plays rollouts of every age. `checkpoint` is what an earlier player of the same tape gave out; one that is none starts anew. */
export class CodexPlayer implements Player {
  readonly #identity: TapeIdentity;
  readonly #state: CodexState;

  constructor(identity: TapeIdentity, checkpoint?: JsonValue) {
    this.#identity = identity;
    this.#state = stateOf(checkpoint, identity.tape);
  }

  checkpoint(): JsonValue {
    return checkpointOf(this.#state);
  }

  play(line: TapeLine): PlayedLine {
    const found = recordsOf(line);
    const pen = new Pen(this.#identity.tape, this.#state, { line, found });
    const accounts = found.isBlank || !found.records.length ? [] : this.#playRecords(pen, found);
    if (found.damage !== undefined && found.damage !== 'tornTail' && line.isTerminated) {
      pen.write({ type: 'record.damaged', reason: found.damage, excerpt: excerptOf(line.text ?? '') });
    }
    this.#state.lines += 1;
    return { facts: pen.facts, account: accountOf(found, accounts) };
  }

  #playRecords(pen: Pen, found: LineRecords): RecordAccount[] {
    const isUnreadable = hasLoneSurrogate(found.texts[0] ?? '');
    if (found.isAlone) return [this.#playRaw(pen, found.records[0] as JsonObject, { index: 0, isRepaired: false, isUnreadable })];
    const [first, ...rest] = found.records;
    const accounts: RecordAccount[] = [];
    const replay = (raw: JsonObject, index: number): void => void accounts.push(this.#playRaw(pen, raw, { index, isRepaired: true, isUnreadable: false }));
    if (found.isCleanStart) {
      const before = numberingOf(this.#state);
      accounts.push(this.#playRaw(pen, first as JsonObject, { index: 0, isRepaired: false, isUnreadable }));
      if (this.#state.mode === 'legacy') renumber(pen, [...pen.facts], before);
    } else replay(first as JsonObject, 0);
    rest.forEach((raw, i) => replay(raw, i + 1));
    return accounts;
  }

  #playRaw(pen: Pen, raw: JsonObject, at: { index: number; isRepaired: boolean; isUnreadable: boolean }): RecordAccount {
    pen.begin(at.index);
    const opened = openEnvelope(raw, { index: at.index, isRepaired: at.isRepaired, isFirst: !this.#state.isOpened && this.#state.mode === 'undecided' });
    const { name } = opened;
    if (opened.kind === 'ignored') return { verdict: 'ignored', name };
    if (opened.kind === 'unknown') return { name, verdict: unknown(pen, { name, why: opened.why, field: opened.field, at: stringAt(raw, 'timestamp') }) };
    if (at.isUnreadable) return { name, verdict: unknown(pen, { name, why: 'shape', field: 'text', at: opened.record.at }) };
    return { name, verdict: this.#playRecord(pen, opened.record, name) };
  }

  #playRecord(pen: Pen, record: CodexRecord, name: string): LineVerdict {
    const state = this.#state;
    if (state.mode === 'undecided' && record.type !== 'session_meta') state.mode = record.path.length ? 'legacy' : 'bare';
    const isAccepted = state.mode !== 'paginated' || acceptsOrdinal(state, record.ordinal);
    const verdict = this.#playType(pen, record, { name, isAccepted });
    if (verdict !== 'unknown' && !record.isRepaired && this.#isNumbered(record)) state.retained += 1;
    return verdict;
  }

  /** Records that the original program counts for `rollout-<n>`: those that it reads and keeps. */
  #isNumbered(record: CodexRecord): boolean {
    if (record.type === 'event_msg') return keptEventMisfit(record.payload) === undefined;
    if (record.type === 'turn_context') return isReadableTurnContext(record.payload);
    return record.type !== 'response_item' || isKnownModelItem(record.payload);
  }

  #playType(pen: Pen, record: CodexRecord, at: { name: string; isAccepted: boolean }): LineVerdict {
    switch (record.type) {
      case 'session_meta': return this.#playMeta(pen, record, at.name);
      case 'response_item': return this.#playResponseItem(pen, record, at.name);
      case 'event_msg': return this.#playEvent(pen, record, at);
      case 'turn_context': playTurnContext(pen, record); return 'played';
      case 'compacted': return this.#playCompacted(pen, record);
      case 'token_usage_record': playUsageRecord(pen, record); return 'played';
      case 'inter_agent_communication': appendAgentMessage(pen, record); return 'played';
      case 'realtime_item': playRealtime(pen, record); return 'played';
      default: return sideRecords.has(record.type) ? 'ignored' : unknown(pen, { name: at.name, why: 'type', at: record.at });
    }
  }

  /** The first one says who the thread is and how the file is read; copies that a fork carries along change nothing. */
  #playMeta(pen: Pen, record: CodexRecord, name: string): LineVerdict {
    const state = this.#state;
    if (state.isOpened) return 'ignored';
    const isBare = !record.path.length;
    const field = isBare ? undefined : unreadableMetaField(record.payload);
    const isForeign = field === 'history_mode' || stringAt(record.payload, 'id') === undefined;
    const opened = openedThread(record.payload, this.#identity);
    state.isOpened = true;
    state.threadId = opened.threadId;
    state.mode = isBare ? 'bare' : opened.historyMode;
    pen.write(present({ ...opened, at: record.at }));
    for (const link of threadLinks(record.payload)) {
      state.hasBase ||= link.type === 'thread.based';
      pen.write(present({ ...link, at: record.at }));
    }
    if (field !== undefined && isForeign) unknown(pen, { name, why: 'shape', field, at: record.at });
    return 'played';
  }

  #playResponseItem(pen: Pen, record: CodexRecord, name: string): LineVerdict {
    const { mode } = this.#state;
    const type = stringAt(record.payload, 'type');
    if (type === 'ghost_snapshot' || type === 'compaction_trigger') return 'ignored';
    if (!isKnownModelItem(record.payload) && record.path.length) return unknown(pen, { name, why: 'type', at: record.at });
    const context = appendContext(pen, record);
    if (mode === 'bare' || mode === 'responses') playResponse(pen, record, context);
    else if (mode === 'paginated') playCall(pen, record, context);
    else playLegacyResponse(pen, record, context);
    return 'played';
  }

  #playCompacted(pen: Pen, record: CodexRecord): LineVerdict {
    if (misfit(record.payload, compactedShape)) return unknown(pen, { name: 'compacted', why: 'shape', field: 'message', at: record.at });
    if (this.#state.mode === 'legacy') markCompaction(pen, record);
    compactContext(pen, record);
    return 'played';
  }

  #playEvent(pen: Pen, record: CodexRecord, at: { name: string; isAccepted: boolean }): LineVerdict {
    const type = eventType(record.payload);
    if (this.#state.mode === 'paginated') {
      if (playPaginatedEvent(pen, record, { type, isAccepted: at.isAccepted })) return at.isAccepted ? 'played' : 'ignored';
      if (type === 'item_completed') return unknown(pen, { name: at.name, why: 'shape', field: 'item', at: record.at });
    }
    if (playNotice(pen, record, type) || this.#playSideEvent(pen, record, type)) return 'played';
    return this.#state.mode === 'paginated' ? this.#otherEvent(pen, record, at.name) : this.#playLegacy(pen, record, at.name);
  }

  #playSideEvent(pen: Pen, record: CodexRecord, type: string): boolean {
    const name = stringAt(record.payload, 'thread_name') ?? stringAt(record.payload, 'name');
    if (type === 'plan_update') playPlanUpdate(pen, record);
    else if (type === 'thread_name_updated' && name !== undefined) changeDetails(pen, record, { name });
    else return false;
    return true;
  }

  #playLegacy(pen: Pen, record: CodexRecord, name: string): LineVerdict {
    const state = this.#state;
    const type = eventType(record.payload);
    const field = keptEventMisfit(record.payload);
    if (field === undefined) {
      if (state.mode !== 'legacy') { beginCounting(state); state.mode = 'legacy'; }
      if (type !== 'token_count' && type !== 'thread_settings_applied') state.hasEvents = true;
      playLegacyEvent(pen, record, type);
      return 'played';
    }
    if (playAddedEvent(pen, record, type)) return 'played';
    return field === null ? this.#otherEvent(pen, record, name) : unknown(pen, { name, why: 'shape', field, at: record.at });
  }

  /** Twins of what is read elsewhere and events that say nothing of the history are left out by type; all others are not known. */
  #otherEvent(pen: Pen, record: CodexRecord, name: string): LineVerdict {
    const type = eventType(record.payload);
    const isTwin = keptEventMisfit(record.payload) !== null || (type === 'item_completed' && this.#state.mode !== 'paginated');
    const isOld = /^(exec_command|patch_apply|mcp_tool_call|web_search|dynamic_tool_call|collab|view_image|hook|item|agent_message|agent_reasoning)_/.test(type);
    return isTwin || isOld || skippedEvents.has(type) ? 'ignored' : unknown(pen, { name, why: 'type', at: record.at });
  }
}

const EXCERPT_CHARS = 200;
/** The beginning of a damaged line, no character cut in two, as a copy: a slice would keep the whole line in memory. */
function excerptOf(text: string): string {
  return JSON.parse(JSON.stringify(text.slice(0, EXCERPT_CHARS).replace(/[\ud800-\udbff]$/, ''))) as string;
}

const rank: Readonly<Record<LineVerdict, number>> = { played: 4, unknown: 3, ignored: 2, damaged: 1, blank: 0 };

/** A line counts once, as the best that any of its records came to. */
function accountOf(found: LineRecords, accounts: readonly RecordAccount[]): LineAccount {
  if (found.isBlank) return { verdict: 'blank' };
  const best = accounts.length > 1 ? [...accounts].sort((a, b) => rank[b.verdict] - rank[a.verdict])[0] : accounts[0];
  if (best && !found.repairs.length) return { verdict: best.verdict, type: best.name };
  if (!best) return { verdict: 'damaged', damage: found.damage };
  return { verdict: best.verdict, type: best.name, repairs: found.repairs };
}

/** A player for one rollout; see `CodexPlayer`. */
export function createCodexPlayer(identity: TapeIdentity, checkpoint?: JsonValue): Player {
  return new CodexPlayer(identity, checkpoint);
}

