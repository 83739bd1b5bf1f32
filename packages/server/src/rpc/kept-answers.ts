import { KEPT_ANSWER_CHARS, KEPT_ANSWERS_CHARS } from '../limits.js';
import type { JsonChunks } from './answer.js';

/**
 * Answers that were given last, as text: whoever shows a page asks for it again and again. `key` says what an answer is made of, so that another state of the same thread has
 * another one. Memory: `KEPT_ANSWERS_CHARS`; longer answers than `KEPT_ANSWER_CHARS` are not kept.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, string>();
  #chars = 0;

  /** The answer of before, or the one that is made. */
  async given(key: string, make: () => Promise<JsonChunks>): Promise<JsonChunks> {
    const known = this.#kept.get(key);
    if (known === undefined) return this.#noted(key, await make());
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return [known];
  }

  async *#noted(key: string, chunks: JsonChunks): AsyncGenerator<string> {
    let text: string | undefined = '';
    for await (const chunk of chunks) {
      yield chunk;
      text = text === undefined || text.length + chunk.length > KEPT_ANSWER_CHARS ? undefined : text + chunk;
    }
    if (text !== undefined) this.#keep(key, text);
  }

  #keep(key: string, text: string): void {
    this.#chars += text.length - (this.#kept.get(key)?.length ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, text);
    for (const [oldest, { length }] of this.#kept) {
      if (this.#chars <= KEPT_ANSWERS_CHARS) return;
      this.#kept.delete(oldest);
      this.#chars -= length;
    }
  }
}
