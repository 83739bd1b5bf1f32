import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtCommand } from '../built-command.js';

/** A home that does not exist: whoever runs the tests may have one of their own. */
const noHome = fileURLToPath(new URL('no-claude-home', import.meta.url));

/** An answer as it came: with `result` or with `error`. */
export interface RpcAnswer {
  readonly id: string | number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The built server over a home, as a process, spoken to over its standard input and output. */
export class RpcServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Messages without an id, in order. */
  readonly notifications: unknown[] = [];
  stderr = '';
  readonly #waiting = new Map<string | number, (answer: RpcAnswer) => void>();
  readonly #ended: Promise<number | null>;
  #nextId = 1;

  /** `tapefoldHome`: where its index is; by default it has none. */
  constructor(home: string, args: readonly string[] = ['serve', '--listen', 'stdio://'], tapefoldHome?: string) {
    const withoutIndex = tapefoldHome === undefined ? ['--no-index'] : [];
    this.child = spawn(process.execPath, [builtCommand(), ...args, ...withoutIndex], { env: { ...process.env, CODEX_HOME: home, CLAUDE_CONFIG_DIR: noHome, TAPEFOLD_HOME: tapefoldHome ?? noHome }, stdio: 'pipe' });
    this.child.stderr.on('data', (data: Buffer) => { this.stderr += data.toString('utf8'); });
    this.#ended = new Promise((resolve) => { this.child.once('close', resolve); });
    let parts: string[] = [];
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [first = '', ...lines] = text.split('\n');
      parts.push(first);
      for (const line of lines) {
        this.#take(JSON.parse(parts.join('')) as RpcAnswer);
        parts = [line];
      }
    });
  }

  #take(message: RpcAnswer): void {
    if (message.id === undefined) this.notifications.push(message);
    else this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  /** Writes a line as it is. */
  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** The answer to a request that is written as it is. */
  send(line: string, id: string | number): Promise<RpcAnswer> {
    const answer = new Promise<RpcAnswer>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      void this.#ended.then((code) => reject(new Error(`the server ended with ${code} before it answered ${line}: ${this.stderr}`)));
    });
    this.write(line);
    return answer;
  }

  call(method: string, params: unknown = {}): Promise<RpcAnswer> {
    const id = this.#nextId++;
    return this.send(JSON.stringify({ id, method, params }), id);
  }

  /** Says hello; without `experimentalApi` where `stable`. */
  async initialize({ stable = false } = {}): Promise<RpcAnswer> {
    const answer = await this.call('initialize', { clientInfo: { name: 'test', title: null, version: '1' }, capabilities: stable ? null : { experimentalApi: true } });
    this.write(JSON.stringify({ method: 'initialized' }));
    return answer;
  }

  /** Ends the input; resolves with the exit code. */
  end(): Promise<number | null> {
    this.child.stdin.end();
    return this.#ended;
  }
}
