import { KeptByBytes } from '@tapefold/store';
import { KEPT_ANSWER_CHARS, KEPT_ANSWERS_CHARS } from '../limits.js';
import type { JsonChunk } from '@tapefold/threads';
import type { JsonChunks } from './answer.js';

/** The key says what an answer is made of: nothing else can make it stale. */
const ALWAYS = '';

/**
 * Answers that were given last, as text: whoever shows a page asks for it again and again. `key` says what an answer is made of, so that another state of the same thread has
 * another one. Memory: `KEPT_ANSWERS_CHARS`; longer answers than `KEPT_ANSWER_CHARS` are not kept.
 */
export class KeptAnswers {
  readonly #kept = new KeptByBytes<string>(KEPT_ANSWERS_CHARS);

  /** The answer of before, or the one that is made. */
  async given(key: string, make: () => Promise<JsonChunks>): Promise<JsonChunks> {
    const known = this.#kept.get(key, ALWAYS);
    return known === undefined ? this.#noted(key, await make()) : [known];
  }

  async *#noted(key: string, chunks: JsonChunks): AsyncGenerator<JsonChunk> {
    let text: string | undefined = '';
    for await (const chunk of chunks) {
      yield chunk;
      // What comes as bytes is a whole thread.
      text = text === undefined || typeof chunk !== 'string' || text.length + chunk.length > KEPT_ANSWER_CHARS ? undefined : text + chunk;
    }
    if (text !== undefined) this.#kept.keep(key, { stamp: ALWAYS, value: text, sizeBytes: text.length });
  }
}
