import { type Fact, type FactKey, type Published, type TextDelta, type Usage, factKey, publishedSchema } from '@tapefold/facts';
import { type ThreadItem, type TokenCounts, threadItemSchema, turnSchema } from '@tapefold/threads';
import { bodyOf, known, partsOf } from './codex-bodies.suite.js';

type Params = Readonly<Record<string, unknown>>;
/** One line of a `live.jsonl`: a message of the client (`out`) or of the app-server. */
export interface TracedLine {
  readonly dir: 'in' | 'out';
  readonly msg: { readonly id?: number | string; readonly method?: string; readonly params?: Params; readonly error?: unknown; readonly emittedAtMs?: number };
}

type Said = { [T in Fact['type']]: Omit<Extract<Fact, { type: T }>, 'tape' | 'ordinal' | 'line' | 'at'> }[Fact['type']];
type Grown = Pick<TextDelta, 'kind' | 'field' | 'index'>;

/** Deltas that recorders have, too; a plan's text comes whole. */
const grown: Readonly<Record<string, (params: Params) => Grown>> = {
  'item/agentMessage/delta': () => ({ kind: 'agentMessage', field: 'text' }),
  'item/reasoning/summaryTextDelta': ({ summaryIndex }) => ({ kind: 'reasoning', field: 'summary', index: Number(summaryIndex) }),
  'item/reasoning/textDelta': ({ contentIndex }) => ({ kind: 'reasoning', field: 'content', index: Number(contentIndex) }),
  'item/commandExecution/outputDelta': () => ({ kind: 'call', field: 'output' }),
};

function usageOf({ inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens, reasoningOutputTokens, totalTokens }: TokenCounts): Usage {
  return { inputTokens, cachedInputTokens, cacheWriteTokens: cacheWriteInputTokens, outputTokens, reasoningTokens: reasoningOutputTokens, totalTokens };
}

/** What deltas told of one item so far. */
export class Streamed {
  readonly #parts = new Map<string, string>();
  #newest = '';
  /** All of it, in the order in which it came. */
  all = '';

  /** Answers the offset. */
  take({ field, index = 0 }: Grown, text: string): number {
    const part = `${field} ${index}`;
    const before = this.#parts.get(part) ?? '';
    this.#parts.set(part, before + text);
    this.#newest = text;
    this.all += text;
    return before.length;
  }

  /** As transcripts show it: summaries of a thought before its raw text, and of an output the newest piece. */
  get shown(): string {
    const of = (field: Grown['field']): string => [...this.#parts].flatMap(([part, text]) => (part.startsWith(field) ? [text] : [])).join('\n\n');
    return of('output') === '' ? of('text') || of('summary') || of('content') : this.#newest;
  }
}

/**
 * What an app-server told of one thread while it ran, as a recorder would publish it: facts and deltas. Turns go by `turn/*`, items by `item/*`, tokens by
 * `thread/tokenUsage/updated`, text on its way by deltas. What was taken back is in the questions that were answered.
 * Of approvals, plans of steps and diffs of turns rollouts have no records, so they make no facts here.
 */
export class CodexAdapter {
  readonly #threadId: string;
  readonly #tape: string;
  #next: number;
  #at: string | undefined;
  #said: Published[] = [];
  readonly #turns = new Map<string, FactKey>();
  readonly #asked = new Map<number | string, { readonly method: string; readonly params: Params }>();
  readonly #streams = new Map<string, Streamed>();
  readonly #openWords = new Map<string, FactKey>();
  readonly #openedTurns = new Set<string>();
  readonly #takenBack: string[] = [];
  #total = '';

  /** `next`: the ordinal of the first fact that is told; what the thread's file holds by then comes before. */
  constructor(threadId: string, at: { readonly tape: string; readonly next: number }) {
    this.#threadId = threadId;
    this.#tape = at.tape;
    this.#next = at.next;
  }

  /** Turns that are gone again. */
  get takenBack(): readonly string[] { return this.#takenBack; }

  /** What was streamed so far of an item; undefined: nothing. */
  streamed(turnId: string, itemId: string): Streamed | undefined { return this.#streams.get(`${turnId}\n${itemId}`); }

  /** Takes the next line of the trace; answers what it says of the thread. */
  take({ dir, msg: { id, method, params = {}, error, emittedAtMs } }: TracedLine): readonly Published[] {
    this.#said = [];
    this.#at = emittedAtMs === undefined ? undefined : new Date(emittedAtMs).toISOString();
    if (dir === 'out') { if (id !== undefined && method !== undefined) this.#asked.set(id, { method, params }); }
    else if (method === undefined) { if (id !== undefined && error === undefined) this.#answered(id); }
    else if (method === 'thread/started') this.#opened(params['thread'] as Params);
    else if (params['threadId'] === this.#threadId) this.#notified(method, params);
    return this.#said;
  }

  #write(said: Said): FactKey {
    const key = factKey(this.#tape, this.#next);
    this.#said.push(publishedSchema.parse({ type: 'fact', fact: { ...said, tape: this.#tape, ordinal: this.#next, line: { offset: 0, length: 0 }, ...(this.#at !== undefined && { at: this.#at }) } }));
    this.#next += 1;
    return key;
  }

  #answered(id: number | string): void {
    const { method, params = {} } = this.#asked.get(id) ?? {};
    if (params['threadId'] !== this.#threadId) return;
    const ids = [...this.#turns.keys()];
    if (method === 'thread/revert') this.#takeBack('revert', ids.slice(ids.indexOf(String(params['beforeTurnId']))));
    if (method === 'thread/rollback') this.#takeBack('rollback', ids.slice(-Number(params['numTurns'])));
  }

  #takeBack(reason: 'revert' | 'rollback', ids: readonly string[]): void {
    this.#write({ type: 'history.superseded', reason, turns: ids.map((id) => this.#turns.get(id)!), context: [] });
    for (const id of ids) this.#turns.delete(id);
    this.#takenBack.push(...ids);
  }

  /** A thread's file begins without its model. */
  #opened({ id, model, reasoningEffort }: Params): void {
    if (id === this.#threadId) this.#write({ type: 'thread.changed', details: known({ model: model as string | null, effort: reasoningEffort as string | null }) });
  }

  #notified(method: string, params: Params): void {
    const of = grown[method];
    switch (method) {
      case 'turn/started': return this.#begin(params['turn']);
      case 'turn/completed': return this.#end(params['turn']);
      case 'item/started': case 'item/completed': return this.#item(method, { item: threadItemSchema.parse(params['item']), turnId: String(params['turnId']) });
      case 'thread/tokenUsage/updated': return this.#tokens(params);
      default: if (of) this.#delta(of(params), params);
    }
  }

  #begin(told: unknown): void {
    const { id, rootTurnId, startedAt } = turnSchema.parse(told);
    if (!this.#turns.has(id)) this.#turns.set(id, this.#write({ type: 'turn.started', id, isImplicit: false, replacesOlder: true, ...known({ rootTurnId, startedAt }) }));
  }

  #end(told: unknown): void {
    const { id, rootTurnId, status, error, startedAt, completedAt, durationMs } = turnSchema.parse(told);
    if (status === 'inProgress') return;
    // The turn of a review is told by its items and its end; so is it in its file.
    const turn = this.#turns.get(id) ?? this.#write({ type: 'turn.started', id, isImplicit: false, replacesOlder: true });
    this.#turns.set(id, turn);
    const why = error && known({ message: error.message, code: error.codexErrorInfo, details: error.additionalDetails });
    // Words that were cut off are in no record.
    if (this.#openWords.size > 0) this.#write({ type: 'history.superseded', reason: 'retracted', turns: [], items: [...this.#openWords.values()], context: [] });
    this.#openWords.clear();
    this.#write({ type: 'turn.ended', turn, status, startedAt, rootTurnId, ...known({ completedAt, durationMs, error: why }) });
  }

  #item(method: 'item/started' | 'item/completed', { item, turnId }: { readonly item: ThreadItem; readonly turnId: string }): void {
    const turn = this.#turns.get(turnId);
    const { id, startedAtMs, completedAtMs } = item;
    const of = { id, isAdded: false, visibility: 'shown' as const, ...known({ turn, turnId: turn ? null : turnId, startedAtMs, completedAtMs }) };
    if (item.type === 'userMessage') {
      if (method === 'item/completed') this.#input(turnId, { type: 'input.received', ...of, content: partsOf(item.content), ...known({ clientId: item.clientId }) });
    } else {
      const key = this.#write({ type: method === 'item/started' ? 'item.started' : 'item.completed', ...of, body: bodyOf(item) });
      if (method === 'item/completed') this.#openWords.delete(id);
      else if (item.type === 'agentMessage' || item.type === 'reasoning') this.#openWords.set(id, key);
    }
  }

  /** The first words of a turn open it, others steer it. */
  #input(turnId: string, received: Extract<Said, { type: 'input.received' }>): void {
    const as = this.#openedTurns.has(turnId) || !received.turn ? 'steers' : 'opens';
    this.#openedTurns.add(turnId);
    this.#write({ type: 'input.placed', input: this.#write(received), as, ...known({ turn: received.turn }) });
  }

  /** One response; where the sum is what it was, or the turn is one that was there before, only the sums. */
  #tokens(params: Params): void {
    const turn = this.#turns.get(String(params['turnId']));
    const { total, last, modelContextWindow } = params['tokenUsage'] as { readonly total: TokenCounts; readonly last: TokenCounts; readonly modelContextWindow: number | null };
    const isNews = JSON.stringify(total) !== this.#total;
    this.#total = JSON.stringify(total);
    this.#write({ type: 'usage.recorded', total: usageOf(total), ...known({ turn, usage: turn && isNews ? usageOf(last) : null, contextWindow: modelContextWindow }) });
  }

  #delta(of: Grown, { turnId, itemId, delta }: Params): void {
    const [turn, item, text] = [this.#turns.get(String(turnId)), String(itemId), String(delta)];
    if (!turn) return;
    const address = `${String(turnId)}\n${item}`;
    const stream = this.#streams.get(address) ?? new Streamed();
    this.#streams.set(address, stream);
    const offset = stream.take(of, text);
    this.#said.push(publishedSchema.parse({ type: 'delta', delta: { turn, item, ...of, offset, text } }));
  }
}
