import type { NotificationMethod, ThreadNotification } from '@tapefold/threads';
import { CLIENT_THREADS, NOTICE_CHARS } from '../../limits.js';

/** What a client of notifications is made of. */
export interface NoticeOptions {
  /** Sends one message; resolves when the connection has taken it. */
  readonly send: (text: string) => Promise<void>;
  readonly nowMs: () => number;
  /** Methods that the client wants to hear nothing of. */
  readonly optedOut: ReadonlySet<string>;
}

/** What every client is told of every thread, as by the original; of the threads that it asked for it is told everything. */
const broadcast: ReadonlySet<NotificationMethod> = new Set(['thread/started', 'thread/status/changed']);

/** What may be left out: the whole comes later, or it is gone anyhow. */
const passing: ReadonlySet<NotificationMethod> = new Set([
  'item/agentMessage/delta', 'item/reasoning/summaryPartAdded', 'item/reasoning/summaryTextDelta', 'item/reasoning/textDelta', 'item/commandExecution/outputDelta', 'thread/realtime/transcript/delta',
]);

/**
 * What one client is told, and how much of it waits. Law: deltas of an item come whole and in order from its start, or not at all any more. A client that does not read loses deltas
 * first; where that is not enough, everything, and is told to read its threads anew as soon as it reads again.
 */
export class ClientNotices {
  readonly #options: NoticeOptions;
  /** Threads that it asked for, the newest last, with the items whose deltas it has from their start. */
  readonly #threads = new Map<string, Set<string>>();
  #waitingChars = 0;
  #isLost = false;

  constructor(options: NoticeOptions) {
    this.#options = options;
  }

  /** The client asked for a thread. */
  follow(threadId: string): void {
    const items = this.#threads.get(threadId) ?? new Set();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, items);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > CLIENT_THREADS && oldest !== undefined) this.#threads.delete(oldest);
  }

  isFollowing(threadId: string): boolean { return this.#threads.has(threadId); }

  tell(threadId: string, notification: ThreadNotification): void {
    const items = this.#threads.get(threadId);
    if ((!items && !broadcast.has(notification.method)) || this.#isLost) return;
    if (!this.#isWhole(items, notification)) return;
    if (!this.#options.optedOut.has(notification.method)) this.#send(notification);
  }

  /** Whether a client that appends what comes will have the whole. */
  #isWhole(items: Set<string> | undefined, { method, params, isStart }: ThreadNotification): boolean {
    if (!items) return true;
    if (method === 'item/started') items.add(params.item.id);
    if (method === 'item/completed') items.delete(params.item.id);
    if (method === 'turn/completed') items.clear();
    if (!passing.has(method)) return true;
    const isFull = this.#waitingChars > NOTICE_CHARS;
    if (!('itemId' in params)) return !isFull;
    if (isStart) items.add(params.itemId);
    if (isFull) items.delete(params.itemId);
    return items.has(params.itemId);
  }

  #send({ method, params }: ThreadNotification): void {
    if (this.#waitingChars > NOTICE_CHARS * 4) return this.#lose();
    const text = JSON.stringify({ method, params, emittedAtMs: this.#options.nowMs() });
    this.#waitingChars += text.length;
    void this.#options.send(text).catch(() => undefined).finally(() => {
      this.#waitingChars -= text.length;
      if (this.#isLost && this.#waitingChars === 0) this.#findAgain();
    });
  }

  #lose(): void {
    this.#isLost = true;
    for (const items of this.#threads.values()) items.clear();
  }

  #findAgain(): void {
    this.#isLost = false;
    for (const threadId of this.#threads.keys()) this.tell(threadId, { method: 'thread/reverted', params: { threadId } });
  }
}
