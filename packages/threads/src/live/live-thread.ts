import { type Caption, type DroppedText, type Fact, type FactKey, type TextDelta, contentDigest, factKey, parseFactKey } from '@tapefold/facts';
import { foldThread } from '../fold/fold-thread.js';
import type { ItemRow, TurnRow } from '../fold/row.js';
import { type ThreadHead, emptyThreadHead } from '../fold/thread-head.js';
import { itemObject } from '../items/item-object.js';
import type { ThreadItem } from '../objects/thread-item.js';
import type { ThreadStatus } from '../objects/thread.js';
import type { Turn } from '../objects/turn.js';
import { ThreadRows } from '../rows/thread-rows.js';
import { isOpenTurn } from '../rows/turn-as-of.js';
import { activeStatus } from '../settle/thread-object.js';
import { turnObject } from '../settle/turn-object.js';
import { ItemStreams } from './item-streams.js';
import type { ThreadNotification } from './notifications.js';
import { startedForm } from './started-form.js';
import { TokenUsage } from './token-usage.js';

/** Whether somebody has the thread open, and whether its newest open turn runs there. */
export interface Presence {
  readonly isThere: boolean;
  readonly isRunning: boolean;
}

/** Ended turns whose records may still come late, by their ids. */
const REMEMBERED_TURNS = 256;

/** Turns whose rows are held: agents leave at most one open, and one that was killed. */
const OPEN_TURNS = 4;

type ToldUsage = ReturnType<TokenUsage['take']>;
type ToldItem = 'started' | { readonly digest: string };

const none: readonly ThreadNotification[] = [];

/**
 * What a thread's facts and its text on the way are to clients that watch it: notifications. Law: a turn and an item are told complete only behind the facts that complete
 * them, and whoever heard all of a turn's `item/completed` has its items as a read gives them. Holds the rows of the turns that are open, no others.
 */
export class LiveThread {
  readonly #threadId: string;
  #head: ThreadHead = emptyThreadHead;
  #rows = new ThreadRows();
  #position = 0;
  #presence: Presence = { isThere: false, isRunning: false };
  #hasFailed = false;
  #told: ThreadStatus;
  /** The turn that was told as started and not as completed. */
  #running: FactKey | undefined;
  readonly #turnIds = new Map<FactKey, string>();
  readonly #items = new Map<string, ToldItem>();
  readonly #streams = new ItemStreams();
  readonly #usage = new TokenUsage();

  /** `told`: what clients were told last of how it stands. */
  constructor(threadId: string, told: ThreadStatus = { type: 'notLoaded' }) {
    this.#threadId = threadId;
    this.#told = told;
  }

  /** As it was told last. */
  get status(): ThreadStatus { return this.#told; }
  /** The newest turn that no fact ended; undefined where there is none. */
  get openTurn(): FactKey | undefined { return this.#newestOpen()?.key; }
  /** Who the thread is, and what is open in it. */
  get head(): ThreadHead { return this.#head; }

  /** Takes a fact of before the watching began: nothing is told. */
  load(fact: Fact): void {
    this.#fold(fact);
    if (fact.type === 'turn.started' || fact.type === 'turn.ended') this.#forget();
  }

  /** All that was there is taken in: what of it was loaded a client has read. Tells how the thread stands, where that is news. */
  begin(presence: Presence): readonly ThreadNotification[] {
    this.#presence = presence;
    const open = this.#newestOpen();
    if (presence.isRunning) this.#running ??= open?.key;
    this.#noteItems(open);
    return this.settle(presence);
  }

  #noteItems(open: TurnRow | undefined): void {
    for (const row of open ? this.#rows.items(open.key) : []) if (row.visibility === 'shown' && !this.#items.has(this.#addressOf(row))) this.#items.set(this.#addressOf(row), row.isOpen ? 'started' : { digest: digestOf(this.#object(row)) });
  }

  /** Takes the next fact. `nowMs` stands where no record says when an item began or ended. */
  take(fact: Fact, presence: Presence, nowMs: number): readonly ThreadNotification[] {
    const before = this.#newestOpen();
    const { items, usage } = this.#fold(fact);
    this.#presence = presence;
    if (fact.type === 'turn.started') this.#hasFailed = false;
    if (fact.type === 'turn.ended') this.#hasFailed = fact.status === 'failed';
    const ended = before && before.key !== this.#newestOpen()?.key ? this.#ended(before) : undefined;
    const told = [...this.#turnEnd(ended, fact), ...this.#statusChange(), ...this.#turnStart(), ...items.flatMap((row) => this.#item(row, nowMs)), ...this.#tokens(fact, usage), ...this.#besides(fact)];
    this.#forget();
    return told;
  }

  /** Somebody opened the thread, or left it; its newest turn goes on, or runs no more. */
  settle(presence: Presence): readonly ThreadNotification[] {
    this.#presence = presence;
    const open = this.#newestOpen();
    const stopped = !presence.isRunning && open && open.key === this.#running ? this.#ended(open) : undefined;
    return [...(stopped ? [...this.#statusChange(), ...this.#completed(stopped)] : none), ...this.#statusChange(), ...this.#turnStart()];
  }

  /** Text on its way. Nothing of a turn that no fact began. */
  delta(delta: TextDelta, nowMs: number): readonly ThreadNotification[] {
    const turnId = this.#turnIds.get(delta.turn);
    if (turnId === undefined) return none;
    const address = `${turnId}\n${delta.item}`;
    const told = this.#items.get(address);
    if (typeof told === 'object') return none;
    const begun = told === undefined ? this.#begun(delta, turnId, nowMs) : none;
    if (told === undefined && begun.length === 0) return none;
    this.#items.set(address, 'started');
    return [...begun, ...this.#streams.take(delta, { threadId: this.#threadId, turnId, isCommand: this.#isCommand(delta) })];
  }

  /** The item will never be complete: whoever heard of it hears no more. */
  drop(dropped: DroppedText): readonly ThreadNotification[] {
    this.#streams.end(dropped);
    return none;
  }

  /** A spoken word, which no fact keeps. */
  caption({ role, text, isDone }: Caption): readonly ThreadNotification[] {
    const threadId = this.#threadId;
    return [isDone ? { method: 'thread/realtime/transcript/done', params: { threadId, role, text } } : { method: 'thread/realtime/transcript/delta', params: { threadId, role, delta: text } }];
  }

  #fold(fact: Fact): { readonly items: readonly ItemRow[]; readonly usage: ToldUsage } {
    const { head, changes } = foldThread(this.#head, fact, this.#position);
    this.#head = head;
    this.#position += 1;
    const rows = this.#rows.apply(changes);
    if (fact.type === 'turn.started') this.#noteTurn(factKey(fact.tape, fact.ordinal), fact.id);
    return { items: rows.filter((row): row is ItemRow => 'body' in row), usage: fact.type === 'usage.recorded' ? this.#usage.take(fact, head) : undefined };
  }

  #noteTurn(key: FactKey, id: string): void {
    this.#turnIds.set(key, id);
    const [oldest] = this.#turnIds.keys();
    if (this.#turnIds.size > REMEMBERED_TURNS && oldest !== undefined) this.#turnIds.delete(oldest);
  }

  #newestOpen(): TurnRow | undefined {
    const turns = this.#rows.turns();
    return turns.filter((turn, i) => isOpenTurn(turn) && (!turn.isImplicit || i === turns.length - 1)).at(-1);
  }

  #status(): ThreadStatus {
    if (!this.#presence.isThere) return { type: 'notLoaded' };
    const open = this.#presence.isRunning ? this.#newestOpen() : undefined;
    if (open) return activeStatus({ ...this.#head, openInteractions: Object.fromEntries(Object.entries(this.#head.openInteractions).filter(([, { key }]) => this.#placeOf(key) >= open.position)) });
    return this.#hasFailed ? { type: 'systemError' } : { type: 'idle' };
  }

  /** A question that an earlier turn left open is asked no more. */
  #placeOf(key: FactKey): number {
    const { tape = '', ordinal = 0 } = parseFactKey(key) ?? {};
    return ordinal + (this.#head.offsets[tape] ?? 0);
  }

  #statusChange(): readonly ThreadNotification[] {
    const status = this.#status();
    if (JSON.stringify(status) === JSON.stringify(this.#told)) return none;
    this.#told = status;
    return [{ method: 'thread/status/changed', params: { threadId: this.#threadId, status } }];
  }

  #turnStart(): readonly ThreadNotification[] {
    const open = this.#presence.isRunning ? this.#newestOpen() : undefined;
    if (!open || open.key === this.#running) return none;
    // A turn that no record opened begins with what stands in it.
    const turn = turnObject(this.#head, { turn: open, items: this.#rows.items(open.key) }, { phase: 'running', view: 'notLoaded' });
    if (!turn) return none;
    this.#running = open.key;
    return [{ method: 'turn/started', params: { threadId: this.#threadId, turn } }];
  }

  /** A turn that was told as started, as it ended, with the final answer. */
  #ended({ key, id }: TurnRow): Turn | undefined {
    if (key !== this.#running) return undefined;
    const turn = this.#rows.turn(key);
    const summary = turn && turnObject(this.#head, { turn, items: this.#rows.items(key) }, { phase: 'over', view: 'summary' });
    // What stood in it was taken back.
    if (!summary) return { id, rootTurnId: null, items: [], itemsView: 'notLoaded', status: 'interrupted', error: null, startedAt: null, completedAt: null, durationMs: null };
    const items = summary.status === 'interrupted' ? [] : summary.items.filter(({ type }) => type === 'agentMessage');
    return { ...summary, items, itemsView: items.length > 0 ? 'summary' : 'notLoaded' };
  }

  #completed(turn: Turn): readonly ThreadNotification[] {
    this.#running = undefined;
    this.#streams.clear();
    return [{ method: 'turn/completed', params: { threadId: this.#threadId, turn } }];
  }

  #turnEnd(turn: Turn | undefined, fact: Fact): readonly ThreadNotification[] {
    if (!turn) return none;
    const { error } = turn;
    const threadId = this.#threadId;
    const told: readonly ThreadNotification[] = error && fact.type === 'turn.ended' ? [{ method: 'error', params: { error, willRetry: false, threadId, turnId: turn.id } }] : none;
    return [...this.#statusChange(), ...told, ...this.#completed(turn)];
  }

  #turnIdOf({ turn, turnId }: ItemRow): string | undefined {
    return (turn === null ? undefined : this.#turnIds.get(turn)) ?? turnId ?? undefined;
  }

  #addressOf(row: ItemRow): string { return `${this.#turnIdOf(row)}\n${row.id}`; }

  #object(row: ItemRow): ThreadItem {
    return itemObject(row, { isTurnOver: false, cwd: this.#head.details.cwd });
  }

  #item(row: ItemRow, nowMs: number): readonly ThreadNotification[] {
    const turnId = this.#turnIdOf(row);
    if (row.visibility !== 'shown' || turnId === undefined || (row.body.kind === 'input' && row.turn === null) || !this.#rows.isEffectiveItem(row)) return none;
    const address = this.#addressOf(row);
    const told = this.#items.get(address);
    const object = this.#object(row);
    const at = { threadId: this.#threadId, turnId };
    const isLate = row.turn !== null && !this.#rows.turn(row.turn);
    const started: readonly ThreadNotification[] = told === undefined && !isLate ? [{ method: 'item/started', params: { item: row.isOpen ? object : startedForm(object), ...at, startedAtMs: object.startedAtMs ?? timeOf(row, nowMs) } }] : none;
    if (row.isOpen) {
      this.#items.set(address, 'started');
      return started;
    }
    const digest = digestOf(object);
    if (typeof told === 'object' && told.digest === digest) return none;
    this.#items.set(address, { digest });
    if (row.turn !== null) this.#streams.end({ turn: row.turn, item: row.id });
    return [...started, { method: 'item/completed', params: { item: object, ...at, contentTokenCount: null, completedAtMs: object.completedAtMs ?? timeOf(row, nowMs) } }];
  }

  /** Words or thoughts that stream before any fact says of them. */
  #begun({ item: id, kind }: TextDelta, turnId: string, nowMs: number): readonly ThreadNotification[] {
    const times = { startedAtMs: nowMs, completedAtMs: null };
    const at = { threadId: this.#threadId, turnId, startedAtMs: nowMs };
    switch (kind) {
      case 'agentMessage': return [{ method: 'item/started', params: { item: { type: 'agentMessage', id, text: '', phase: null, memoryCitation: null, moderation: null, delivery: null, questions: null, ...times }, ...at } }];
      case 'reasoning': return [{ method: 'item/started', params: { item: { type: 'reasoning', id, summary: [], content: [], ...times }, ...at } }];
      case 'call': return none;
    }
  }

  #isCommand({ turn, item }: TextDelta): boolean {
    return this.#rows.items(turn).some(({ id, body }) => id === item && body.kind === 'command');
  }

  #turnIdAt({ turn }: Fact): string | undefined {
    return (turn === undefined ? undefined : this.#turnIds.get(turn)) ?? this.#newestOpen()?.id;
  }

  #tokens(fact: Fact, tokenUsage: ToldUsage): readonly ThreadNotification[] {
    const turnId = this.#turnIdAt(fact);
    return tokenUsage && turnId !== undefined ? [{ method: 'thread/tokenUsage/updated', params: { threadId: this.#threadId, turnId, tokenUsage } }] : none;
  }

  /** What a fact says beside turns and items. */
  #besides(fact: Fact): readonly ThreadNotification[] {
    const threadId = this.#threadId;
    const turnId = this.#turnIdAt(fact);
    switch (fact.type) {
      case 'todo.replaced': return turnId === undefined ? none : [{ method: 'turn/plan/updated', params: { threadId, turnId, explanation: fact.explanation ?? null, plan: fact.entries.map(({ title, status }) => ({ step: title, status })) } }];
      case 'history.superseded': case 'history.restored': return fact.turns.length > 0 ? [{ method: 'thread/reverted', params: { threadId } }] : none;
      default: return none;
    }
  }

  /** Rows of turns that are over are read from the store; inputs that stand nowhere yet may be placed in the next. */
  #forget(): void {
    const turns = this.#rows.allTurns();
    const kept = this.#rows.turns().filter(isOpenTurn).slice(-OPEN_TURNS);
    if (kept.length === turns.length) return;
    const items = [...kept.flatMap(({ key }) => this.#rows.items(key)), ...this.#rows.leftovers()];
    const rows = new ThreadRows();
    rows.take({ turns: kept, steps: [], items, notices: [] });
    this.#rows = rows;
    const ids = new Set(kept.map(({ id }) => id));
    for (const address of this.#items.keys()) if (!ids.has(address.slice(0, address.indexOf('\n')))) this.#items.delete(address);
  }
}

const digestOf = (item: ThreadItem): string => contentDigest(JSON.stringify(item));

function timeOf({ at }: ItemRow, nowMs: number): number {
  const atMs = at === undefined ? NaN : Date.parse(at);
  return Number.isFinite(atMs) ? atMs : nowMs;
}
