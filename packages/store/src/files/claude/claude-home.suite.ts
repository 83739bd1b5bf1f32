import { shelfHome } from '../shelf-home.suite.js';

/** Claude homes made by hand, for tests of the shelf. */
export const PROJECT = 'projects/-home-sam-w';
export const session = (n: number): string => `0199000${n}-0000-4000-8000-00000000000${n}`;

export const { homePath, put, source } = shelfHome('claude', 1_800_000_000);

export const line = (record: object): string => `${JSON.stringify(record)}\n`;

/** A chain of prompts and answers, each line the child of the one before. `from`: makes uuids and times of its own. */
export class Chain {
  text = '';
  #last: string | null = null;
  #n = 0;
  readonly #sessionId: string;
  readonly #more: object;

  constructor(sessionId: string, more: object = {}) {
    this.#sessionId = sessionId;
    this.#more = more;
  }

  /** Uuid of the line written last. */
  get leaf(): string { return this.#last ?? ''; }

  add(record: object, own: object = {}): this {
    const uuid = `${this.#sessionId}-${this.#n++}`;
    const timestamp = new Date(Date.UTC(2026, 0, 2, 3, 4, this.#n)).toISOString();
    this.text += line({ parentUuid: this.#last, isSidechain: false, uuid, timestamp, sessionId: this.#sessionId, cwd: '/home/sam/w', version: '2.1.197', gitBranch: 'main', ...this.#more, ...record, ...own });
    this.#last = uuid;
    return this;
  }

  prompt(content: unknown, own: object = {}): this {
    return this.add({ type: 'user', message: { role: 'user', content } }, own);
  }

  answer(text: string): this {
    return this.add({ type: 'assistant', message: { id: `msg_${this.#n}`, role: 'assistant', model: 'claude-x', content: [{ type: 'text', text }], stop_reason: 'end_turn' } });
  }

  call(id: string, name: string, input: object): this {
    return this.add({ type: 'assistant', message: { id: `msg_${this.#n}`, role: 'assistant', model: 'claude-x', content: [{ type: 'tool_use', id, name, input }] } });
  }

  result(id: string, content: unknown, toolUseResult: unknown): this {
    return this.prompt([{ type: 'tool_result', tool_use_id: id, content }], { toolUseResult });
  }

  side(record: object): this {
    this.text += line({ sessionId: this.#sessionId, ...record });
    return this;
  }
}

/** A session of one prompt and one answer. */
export const short = (n: number, words: string): string => new Chain(session(n)).prompt(words).answer(`re: ${words}`).text;
