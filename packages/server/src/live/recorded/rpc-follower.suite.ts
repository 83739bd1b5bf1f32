import type { ThreadItem, ThreadNotification, Turn } from '@tapefold/threads';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Json, Talk } from '../../sockets.suite.js';

/**
 * A JSON-RPC client that read a thread and keeps it up to date by what it is told: turns and items as they come, text of items by their deltas. What `thread/reverted` takes away
 * it would have to read.
 */
export class RpcFollower {
  readonly #socket: WebSocket;
  readonly #talk: Talk;
  readonly #turns = new Map<string, Turn>();
  readonly #texts = new Map<string, string>();
  #seen = 0;
  #calls = 0;
  /** How often it was told to read anew. */
  reverts = 0;

  private constructor(port: number) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}`);
    this.#talk = new Talk(this.#socket);
  }

  static async follow(port: number, threadId: string): Promise<RpcFollower> {
    const follower = new RpcFollower(port);
    await once(follower.#socket, 'open');
    await follower.#talk.initialize();
    const { thread } = await follower.#call('thread/read', { threadId, includeTurns: true }) as { readonly thread: { readonly turns: readonly Turn[] } };
    for (const turn of thread.turns) follower.#turns.set(turn.id, turn);
    return follower;
  }

  close(): void { this.#socket.terminate(); }

  /** All turns, in the order in which it heard of them, with everything that was told before the answer to a question that is asked now. */
  async turns(): Promise<readonly Turn[]> {
    await this.#call('thread/loaded/list', {});
    this.#hear();
    return [...this.#turns.values()];
  }

  /** The text that deltas of an item told: a message's, one of a thought, or a command's output. */
  streamed(turnId: string, itemId: string): string {
    this.#hear();
    return this.#texts.get(`${turnId}\n${itemId}`) ?? '';
  }

  async #call(method: string, params: Json): Promise<unknown> {
    this.#calls += 1;
    const { result, error } = await this.#talk.call({ id: this.#calls, method, params });
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }

  #hear(): void {
    const { seen } = this.#talk;
    for (const message of seen.slice(this.#seen)) if ('method' in message) this.#take(message as unknown as ThreadNotification);
    this.#seen = seen.length;
  }

  #take(told: ThreadNotification): void {
    switch (told.method) {
      case 'turn/started': case 'turn/completed': {
        const { turn } = told.params;
        this.#turns.set(turn.id, { ...turn, itemsView: 'full', items: this.#turnOf(turn.id).items });
        return;
      }
      case 'item/started': case 'item/completed': return this.#item(told.params.turnId, told.params.item);
      case 'thread/reverted': this.reverts += 1; return;
      case 'item/agentMessage/delta': case 'item/reasoning/summaryTextDelta': case 'item/reasoning/textDelta': case 'item/commandExecution/outputDelta': {
        const address = `${told.params.turnId}\n${told.params.itemId}`;
        this.#texts.set(address, (this.#texts.get(address) ?? '') + told.params.delta);
        return;
      }
      default: return;
    }
  }

  /** Items may be told before their turn. */
  #turnOf(id: string): Turn {
    return this.#turns.get(id) ?? { id, rootTurnId: null, items: [], itemsView: 'full', status: 'inProgress', error: null, startedAt: null, completedAt: null, durationMs: null };
  }

  #item(turnId: string, item: ThreadItem): void {
    const turn = this.#turnOf(turnId);
    const isThere = turn.items.some(({ id }) => id === item.id);
    this.#turns.set(turnId, { ...turn, items: isThere ? turn.items.map((each) => (each.id === item.id ? item : each)) : [...turn.items, item] });
  }
}
