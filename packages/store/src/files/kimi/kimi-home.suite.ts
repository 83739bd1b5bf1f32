import { shelfHome } from '../shelf-home.suite.js';

/** Kimi homes made by hand, for tests of the shelf. */
export const BUCKET = 'sessions/wd_w_0123456789ab';
export const CLI_BUCKET = 'sessions/0123456789abcdef0123456789abcdef';
export const uuid = (n: number): string => `0199000${n}-0000-4000-8000-00000000000${n}`;
export const session = (n: number): string => `session_${uuid(n)}`;

export const { homePath, put, source } = shelfHome('kimi', 1_700_000_000);

const line = (record: object): string => `${JSON.stringify(record)}\n`;
export const START_MS = 1_790_000_000_000;

/** A log of kimi-code: prompts and answers, a second apart. */
export class CodeLog {
  text: string;
  lastMs: number;
  #turn = -1;
  readonly #agentId: string;

  constructor(agentId = 'main', startMs = START_MS) {
    this.#agentId = agentId;
    this.lastMs = startMs;
    this.text = line({ type: 'metadata', protocol_version: '1.5', created_at: startMs });
  }

  add(type: string, more: object = {}): this {
    this.lastMs += 1000;
    this.text += line({ type, agentId: this.#agentId, ...more, time: this.lastMs });
    return this;
  }

  prompt(words: string, origin: object = { kind: 'user' }): this {
    this.#turn += 1;
    const content = [{ type: 'text', text: words }];
    const id = `msg_${this.#turn}`;
    return this.add('turn.prompt', { input: content, origin, promptId: id, turnId: this.#turn }).add('context.append_message', { message: { role: 'user', content, id, toolCalls: [], origin } });
  }

  event(event: object): this {
    return this.add('context.append_loop_event', { event: { turnId: String(this.#turn), step: 1, ...event } });
  }

  answer(words: string): this {
    const step = `s${this.lastMs}`;
    return this.event({ type: 'step.begin', uuid: step }).event({ type: 'content.part', uuid: `p${this.lastMs}`, stepUuid: step, part: { type: 'text', text: words } }).event({ type: 'step.end', uuid: step, finishReason: 'end_turn' });
  }

  call(id: string, name: string, args: object): this {
    const step = `s${this.lastMs}`;
    return this.event({ type: 'step.begin', uuid: step }).event({ type: 'tool.call', uuid: `c${id}`, stepUuid: step, toolCallId: id, name, args });
  }

  ended(reason = 'completed'): this {
    return this.add('turn.ended', { turnId: this.#turn, reason, durationMs: 1 });
  }
}

/** A session of one prompt and one answer. */
export const short = (words: string): string => new CodeLog().prompt(words).answer(`re: ${words}`).ended().text;

export interface StateFields { readonly n: number; readonly [field: string]: unknown }

export const state = ({ n, ...more }: StateFields): string => JSON.stringify({ id: session(n), version: 2, cwd: '/home/sam/w', createdAt: START_MS, updatedAt: START_MS + 60_000, archived: false, agents: { main: { type: 'main', parentAgentId: null } }, custom: {}, ...more });

/** A session of kimi-code with its state. */
export function putSession(n: number, text: string, more: object = {}): void {
  put(`${BUCKET}/${session(n)}/agents/main/wire.jsonl`, text);
  put(`${BUCKET}/${session(n)}/state.json`, state({ n, ...more }));
}

/** A log of kimi-cli. */
export function cliLog(...messages: readonly (readonly [type: string, payload?: object])[]): string {
  return line({ type: 'metadata', protocol_version: '1.10' }) + messages.map(([type, payload = {}], i) => line({ timestamp: 1_780_000_000 + i, message: { type, payload } })).join('');
}

export const cliShort = (words: string): string => cliLog(['TurnBegin', { user_input: words }], ['StepBegin', { n: 1 }], ['ContentPart', { type: 'text', text: `re: ${words}` }], ['TurnEnd']);
export const context = (...messages: readonly (readonly [role: string, content: unknown])[]): string => messages.map(([role, content]) => line({ role, content })).join('');
