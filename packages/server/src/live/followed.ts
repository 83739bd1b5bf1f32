import { type TranscriptGradeSpec, detachGrades } from '@tapefold/transcript';
import type { EventCursor, Following, LiveSource, LiveSubscription, TranscriptSink } from './live-source.js';

interface Held { subscription: LiveSubscription | undefined; grades: TranscriptGradeSpec | undefined }

/** What one client follows: by session, at most so many at a time. Calls come one after the other. */
export class Followed {
  readonly #source: LiveSource;
  readonly #sinkOf: (sessionId: string) => TranscriptSink;
  readonly #sessions = new Map<string, Held>();
  readonly #limit: number;

  constructor(source: LiveSource, options: { readonly sinkOf: (sessionId: string) => TranscriptSink; readonly limit: number }) {
    this.#source = source;
    this.#sinkOf = options.sinkOf;
    this.#limit = options.limit;
  }

  /** Follows events of a session; transcripts that are followed stay. Undefined: there is no such session, or too many are followed. */
  async events(sessionId: string): Promise<EventCursor | undefined> {
    const cursor = await this.#source.cursorOf(sessionId);
    if (cursor && this.#hasRoom(sessionId) && !this.#sessions.has(sessionId)) this.#sessions.set(sessionId, { subscription: undefined, grades: undefined });
    return this.#sessions.has(sessionId) ? cursor : undefined;
  }

  /** Follows transcripts of a session, in the place of what was followed of it. Undefined: as in `events`. */
  async transcripts(sessionId: string, following: Following): Promise<EventCursor | undefined> {
    if (!this.#hasRoom(sessionId)) return undefined;
    const held = this.#sessions.get(sessionId);
    if (held?.subscription) {
      held.grades = following.grades;
      await held.subscription.change(following);
      return held.subscription.cursor();
    }
    const subscription = await this.#source.subscribe(sessionId, following, this.#sinkOf(sessionId));
    if (subscription) this.#sessions.set(sessionId, { subscription, grades: following.grades });
    return subscription?.cursor();
  }

  /** Follows some agents of a session no more, or none of them; its events still. */
  async detach(sessionId: string, agentIds: readonly string[] | undefined): Promise<void> {
    const held = this.#sessions.get(sessionId);
    if (!held?.subscription) return;
    const grades = agentIds && detachGrades(held.grades, agentIds);
    held.grades = grades;
    if (grades) return held.subscription.change({ grades });
    held.subscription.close();
    held.subscription = undefined;
  }

  /** Follows nothing of a session any more. */
  drop(sessionId: string): void {
    this.#sessions.get(sessionId)?.subscription?.close();
    this.#sessions.delete(sessionId);
  }

  dropAll(): void {
    for (const sessionId of this.#sessions.keys()) this.drop(sessionId);
  }

  #hasRoom(sessionId: string): boolean {
    return this.#sessions.has(sessionId) || this.#sessions.size < this.#limit;
  }
}
